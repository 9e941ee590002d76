"""Reads lines of text with PP-OCR's recogniser and greedy CTC decoding."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image

from examples.ocr.errors import DemoError
from examples.ocr.models import run
from lite import LightPredictor

HEIGHT = 48
NARROWEST, WIDEST = 320, 3200  # pixels after scaling to HEIGHT
STEP = 32
BATCH = 6


@dataclass(frozen=True)
class Reading:
    """What a line says, and the mean probability of its characters."""

    text: str
    confidence: float


def recognize(
    predictor: LightPredictor, lines: list[np.ndarray], characters: list[str]
) -> list[Reading]:
    """Reads u8[h, w, 3] lines, in batches of similar widths; the order is kept."""
    widths = [scaled_width(line) for line in lines]
    order = sorted(range(len(lines)), key=lambda index: widths[index])
    readings: dict[int, Reading] = {}
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        width = max(widths[index] for index in part)
        batch = np.stack([to_input(lines[index], HEIGHT, width) for index in part])
        output = run(predictor, batch)
        if output.shape[-1] != len(characters):
            raise DemoError(
                f"the recogniser knows {output.shape[-1]} classes, but the list of characters "
                f"has {len(characters)}: they do not belong together"
            )
        for index, probabilities in zip(part, output, strict=True):
            readings[index] = decode(probabilities, characters)
    return [readings[index] for index in range(len(lines))]


def scaled_width(line: np.ndarray) -> int:
    """The width of the recogniser's input for a line, a multiple of STEP."""
    width = math.ceil(HEIGHT * int(line.shape[1]) / int(line.shape[0]) / STEP) * STEP
    return min(max(width, NARROWEST), WIDEST)


def to_input(line: np.ndarray, height: int, width: int) -> np.ndarray:
    """A line as f32[3, height, width], channels BGR, -1 to 1, zeros at its right."""
    scaled = min(width, max(1, math.ceil(height * line.shape[1] / line.shape[0])))
    resized = Image.fromarray(line).resize((scaled, height), Image.Resampling.BILINEAR)
    result = np.zeros((3, height, width), np.float32)
    result[:, :, :scaled] = np.asarray(resized, np.float32)[:, :, ::-1].transpose(2, 0, 1)
    result[:, :, :scaled] = result[:, :, :scaled] / 127.5 - 1
    return result


def decode(probabilities: np.ndarray, characters: list[str]) -> Reading:
    """The best class of each step of f32[T, C]; repeated ones and blanks (class 0) left out."""
    best = probabilities.argmax(axis=1)
    kept = (best != 0) & np.r_[True, best[1:] != best[:-1]]
    if not kept.any():
        return Reading("", 0.0)
    confidence = probabilities.max(axis=1)[kept].mean()
    return Reading("".join(characters[index] for index in best[kept]), float(confidence))
