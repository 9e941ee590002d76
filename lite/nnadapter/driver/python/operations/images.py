"""Images at other sizes and places."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from lite.nnadapter.types import InterpolateMode, PadMode

from .windows import apply_filter, finished, image_window


def _steps(x: Any, shape: Any, scales: Any, corners: bool) -> list[tuple[int, int, Any]]:
    """(axis, output size, step in the input) of the spatial axes."""
    spatial = x.shape[2:]
    if shape is not None and len(shape):
        sizes, factors = [int(s) for s in shape], []
    else:
        factors = [float(s) for s in scales] * (len(spatial) if len(scales) == 1 else 1)
        sizes = [int(np.float32(d) * np.float32(s)) for d, s in zip(spatial, factors, strict=True)]
    steps = []
    for i, (size, out) in enumerate(zip(spatial, sizes, strict=True)):
        step = 1 / factors[i] if factors else size / max(out, 1)
        if corners:
            step = (size - 1) / (out - 1) if out > 1 else 0
        # Paddle takes the first element for a size of 1.
        steps.append((i + 2, out, np.float32(step if out > 1 else 0)))
    return steps


def nearest(x: Any, shape: Any, scales: Any, align: Any) -> Any:
    """The element at or before the position; the nearest one with align_corners."""
    for axis, out, step in _steps(x, shape, scales, bool(align[0])):
        position = np.arange(out) * step + (0.5 if align[0] else 0)
        x = np.take(x, np.minimum(np.floor(position).astype(int), x.shape[axis] - 1), axis)
    return x


def linear(x: Any, shape: Any, scales: Any, align: Any, mode: Any) -> Any:
    """Between two neighbours on each axis."""
    out, half = x.astype(np.float64), not align[0] and mode[0] == 0
    for axis, length, step in _steps(x, shape, scales, bool(align[0])):
        size = out.shape[axis]
        position = (np.arange(length) + 0.5) * step - 0.5 if half else np.arange(length) * step
        position = np.maximum(position, 0).astype(np.float32)
        low = np.minimum(np.floor(position).astype(int), size - 1)
        weight = (position - low).reshape([-1] + [1] * (out.ndim - axis - 1))
        above = np.take(out, np.minimum(low + 1, size - 1), axis)
        out = np.take(out, low, axis) * (1 - weight) + above * weight
    return out.astype(x.dtype)


def _fold(position: Any, size: int, pad: int, corners: bool) -> Any:
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


def _pick(x: Any, rows: Any, columns: Any) -> Any:
    """x[n, :, rows[n], columns[n]], zero outside."""
    h, w = x.shape[2:]
    inside = (rows >= 0) & (rows < h) & (columns >= 0) & (columns < w)
    r, q = np.clip(rows, 0, h - 1).astype(int), np.clip(columns, 0, w - 1).astype(int)
    return np.stack([image[:, r[n], q[n]] for n, image in enumerate(x)]) * inside[:, None]


def bilinear(x: Any, rows: Any, columns: Any) -> Any:
    """Values of [N, C, H, W] at positions [N, ...]; zero outside."""
    top, left = np.floor(rows), np.floor(columns)
    down, right = (rows - top)[:, None], (columns - left)[:, None]
    upper = _pick(x, top, left) * (1 - right) + _pick(x, top, left + 1) * right
    lower = _pick(x, top + 1, left) * (1 - right) + _pick(x, top + 1, left + 1) * right
    return (upper * (1 - down) + lower * down).astype(x.dtype)


def grid_sample(x: Any, grid: Any, corners: Any, mode: Any, pad_mode: Any) -> Any:
    """At positions from -1 to 1, given as (x, y)."""
    aligned, pad = bool(corners[0]), int(pad_mode[0])
    positions: list[Any] = []
    for axis, size in ((0, x.shape[3]), (1, x.shape[2])):
        p = grid[..., axis].astype(np.float32)
        p = (p + 1) / 2 * (size - 1) if aligned else ((p + 1) * size - 1) / 2
        positions.append(_fold(p, size, pad, aligned))
    if mode[0] == InterpolateMode.NEAREST:
        return _pick(x, np.rint(positions[1]), np.rint(positions[0])).astype(x.dtype)
    return bilinear(x, positions[1], positions[0])


def deformable(
    x: Any, offset: Any, mask: Any, w: Any, bias: Any, pads: Any, strides: Any, group: Any,
    parts: Any, dilations: Any, code: Any,
) -> Any:  # fmt: skip
    """A convolution whose windows read at positions that `offset` moves and `mask` weighs."""
    kh, kw = w.shape[2:]
    win, count = image_window(x, (kh, kw), [0], pads, strides, dilations), int(parts[0])
    (n, channels), (height, width) = x.shape[:2], offset.shape[2:]
    moves = offset.reshape(n, count, kh * kw, 2, height, width)
    weights = None if mask is None else mask.reshape(n, count, kh * kw, height, width)
    rows = np.arange(height)[:, None] * win.strides[0] - win.pads[0][0]
    columns = np.arange(width) * win.strides[1] - win.pads[1][0]
    seen = np.empty((n, channels, height, width, kh, kw), x.dtype)
    for part, images in enumerate(np.split(x, count, 1)):
        taken = slice(part * (channels // count), (part + 1) * (channels // count))
        for k in range(kh * kw):
            r = rows + (k // kw) * win.dilations[0] + moves[:, part, k, 0]
            q = columns + (k % kw) * win.dilations[1] + moves[:, part, k, 1]
            value = bilinear(images, r, q)
            if weights is not None:
                value = value * weights[:, part, k][:, None]
            seen[:, taken, ..., k // kw, k % kw] = value
    return finished(apply_filter(seen, w, group), bias, code, x.dtype)


def roi_align(
    x: Any, rois: Any, images: Any, height: Any, width: Any, ratio: Any, scale: Any, aligned: Any
) -> Any:
    """Means of bilinear samples in the cells of each region."""
    out_h, out_w, (high, wide) = int(height[0]), int(width[0]), x.shape[2:]
    result = np.zeros((len(rois), x.shape[1], out_h, out_w), x.dtype)
    for i, roi in enumerate(rois.astype(np.float32)):
        left, top, right, bottom = roi * np.float32(scale[0]) - np.float32(bool(aligned[0]) / 2)
        sides = [bottom - top, right - left]
        if not aligned[0]:
            sides = [max(side, np.float32(1)) for side in sides]
        rows = _samples(top, sides[0], out_h, int(ratio[0]))
        columns = _samples(left, sides[1], out_w, int(ratio[0]))
        if not rows.size or not columns.size:
            continue
        r, q = np.broadcast_arrays(rows.reshape(-1, 1), columns.reshape(1, -1))
        inside = (r >= -1) & (r <= high) & (q >= -1) & (q <= wide)
        at = (np.clip(r, 0, high - 1)[None], np.clip(q, 0, wide - 1)[None])
        values = bilinear(x[images.reshape(-1)[i]][None], *at)[0] * inside
        cells = values.reshape(-1, out_h, rows.shape[1], out_w, columns.shape[1])
        result[i] = cells.mean((2, 4))
    return result


def _samples(begin: Any, extent: Any, cells: int, ratio: int) -> Any:
    """[cells, samples]: positions along one axis."""
    count = ratio if ratio > 0 else math.ceil(extent / cells)
    size = extent / cells
    steps = (np.arange(max(count, 0)) + 0.5) * size / max(count, 1)
    return (begin + np.arange(cells)[:, None] * size + steps).astype(np.float32)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "RESIZE_NEAREST": nearest,
    "RESIZE_LINEAR": linear,
    "GRID_SAMPLE": grid_sample,
    "DEFORMABLE_CONV_2D": deformable,
    "ROI_ALIGN": roi_align,
}
