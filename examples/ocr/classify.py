"""Turns lines of text that stand upside down, which PP-OCR's direction classifier finds."""

from __future__ import annotations

import numpy as np

from examples.ocr.models import run
from examples.ocr.recognize import to_input
from lite import LightPredictor

HEIGHT, WIDTH = 48, 192
CERTAIN = 0.9
BATCH = 16


def turn_upright(
    predictor: LightPredictor, lines: list[np.ndarray]
) -> tuple[list[np.ndarray], int]:
    """The u8[h, w, 3] lines, upside-down ones turned by 180 degrees, and how many were turned."""
    upright: list[np.ndarray] = []
    turned = 0
    for start in range(0, len(lines), BATCH):
        part = lines[start : start + BATCH]
        batch = np.stack([to_input(line, HEIGHT, WIDTH) for line in part])
        for line, scores in zip(part, run(predictor, batch), strict=True):
            upside_down = bool(scores[1] > CERTAIN)
            turned += upside_down
            upright.append(np.ascontiguousarray(line[::-1, ::-1]) if upside_down else line)
    return upright, turned
