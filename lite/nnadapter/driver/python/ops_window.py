"""Convolutions and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lite.nnadapter.driver.attributes import Window, window
from lite.nnadapter.driver.python.ops_elementwise import fused
from lite.nnadapter.driver.python.registry import Call, operation
from lite.nnadapter.model import Array


def _size(x: Array) -> tuple[int, int]:
    return int(x.shape[2]), int(x.shape[3])


def _kernel(filter: Array) -> tuple[int, int]:
    return int(filter.shape[2]), int(filter.shape[3])


def _padded(x: Array, pads: Any, value: Any = 0) -> Array:
    return np.pad(x, [(0, 0), (0, 0), *pads], constant_values=value)


def with_bias(c: Call, x: Array) -> Array:
    bias = c.get("bias")
    return x if bias is None else x + bias.reshape(-1, 1, 1)


def _columns(x: Array, win: Window, filter: Array) -> Array:
    """[N, C, H_out, W_out, kernel_h, kernel_w]: what each window sees."""
    covered = sliding_window_view(_padded(x, win.pads), (win.extent(0), win.extent(1)), axis=(2, 3))
    return covered[
        ..., :: win.strides[0], :: win.strides[1], :: win.dilations[0], :: win.dilations[1]
    ]


def apply_filter(columns: Array, filter: Array, group: int) -> Array:
    channels, out = columns.shape[1], filter.shape[0]
    if group == channels == out:
        return np.einsum("ncxyij,cij->ncxy", columns, filter[:, 0], optimize=True)
    parts = [
        np.tensordot(inputs, weights, ((1, 4, 5), (1, 2, 3)))
        for inputs, weights in zip(
            np.split(columns, group, 1), np.split(filter, group, 0), strict=True
        )
    ]
    return np.moveaxis(np.concatenate(parts, 3), 3, 1)


@operation("CONV_2D")
def conv_2d(c: Call) -> Array:
    """[N, C_in, H, W] with filter [C_out, C_in / group, h, w]."""
    x, filter = c["input"], c["filter"]
    win = window(c.op, _kernel(filter), _size(x))
    result = apply_filter(_columns(x, win, filter), filter, int(c.number("group", 1)))
    return fused(with_bias(c, result), c.number("fuse_code", 0))


@operation("CONV_2D_TRANSPOSE")
def conv_2d_transpose(c: Call) -> Array:
    """[N, C_in, H, W] with filter [C_in, C_out / group, h, w]: every element spreads its filter."""
    x, filter = c["input"], c["filter"]
    win = window(c.op, _kernel(filter), _size(x))
    group = int(c.number("group", 1))
    n, channels, h, w = x.shape
    whole = [(s - 1) * win.strides[i] + win.extent(i) for i, s in enumerate((h, w))]
    size = [s - sum(win.pads[i]) for i, s in enumerate(whole)]
    size = [s + extra for s, extra in zip(size, c.numbers("output_padding", (0, 0)), strict=True)]
    size = c.numbers("output_shape", size)
    canvas = [max(whole[i], size[i] + win.pads[i][0]) for i in range(2)]
    out = np.zeros((n, group * filter.shape[1], *canvas), x.dtype)
    spread = np.einsum(
        "ngcxy,gcoij->ngoijxy",
        x.reshape(n, group, channels // group, h, w),
        filter.reshape(group, channels // group, *filter.shape[1:]),
        optimize=True,
    ).reshape(n, out.shape[1], *_kernel(filter), h, w)
    for i in range(win.kernel[0]):
        for j in range(win.kernel[1]):
            top, left = i * win.dilations[0], j * win.dilations[1]
            out[
                :,
                :,
                top : top + h * win.strides[0] : win.strides[0],
                left : left + w * win.strides[1] : win.strides[1],
            ] += spread[:, :, i, j]
    top, left = win.pads[0][0], win.pads[1][0]
    cut = out[:, :, top : top + size[0], left : left + size[1]]
    return fused(with_bias(c, cut), c.number("fuse_code", 0))


def _pool_windows(c: Call, x: Array, outside: Any) -> tuple[Array, Window, tuple[int, int]]:
    """What each window sees; beyond the padded edge (ceil_mode) and in the padding, `outside`."""
    win = window(c.op, c.numbers("kernel_shape"), _size(x))
    ceil_mode = bool(c.number("ceil_mode", False))
    out = [win.out_size(s, i, ceil_mode) for i, s in enumerate(_size(x))]
    need = [(out[i] - 1) * win.strides[i] + win.kernel[i] for i in range(2)]
    pads = [
        (win.pads[i][0], max(win.pads[i][1], need[i] - size - win.pads[i][0]))
        for i, size in enumerate(_size(x))
    ]
    seen = sliding_window_view(_padded(x, pads, outside), win.kernel, axis=(2, 3))
    seen = seen[:, :, :: win.strides[0], :: win.strides[1]][:, :, : out[0], : out[1]]
    return seen, win, (out[0], out[1])


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Call) -> Array:
    """Padding counts where count_include_pad says so, what is beyond it never does."""
    x = c["input"]
    seen, win, out = _pool_windows(c, x, 0)
    include = bool(c.number("count_include_pad", False))
    counts = [_count(win, i, size, out[i], include) for i, size in enumerate(_size(x))]
    weights = np.maximum(np.outer(*counts), 1).astype(x.dtype)
    return fused(seen.sum((4, 5)) / weights, c.number("fuse_code", 0))


def _count(win: Window, axis: int, size: int, out: int, include: bool) -> Array:
    """How many elements of an axis each window divides by."""
    begin = np.arange(out) * win.strides[axis] - win.pads[axis][0]
    before, after = win.pads[axis] if include else (0, 0)
    covered = np.minimum(begin + win.kernel[axis], size + after) - np.maximum(begin, -before)
    return np.maximum(covered, 0)


@operation("MAX_POOL_2D")
def max_pool_2d(c: Call) -> tuple[Array, Array]:
    """And where each maximum stands: row times width plus column."""
    x = c["input"]
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    seen, win, out = _pool_windows(c, x, lowest)
    flat = seen.reshape(*seen.shape[:4], -1)
    best = flat.argmax(-1)
    value = np.take_along_axis(flat, best[..., None], -1)[..., 0]
    rows = best // win.kernel[1] + (np.arange(out[0]) * win.strides[0] - win.pads[0][0])[:, None]
    columns = best % win.kernel[1] + np.arange(out[1]) * win.strides[1] - win.pads[1][0]
    return fused(value, c.number("fuse_code", 0)), rows * x.shape[3] + columns


def _adaptive_bounds(size: int, out: int) -> list[tuple[int, int]]:
    return [(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


@operation("ADAPTIVE_AVERAGE_POOL_2D")
def adaptive_average_pool_2d(c: Call) -> Array:
    """Windows that share the input evenly."""
    x, (h, w) = c["input"], c.numbers("output_shape")
    rows = [x[:, :, a:b] for a, b in _adaptive_bounds(x.shape[2], h)]
    bounds = _adaptive_bounds(x.shape[3], w)
    return np.stack(
        [np.stack([row[..., a:b].mean((2, 3)) for a, b in bounds], -1) for row in rows], 2
    )


@operation("ADAPTIVE_MAX_POOL_2D")
def adaptive_max_pool_2d(c: Call) -> tuple[Array, Array]:
    """Windows that share the input evenly, and where the maxima stand."""
    x, (h, w) = c["input"], c.numbers("output_shape")
    value = np.empty((*x.shape[:2], h, w), x.dtype)
    place = np.empty(value.shape, np.int64)
    for i, (top, bottom) in enumerate(_adaptive_bounds(x.shape[2], h)):
        for j, (left, right) in enumerate(_adaptive_bounds(x.shape[3], w)):
            cell = x[:, :, top:bottom, left:right].reshape(*x.shape[:2], -1)
            best = cell.argmax(-1)
            value[:, :, i, j] = cell.max(-1)
            row, column = top + best // (right - left), left + best % (right - left)
            place[:, :, i, j] = row * x.shape[3] + column
    return value, place
