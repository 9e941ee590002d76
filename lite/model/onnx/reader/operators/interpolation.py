"""Resizing along one axis as indices or a matrix of weights, in all of ONNX's ways.

Definitions: https://onnx.ai/onnx/operators/onnx__Resize.html.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.model.onnx.reader.values import CannotRead

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Way:
    """How positions become values: Resize's attributes."""

    mode: str
    transformation: str
    nearest: str
    cubic: float
    exclude_outside: bool
    antialias: bool
    extrapolation: float


@dataclass(frozen=True)
class Axis:
    """One axis that changes its size; ``start`` and ``end`` are tf_crop_and_resize's."""

    size: int
    target: int
    scale: float
    start: float = 0.0
    end: float = 1.0


def positions(axis: Axis, transformation: str) -> Array:
    """Where each element of the result lies in the input."""
    at, scale = np.arange(axis.target, dtype=np.float64), axis.scale
    last, length = axis.size - 1, axis.size * scale
    if transformation == "half_pixel":
        return (at + 0.5) / scale - 0.5
    if transformation == "pytorch_half_pixel":
        return (at + 0.5) / scale - 0.5 if axis.target > 1 else at * 0 - 0.5
    if transformation == "tf_half_pixel_for_nn":
        return (at + 0.5) / scale
    if transformation == "asymmetric":
        return at / scale
    if transformation == "align_corners":
        return at * last / (length - 1) if length != 1 else at * 0
    if transformation == "half_pixel_symmetric":
        centre = axis.size / 2
        return centre * (1 - axis.target / length) + (at + 0.5) / scale - 0.5
    if transformation == "tf_crop_and_resize":
        if axis.target == 1:
            return at + 0.5 * (axis.start + axis.end) * last
        step = (axis.end - axis.start) * last / (axis.target - 1)
        return axis.start * last + at * step
    raise CannotRead(f"coordinate_transformation_mode {transformation!r}")


def nearest_indices(axis: Axis, way: Way) -> Array:
    """The element that each position takes."""
    at = positions(axis, way.transformation)
    rounded = {
        "round_prefer_floor": lambda: np.ceil(at - 0.5),
        "round_prefer_ceil": lambda: np.floor(at + 0.5),
        "floor": lambda: np.floor(at),
        "ceil": lambda: np.ceil(at),
    }
    if way.nearest not in rounded:
        raise CannotRead(f"nearest_mode {way.nearest!r}")
    return np.clip(rounded[way.nearest](), 0, axis.size - 1).astype(np.int64)


def weights(axis: Axis, way: Way) -> Array:
    """The matrix [target, size] whose product with the axis is the result."""
    found = np.zeros((axis.target, axis.size))
    for row, at in enumerate(positions(axis, way.transformation)):
        left = int(np.ceil(at)) - 1
        first, taps = _taps(at - left, min(axis.scale, 1.0) if way.antialias else 1.0, way)
        places = left + first + np.arange(len(taps))
        inside = (places >= 0) & (places < axis.size)
        if way.exclude_outside:
            taps = np.where(inside, taps, 0)
            taps = taps / taps.sum()
        np.add.at(found[row], np.clip(places, 0, axis.size - 1), taps)
    return found


def outside(axis: Axis, way: Way) -> Array:
    """Which positions lie beyond the input, where that has a value of its own."""
    if way.transformation != "tf_crop_and_resize":
        return np.zeros(axis.target, bool)
    at = positions(axis, way.transformation)
    return (at < 0) | (at > axis.size - 1)


def _taps(ratio: float, scale: float, way: Way) -> tuple[int, Array]:
    """The first neighbour from the left one on, and the weights from there."""
    reach = 2 if way.mode == "cubic" else 1
    start = int(np.floor(-reach / scale) + 1)
    distance = np.abs(np.arange(start, 2 - start) - ratio) * scale
    if way.mode == "linear":
        taps = np.clip(1 - distance, 0, 1)
    else:
        a = way.cubic
        near = ((a + 2) * distance - (a + 3)) * distance**2 + 1
        far = ((distance - 5) * distance + 8) * distance * a - 4 * a
        taps = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
    return start, taps / taps.sum() if way.antialias else taps
