"""Finds the lines of text: PP-OCRv4's detector and the post-processing of DB.

The detector gives each pixel the probability that it belongs to the core of a line of text
(Differentiable Binarization, https://arxiv.org/abs/1911.08947).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from examples.ocr import geometry
from examples.ocr.models import run
from lite import LightPredictor

LONGEST_SIDE = 1280  # pixels that the detector sees
SHORTEST_LONG_SIDE = 320
PIXEL_THRESHOLD = 0.3
BOX_THRESHOLD = 0.5
UNCLIP_RATIO = 1.8  # PaddleOCR's is 1.5; with some more air, fewer spaces are missed
SMALLEST_SIDE = 3.0
MOST_BOXES = 1000

_MEAN = np.array([0.485, 0.456, 0.406], np.float32)
_STD = np.array([0.229, 0.224, 0.225], np.float32)


@dataclass(frozen=True)
class Box:
    """A line of text: four corners in the picture, clockwise from the top left, and a score."""

    corners: np.ndarray  # float64[4, 2], (x, y) in pixels
    score: float


def detect(predictor: LightPredictor, image: Image.Image) -> list[Box]:
    """The lines of text of an RGB picture, in reading order."""
    batch = prepare(image)
    probability = run(predictor, batch)[0, 0]
    height, width = probability.shape
    scale = np.array([image.width / width, image.height / height])
    found = boxes(probability)
    return reading_order([Box(box.corners * scale, box.score) for box in found])


def prepare(image: Image.Image) -> np.ndarray:
    """The detector's input f32[1, 3, H, W], channels BGR; H and W are multiples of 32."""
    longest = max(image.size)
    scale = min(max(longest, SHORTEST_LONG_SIDE), LONGEST_SIDE) / longest
    width, height = (max(32, round(side * scale / 32) * 32) for side in image.size)
    resized = image.resize((width, height), Image.Resampling.BILINEAR)
    pixels = np.asarray(resized, np.float32)[:, :, ::-1] / 255
    return np.ascontiguousarray(((pixels - _MEAN) / _STD).transpose(2, 0, 1)[None])


def boxes(probability: np.ndarray) -> list[Box]:
    """Rectangles around the lines of text of a probability map f32[H, W]."""
    found = []
    for outline in geometry.components(probability > PIXEL_THRESHOLD)[:MOST_BOXES]:
        core = geometry.smallest_rectangle(outline)
        width, height = geometry.size(core)
        if min(width, height) < SMALLEST_SIDE:
            continue
        score = geometry.mean_inside(probability, core)
        if score < BOX_THRESHOLD:
            continue
        distance = width * height * UNCLIP_RATIO / (2 * (width + height))
        found.append(Box(geometry.grow(core, distance), score))
    return found


def reading_order(found: list[Box]) -> list[Box]:
    """From top to bottom, and from left to right within a row."""
    rows: list[list[Box]] = []
    for box in sorted(found, key=lambda box: float(box.corners[:, 1].mean())):
        if rows and _same_row(rows[-1][0], box):
            rows[-1].append(box)
        else:
            rows.append([box])
    for row in rows:
        row.sort(key=lambda box: float(box.corners[:, 0].mean()))
    return [box for row in rows for box in row]


def _same_row(first: Box, second: Box) -> bool:
    distance = second.corners[:, 1].mean() - first.corners[:, 1].mean()
    heights = (geometry.size(box.corners)[1] for box in (first, second))
    return bool(distance < min(heights) / 2)


def crop(pixels: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The u8[h, w, 3] picture inside a box, upright; standing lines are turned by 90 degrees."""
    width, height = (max(1, round(side)) for side in geometry.size(corners))
    u = (np.arange(width) + 0.5)[None, :, None] / width
    v = (np.arange(height) + 0.5)[:, None, None] / height
    points = corners[0] + u * (corners[1] - corners[0]) + v * (corners[3] - corners[0]) - 0.5
    cut = _sample(pixels, points[..., 0], points[..., 1])
    return np.ascontiguousarray(np.rot90(cut)) if height >= 1.5 * width else cut


def _sample(pixels: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bilinear samples; the picture's border goes on for ever."""
    x = x.clip(0, pixels.shape[1] - 1)
    y = y.clip(0, pixels.shape[0] - 1)
    x0, y0 = x.astype(int), y.astype(int)
    x1, y1 = np.minimum(x0 + 1, pixels.shape[1] - 1), np.minimum(y0 + 1, pixels.shape[0] - 1)
    fx, fy = (x - x0)[..., None], (y - y0)[..., None]
    top = pixels[y0, x0] * (1 - fx) + pixels[y0, x1] * fx
    bottom = pixels[y1, x0] * (1 - fx) + pixels[y1, x1] * fx
    return np.asarray((top * (1 - fy) + bottom * fy).round(), np.uint8)
