"""Interpolation and sampling of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import window
from lite.nnadapter.driver.python.ops_elementwise import fused
from lite.nnadapter.driver.python.ops_window import apply_filter, with_bias
from lite.nnadapter.driver.python.registry import Call, operation
from lite.nnadapter.model import Array
from lite.nnadapter.types import InterpolateMode, PadMode


def _steps(c: Call) -> list[tuple[int, int, np.float32]]:
    """(axis, output size, step in the input) of the spatial axes."""
    x, corners = c["input"], bool(c.number("align_corners", False))
    sizes, scales = [int(v) for v in c.numbers("shape")], c.numbers("scales")
    if sizes:
        scales = []
    elif len(scales) == 1:
        scales *= x.ndim - 2
    for size, scale in zip(x.shape[2:], scales, strict=False):
        sizes.append(int(np.float32(size) * np.float32(scale)))
    steps = []
    for axis, out in enumerate(sizes, 2):
        size = x.shape[axis]
        step = 1 / scales[axis - 2] if scales else size / max(out, 1)
        if corners:
            step = (size - 1) / (out - 1) if out > 1 else 0
        # Paddle takes the first element for a size of 1.
        steps.append((axis, out, np.float32(step if out > 1 else 0)))
    return steps


@operation("RESIZE_NEAREST")
def resize_nearest(c: Call) -> Array:
    """The element at or before the position; the nearest one with align_corners."""
    x, corners = c["input"], bool(c.number("align_corners", False))
    for axis, out, step in _steps(c):
        position = np.arange(out) * step
        index = np.floor(position + 0.5 if corners else position).astype(np.int64)
        x = x.take(np.minimum(index, x.shape[axis] - 1), axis)
    return x


@operation("RESIZE_LINEAR")
def resize_linear(c: Call) -> Array:
    """Between two neighbours on each axis."""
    x, corners = c["input"], bool(c.number("align_corners", False))
    half = not corners and c.number("align_mode", 1) == 0
    for axis, out, step in _steps(c):
        size = x.shape[axis]
        position = (np.arange(out) + 0.5) * step - 0.5 if half else np.arange(out) * step
        position = np.maximum(position, 0).astype(np.float32)
        low = np.minimum(np.floor(position).astype(np.int64), size - 1)
        high = np.minimum(low + 1, size - 1)
        shape = [-1] + [1] * (x.ndim - axis - 1)
        weight = (position - low).astype(np.float32).reshape(shape)
        x = x.take(low, axis) * (1 - weight) + x.take(high, axis) * weight
    return x


def _fold(position: Array, size: int, pad: int, corners: bool) -> Array:
    """Positions outside of the image, brought to where the pad mode reads."""
    if pad in (PadMode.REPLICATE, PadMode.EDGE):
        return np.clip(position, 0, size - 1)
    if pad == PadMode.REFLECT:
        span = 2 * (size - 1) if corners else 2 * size
        if not span:
            return np.zeros_like(position)
        shift = 0.0 if corners else 0.5
        folded = np.abs(position + shift) % span
        folded = np.where(folded > span / 2, span - folded, folded)
        return np.clip(folded - shift, 0, size - 1)
    return position


def _pick(x: Array, rows: Array, columns: Array) -> Array:
    """x[n, :, rows[n], columns[n]], zero outside."""
    h, w = x.shape[2:]
    inside = (rows >= 0) & (rows < h) & (columns >= 0) & (columns < w)
    r, q = np.clip(rows, 0, h - 1).astype(np.int64), np.clip(columns, 0, w - 1).astype(np.int64)
    picked = np.stack([image[:, r[n], q[n]] for n, image in enumerate(x)])
    return picked * inside[:, None]


def bilinear(x: Array, rows: Array, columns: Array) -> Array:
    """Values of [N, C, H, W] at positions [N, ...]; zero outside."""
    top, left = np.floor(rows), np.floor(columns)
    down, right = (rows - top)[:, None], (columns - left)[:, None]
    upper = _pick(x, top, left) * (1 - right) + _pick(x, top, left + 1) * right
    lower = _pick(x, top + 1, left) * (1 - right) + _pick(x, top + 1, left + 1) * right
    return (upper * (1 - down) + lower * down).astype(x.dtype)


@operation("GRID_SAMPLE")
def grid_sample(c: Call) -> Array:
    """At positions from -1 to 1, given as (x, y)."""
    x, grid = c["input"], c["grid"]
    corners, pad = bool(c.number("align_corners", True)), int(c.number("pad_mode", 1))
    positions: list[Any] = []
    for axis, size in ((0, x.shape[3]), (1, x.shape[2])):
        p = grid[..., axis].astype(np.float32)
        p = (p + 1) / 2 * (size - 1) if corners else ((p + 1) * size - 1) / 2
        positions.append(_fold(p, size, pad, corners))
    if c.number("mode", 1) == InterpolateMode.NEAREST:
        return _pick(x, np.rint(positions[1]), np.rint(positions[0]))
    return bilinear(x, positions[1], positions[0])


@operation("DEFORMABLE_CONV_2D")
def deformable_conv_2d(c: Call) -> Array:
    """A convolution whose windows read at positions that `offset` moves and `mask` weighs."""
    x, offset, filter, mask = c["input"], c["offset"], c["filter"], c.get("mask")
    kh, kw = filter.shape[2:]
    win = window(c.op, (kh, kw), (x.shape[2], x.shape[3]))
    n, channels = x.shape[:2]
    h, w = offset.shape[2:]
    parts = int(c.number("deformable_group", 1))
    moves = offset.reshape(n, parts, kh * kw, 2, h, w)
    weights = None if mask is None else mask.reshape(n, parts, kh * kw, h, w)
    rows = np.arange(h)[:, None] * win.strides[0] - win.pads[0][0]
    columns = np.arange(w) * win.strides[1] - win.pads[1][0]
    seen = np.empty((n, channels, h, w, kh, kw), x.dtype)
    for part, images in enumerate(np.split(x, parts, 1)):
        each = channels // parts
        for k in range(kh * kw):
            r = rows + (k // kw) * win.dilations[0] + moves[:, part, k, 0]
            q = columns + (k % kw) * win.dilations[1] + moves[:, part, k, 1]
            value = bilinear(images, r, q)
            if weights is not None:
                value = value * weights[:, part, k][:, None]
            seen[:, part * each : (part + 1) * each, ..., k // kw, k % kw] = value
    result = apply_filter(seen, filter, int(c.number("group", 1)))
    return fused(with_bias(c, result), c.number("fuse_code", 0))
