"""From a probability map to boxes and crops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PIL import Image, ImageDraw

from examples.ocr import detect, geometry


def rectangle(
    center: tuple[float, float], width: float, height: float, degrees: float
) -> np.ndarray:
    turn = math.radians(degrees)
    right = np.array([math.cos(turn), math.sin(turn)]) * width / 2
    down = np.array([-math.sin(turn), math.cos(turn)]) * height / 2
    return np.array(center) + np.array([-right - down, right - down, right + down, down - right])


def paint(shape: tuple[int, int], corners: np.ndarray, value: float) -> np.ndarray:
    image = Image.new("L", shape[::-1])
    ImageDraw.Draw(image).polygon([(x - 0.5, y - 0.5) for x, y in corners], fill=1)
    return np.asarray(image, np.float32) * value


@pytest.mark.parametrize("degrees", [-30, -8, 0, 3, 15, 40])
def test_a_turned_line_is_found_and_grown(degrees: float) -> None:
    core = rectangle((120, 90), 140, 14, degrees)
    (box,) = detect.boxes(paint((180, 240), core, 0.9))
    distance = 140 * 14 * detect.UNCLIP_RATIO / (2 * (140 + 14))
    np.testing.assert_allclose(box.corners, geometry.grow(core, distance), atol=4)
    assert box.score == pytest.approx(0.9, rel=0.12)


def test_weak_small_and_faint_spots_are_left_out() -> None:
    probability = np.zeros((96, 96), np.float32)
    probability[4:12, 4:60] = 0.45  # above the pixel's threshold, below the box's
    probability[20:22, 4:60] = 0.9  # two pixels high
    probability[30:40, 4:60] = 0.29  # below the pixel's threshold
    assert detect.boxes(probability) == []
    probability[50:60, 10:70] = 0.8
    assert len(detect.boxes(probability)) == 1


def test_noise_gives_finite_boxes_and_an_end() -> None:
    noise = np.random.default_rng(3).random((640, 640)).astype(np.float32)
    found = detect.boxes(noise)
    assert len(found) <= detect.MOST_BOXES
    assert all(np.isfinite(box.corners).all() for box in found)


def test_reading_order() -> None:
    places = [(300, 102), (60, 100), (60, 20), (200, 60), (60, 61)]
    shuffled = [detect.Box(rectangle(place, 80, 24, 0), 1.0) for place in places]
    ordered = [tuple(box.corners.mean(axis=0)) for box in detect.reading_order(shuffled)]
    assert ordered == [(60, 20), (60, 61), (200, 60), (60, 100), (300, 102)]


@pytest.mark.parametrize(
    ("size", "shape"),
    [((800, 529), (544, 800)), ((4000, 3000), (960, 1280)), ((1, 1), (320, 320)),
     ((10000, 10), (32, 1280)), ((50, 100), (320, 160))],
)  # fmt: skip
def test_input_of_the_detector(size: tuple[int, int], shape: tuple[int, int]) -> None:
    batch = detect.prepare(Image.new("RGB", size, (255, 128, 0)))
    assert batch.shape == (1, 3, *shape)
    assert batch.dtype == np.float32 and batch.flags.c_contiguous
    bgr = np.array([0, 128 / 255, 1])
    expected = (bgr - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    np.testing.assert_allclose(batch[0, :, 5, 7], expected, rtol=1e-5)


def test_crop_along_the_axes_is_a_slice() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (40, 60, 3)).astype(np.uint8)
    corners = np.array([[10.0, 5], [50, 5], [50, 25], [10, 25]])
    np.testing.assert_array_equal(detect.crop(pixels, corners), pixels[5:25, 10:50])


def test_standing_lines_are_turned() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (60, 40, 3)).astype(np.uint8)
    corners = np.array([[5.0, 10], [25, 10], [25, 50], [5, 50]])
    np.testing.assert_array_equal(detect.crop(pixels, corners), np.rot90(pixels[10:50, 5:25]))


def test_crop_beyond_the_border_repeats_it() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3)).astype(np.uint8)
    padded = np.pad(pixels, ((4, 4), (6, 6), (0, 0)), mode="edge")
    corners = np.array([[-6.0, -4], [36, -4], [36, 24], [-6, 24]])
    np.testing.assert_array_equal(detect.crop(pixels, corners), padded)


@pytest.mark.parametrize("degrees", [-20, 7, 30])
def test_crop_of_a_turned_line_is_upright(degrees: float) -> None:
    y, x = np.mgrid[0:200, 0:300]
    turn = math.radians(degrees)
    along = (x + 0.5 - 150) * math.cos(turn) + (y + 0.5 - 100) * math.sin(turn)
    ramp = np.clip(along + 128, 0, 255).astype(np.float64).round().astype(np.uint8)
    cut = detect.crop(np.stack([ramp] * 3, axis=2), rectangle((150, 100), 120, 20, degrees))
    assert cut.shape == (20, 120, 3)
    expected = np.arange(120) + 0.5 - 60 + 128
    assert np.abs(cut[:, :, 0] - expected).max() <= 1.5
