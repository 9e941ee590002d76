"""Boxes and scores for the detection operators."""

from __future__ import annotations

import numpy as np
from harness import rand


def corner_boxes(*shape: int, size: float = 1.0) -> np.ndarray:
    """Boxes x1 < x2, y1 < y2 in [0, size)."""
    corner = rand(*shape, 2, low=0, high=0.6 * size)
    return np.concatenate([corner, corner + rand(*shape, 2, low=0.02, high=0.4 * size)], -1)


def polygons(*shape: int, points: int) -> np.ndarray:
    """Convex polygons: points in order around centers that lie close to one another."""
    turn = np.sort(rand(*shape, points, low=0, high=2 * np.pi), -1)
    center = rand(*shape, 1, 2, low=0.4, high=0.6)
    ring = np.stack([np.cos(turn), np.sin(turn)], -1) * 0.3
    return (center + ring).reshape(*shape, 2 * points).astype("float32")
