"""paddle_image_preprocess.h: pictures, compared with numpy."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from .conftest import MODELS, compiled, sdk

RGBA, BGRA, RGB, BGR, GRAY, NV21, NV12 = 0, 1, 2, 3, 4, 11, 12
CHANNELS = {RGBA: 4, BGRA: 4, RGB: 3, BGR: 3, GRAY: 1}
# Where red, green and blue stand.
ORDER = {RGBA: (0, 1, 2), BGRA: (2, 1, 0), RGB: (0, 1, 2), BGR: (2, 1, 0)}

Tool = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Tool:
    source = Path(__file__).with_name("image_tool.cc")
    program = compiled(tmp_path_factory.mktemp("tool") / "image_tool", [source], *sdk("--libs"))

    def run(
        operation: str, picture: np.ndarray, *words: object
    ) -> subprocess.CompletedProcess[bytes]:
        command = [str(program), operation, *map(str, words)]
        return subprocess.run(command, input=picture.tobytes(), capture_output=True)

    return run


def _result(done: subprocess.CompletedProcess[bytes], *shape: int) -> np.ndarray:
    assert done.returncode == 0, done.stderr
    return np.frombuffer(done.stdout, np.uint8)[: np.prod(shape)].reshape(shape)


def _picture(image_format: int, height: int = 9, width: int = 14) -> np.ndarray:
    """u8[height, width, channels] of noise."""
    shape = (height, width, CHANNELS[image_format])
    return np.random.default_rng(image_format).integers(0, 256, shape, np.uint8)


def _converted(picture: np.ndarray, source: int, target: int) -> np.ndarray:
    rgb = np.repeat(picture, 3, axis=2) if source == GRAY else picture[..., ORDER[source]]
    if target == GRAY:
        weights = [0.299, 0.587, 0.114]
        gray = picture if source == GRAY else np.rint(rgb @ weights)[..., None]
        return gray
    out = np.full((*picture.shape[:2], CHANNELS[target]), 255.0)
    out[..., ORDER[target]] = rgb
    if CHANNELS[target] == CHANNELS[source] == 4:
        out[..., 3] = picture[..., 3]
    return out


@pytest.mark.parametrize("source", CHANNELS)
def test_convert(tool: Tool, source: int) -> None:
    picture = _picture(source)
    height, width, _ = picture.shape
    for target, channels in CHANNELS.items():
        found = _result(tool("convert", picture, source, width, height, target), 9, 14, channels)
        expected = _converted(picture, source, target)
        worst = int(target == GRAY != source)  # rounding
        np.testing.assert_allclose(found, expected, atol=worst)


@pytest.mark.parametrize(("image_format", "width", "height"), [(NV12, 8, 6), (NV21, 7, 5)])
def test_convert_nv(tool: Tool, image_format: int, width: int, height: int) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 256, (height, width), np.uint8)
    pairs = rng.integers(0, 256, ((height + 1) // 2, (width + 1) // 2, 2), np.uint8)
    picture = np.concatenate([y.ravel(), pairs.ravel()])
    colors = pairs.repeat(2, 0).repeat(2, 1)[:height, :width].astype(np.float64) - 128
    u, v = (colors[..., 0], colors[..., 1])[:: 1 if image_format == NV12 else -1]
    bgr = np.stack([y + 1.773 * u, y - 0.344 * u - 0.711 * v, y + 1.398 * v], -1).clip(0, 255)
    found = _result(tool("convert", picture, image_format, width, height, BGR), height, width, 3)
    np.testing.assert_allclose(found, bgr, atol=1.2)
    gray = _result(tool("convert", picture, image_format, width, height, GRAY), height, width)
    np.testing.assert_array_equal(gray, y)
    same = tool("convert", picture, image_format, width, height, image_format)
    np.testing.assert_array_equal(_result(same, picture.size), picture)


def _axis(source: int, target: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    at = ((np.arange(target) + 0.5) * source / target - 0.5).clip(0, source - 1)
    first = at.astype(int)
    return first, np.minimum(first + 1, source - 1), at - first


def _resized(picture: np.ndarray, height: int, width: int) -> np.ndarray:
    """Bilinear, with the centres of pixels at half."""
    first, second, part = _axis(picture.shape[0], height)
    rows = picture[first] * (1 - part)[:, None, None] + picture[second] * part[:, None, None]
    first, second, part = _axis(picture.shape[1], width)
    return np.asarray(rows[:, first] * (1 - part)[:, None] + rows[:, second] * part[:, None])


@pytest.mark.parametrize("image_format", CHANNELS)
def test_resize(tool: Tool, image_format: int) -> None:
    picture = _picture(image_format)
    for height, width in ((9, 14), (18, 7), (5, 31), (1, 1)):
        done = tool("resize", picture, image_format, 14, 9, width, height)
        found = _result(done, height, width, CHANNELS[image_format])
        np.testing.assert_allclose(found, _resized(picture, height, width), atol=0.6)


def test_resize_nv(tool: Tool) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 256, (6, 8, 1), np.uint8)
    pairs = rng.integers(0, 256, (3, 4, 2), np.uint8)
    done = tool("resize", np.concatenate([y.ravel(), pairs.ravel()]), NV12, 8, 6, 12, 4)
    found = _result(done, 12 * 4 + 6 * 2 * 2)
    np.testing.assert_allclose(found[:48], _resized(y, 4, 12).ravel(), atol=0.6)
    np.testing.assert_allclose(found[48:], _resized(pairs, 2, 6).ravel(), atol=0.6)


@pytest.mark.parametrize("image_format", [GRAY, BGR, BGRA])
def test_moves(tool: Tool, image_format: int) -> None:
    picture = _picture(image_format)
    channels = picture.shape[2]
    for degree, turns in ((90, -1), (180, 2), (270, 1)):
        expected = np.rot90(picture, turns)
        done = tool("rotate", picture, image_format, 14, 9, degree)
        np.testing.assert_array_equal(_result(done, *expected.shape), expected)
    for flip, axes in ((0, 0), (1, 1), (-1, (0, 1))):
        done = tool("flip", picture, image_format, 14, 9, flip)
        np.testing.assert_array_equal(_result(done, 9, 14, channels), np.flip(picture, axes))
    done = tool("crop", picture, image_format, 14, 9, 3, 2, 5, 7)
    np.testing.assert_array_equal(_result(done, 7, 5, channels), picture[2:9, 3:8])


@pytest.mark.parametrize("image_format", [RGB, BGRA])
def test_tensor(tool: Tool, image_format: int) -> None:
    """The alpha is left out, the order of colours stays."""
    picture = _picture(image_format, 8, 8)
    done = tool("tensor", picture, MODELS / "conv.x86.214.nb", image_format, 8, 8)
    assert b"the layout any, expected NCHW or NHWC" in done.stderr
    found = np.frombuffer(done.stdout, np.float32).reshape(2, 192)
    expected = (picture[..., :3].astype(np.float32) - [1, 2, 3]) * [0.5, 0.25, 2]
    np.testing.assert_array_equal(found[0], expected.transpose(2, 0, 1).ravel())
    np.testing.assert_array_equal(found[1], expected.ravel())


@pytest.mark.parametrize(
    ("operation", "numbers", "text"),
    [
        ("convert", (BGR, 14, 9, NV12), "the image format 12 is not taken here"),
        ("convert", (7, 14, 9, BGR), "the image format 7"),
        ("resize", (BGR, 14, 9, 0, 4), "an image of 0 x 4 pixels"),
        ("rotate", (BGR, 14, 9, 45), "a rotation by 45 degrees"),
        ("rotate", (NV12, 14, 9, 90), "the image format 12"),
        ("flip", (BGR, 14, 9, 2), "flip is 2"),
        ("crop", (BGR, 14, 9, 10, 0, 5, 1), "5 x 1 pixels from 10, 0 on do not lie in"),
        ("crop", (BGR, 14, 9, -1, 0, 5, 1), "from -1, 0 on"),
    ],
)
def test_mistakes(tool: Tool, operation: str, numbers: tuple[int, ...], text: str) -> None:
    done = tool(operation, np.zeros((9, 14, 4), np.uint8), *numbers)
    assert done.returncode == 1
    assert text in done.stderr.decode()


def test_tensor_of_another_size(tool: Tool) -> None:
    picture = np.zeros((9, 8, 3), np.uint8)
    done = tool("tensor", picture, MODELS / "conv.x86.214.nb", RGB, 8, 9)
    assert "the tensor has 192 elements, an image of 8 x 9 has 216" in done.stderr.decode()
