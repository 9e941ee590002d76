"""Convolutions, poolings and products of matrices, over windows of images."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lite.nnadapter.driver.attributes import Window, make_window

from .elementwise import fused
from .reduction import index_type


def image_window(
    x: Any, kernel: Any, auto_pad: Any, pads: Any, strides: Any, dilations: Any
) -> Window:
    """The window that slides over an image [N, C, H, W]."""
    given = (pads, strides, dilations)
    lists = ([] if values is None else [int(v) for v in values] for values in given)
    return make_window([int(k) for k in kernel], x.shape[2:], int(auto_pad[0]), *lists)


def _padded(x: Any, pads: Any, value: Any = 0) -> Any:
    return np.pad(x, [(0, 0), (0, 0), *pads], constant_values=value)


def finished(out: Any, bias: Any, code: Any, dtype: Any) -> Any:
    """With the bias and the activation that are asked for."""
    out = out if bias is None else out + bias.reshape(-1, 1, 1)
    return fused(out, code).astype(dtype)


def apply_filter(columns: Any, w: Any, group: Any) -> Any:
    """[N, C, H_out, W_out, h, w], what each window sees, with a filter, in float64."""
    parts = [
        np.tensordot(inputs.astype(np.float64), weights, ((1, 4, 5), (1, 2, 3)))
        for inputs, weights in zip(
            np.split(columns, int(group[0]), 1), np.split(w, int(group[0]), 0), strict=True
        )
    ]
    return np.moveaxis(np.concatenate(parts, 3), 3, 1)


def conv_2d(
    x: Any, w: Any, bias: Any, auto_pad: Any, pads: Any, strides: Any, group: Any, dilations: Any,
    code: Any,
) -> Any:  # fmt: skip
    """[N, C_in, H, W] with filter [C_out, C_in / group, h, w]."""
    win = image_window(x, w.shape[2:], auto_pad, pads, strides, dilations)
    covered = sliding_window_view(_padded(x, win.pads), (win.extent(0), win.extent(1)), axis=(2, 3))
    every = (slice(None, None, step) for step in (*win.strides, *win.dilations))
    at = (slice(None), slice(None), *every)
    return finished(apply_filter(covered[at], w, group), bias, code, x.dtype)


def conv_2d_transpose(
    x: Any, w: Any, bias: Any, auto_pad: Any, pads: Any, strides: Any, group: Any, dilations: Any,
    extra: Any, wanted: Any, code: Any,
) -> Any:  # fmt: skip
    """[N, C_in, H, W] with filter [C_in, C_out / group, h, w]: every element spreads its filter."""
    win, groups = image_window(x, w.shape[2:], auto_pad, pads, strides, dilations), int(group[0])
    n, channels, *spatial = x.shape
    whole = [(s - 1) * win.strides[i] + win.extent(i) for i, s in enumerate(spatial)]
    more = [0, 0] if extra is None or not len(extra) else [int(e) for e in extra]
    size = [s - sum(p) + e for s, p, e in zip(whole, win.pads, more, strict=True)]
    size = size if wanted is None or not len(wanted) else [int(s) for s in wanted]
    canvas = [max(whole[i], size[i] + win.pads[i][0]) for i in range(2)]
    out = np.zeros((n, groups * w.shape[1], *canvas))
    spread = np.einsum(
        "ngcxy,gcoij->ngoijxy",
        x.reshape(n, groups, channels // groups, *spatial).astype(np.float64),
        w.reshape(groups, channels // groups, *w.shape[1:]),
        optimize=True,
    ).reshape(n, out.shape[1], *win.kernel, *spatial)
    for i, j in np.ndindex(*win.kernel):
        at = [k * d for k, d in zip((i, j), win.dilations, strict=True)]
        rows, columns = (
            slice(at[axis], at[axis] + spatial[axis] * win.strides[axis], win.strides[axis])
            for axis in range(2)
        )
        out[:, :, rows, columns] += spread[:, :, i, j]
    (top, _), (left, _) = win.pads
    return finished(out[:, :, top : top + size[0], left : left + size[1]], bias, code, x.dtype)


def _pool_windows(x: Any, win: Window, ceil_mode: Any, outside: Any) -> Any:
    """What each window sees; beyond the padded edge (ceil_mode) and in the padding, `outside`."""
    sizes = x.shape[2:]
    out = [win.out_size(s, i, bool(ceil_mode[0])) for i, s in enumerate(sizes)]
    need = [(out[i] - 1) * win.strides[i] + win.kernel[i] for i in range(2)]
    pads = [
        (win.pads[i][0], max(win.pads[i][1], need[i] - size - win.pads[i][0]))
        for i, size in enumerate(sizes)
    ]
    seen = sliding_window_view(_padded(x, pads, outside), win.kernel, axis=(2, 3))
    return seen[:, :, :: win.strides[0], :: win.strides[1]][:, :, : out[0], : out[1]]


def _counted(win: Window, axis: int, size: int, out: int, include: bool) -> Any:
    """How many elements of an axis each window divides by."""
    begin = np.arange(out) * win.strides[axis] - win.pads[axis][0]
    before, after = win.pads[axis] if include else (0, 0)
    covered = np.minimum(begin + win.kernel[axis], size + after) - np.maximum(begin, -before)
    return np.maximum(covered, 0)


def average_pool(
    x: Any, auto_pad: Any, pads: Any, kernel: Any, strides: Any, ceil_mode: Any, counts: Any,
    code: Any,
) -> Any:  # fmt: skip
    """Padding counts where count_include_pad says so, what is beyond it never does."""
    win = image_window(x, kernel, auto_pad, pads, strides, None)
    seen = _pool_windows(x.astype(np.float64), win, ceil_mode, 0)
    sizes, include = zip(x.shape[2:], seen.shape[2:4], strict=True), bool(counts[0])
    divisors = [_counted(win, i, size, out, include) for i, (size, out) in enumerate(sizes)]
    return fused(seen.sum((4, 5)) / np.maximum(np.outer(*divisors), 1), code).astype(x.dtype)


def max_pool(
    x: Any, auto_pad: Any, pads: Any, kernel: Any, strides: Any, ceil_mode: Any, indices: Any,
    dtype: Any, code: Any,
) -> Any:  # fmt: skip
    """And where each maximum stands: row times width plus column."""
    win = image_window(x, kernel, auto_pad, pads, strides, None)
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    seen = _pool_windows(x, win, ceil_mode, lowest)
    flat = seen.reshape(*seen.shape[:4], -1)
    best = flat.argmax(-1)
    value = np.take_along_axis(flat, best[..., None], -1)[..., 0]
    starts = [np.arange(n) * win.strides[i] - win.pads[i][0] for i, n in enumerate(seen.shape[2:4])]
    rows = best // win.kernel[1] + starts[0][:, None]
    places = rows * x.shape[3] + best % win.kernel[1] + starts[1]
    return [fused(value, code), places.astype(index_type(dtype)) if indices[0] else None]


def _shares(size: int, out: int) -> list[slice]:
    return [slice(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def adaptive_average(x: Any, wanted: Any) -> Any:
    """Windows that share the input evenly."""
    rows, columns = (_shares(s, int(n)) for s, n in zip(x.shape[2:], wanted, strict=True))
    wide = x.astype(np.float64)
    cells = [[wide[:, :, r, c].mean((2, 3)) for c in columns] for r in rows]
    return np.moveaxis(np.array(cells), (0, 1), (2, 3)).astype(x.dtype)


def adaptive_max(x: Any, wanted: Any, return_indices: Any = None, dtype: Any = None) -> Any:
    """Windows that share the input evenly, and where the maxima stand."""
    rows, columns = (_shares(s, int(n)) for s, n in zip(x.shape[2:], wanted, strict=True))
    out = np.empty((*x.shape[:2], len(rows), len(columns)), x.dtype)
    indices = np.empty(out.shape, index_type(dtype))
    positions = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:])
    for i, j in np.ndindex(len(rows), len(columns)):
        cell = x[:, :, rows[i], columns[j]].reshape(*x.shape[:2], -1)
        out[:, :, i, j] = cell.max(2)
        indices[:, :, i, j] = positions[rows[i], columns[j]].ravel()[cell.argmax(2)]
    return [out, indices]


def mat_mul(x: Any, y: Any, transpose_x: Any, transpose_y: Any) -> Any:
    x = x.swapaxes(-1, -2) if transpose_x[0] and x.ndim > 1 else x
    y = y.swapaxes(-1, -2) if transpose_y[0] and y.ndim > 1 else y
    return np.matmul(x, y)


def fully_connected(x: Any, w: Any, bias: Any, code: Any) -> Any:
    out = x.reshape(-1, w.shape[1]) @ w.T
    return fused(out if bias is None else out + bias, code).astype(x.dtype)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "CONV_2D": conv_2d,
    "CONV_2D_TRANSPOSE": conv_2d_transpose,
    "AVERAGE_POOL_2D": average_pool,
    "MAX_POOL_2D": max_pool,
    "ADAPTIVE_AVERAGE_POOL_2D": adaptive_average,
    "ADAPTIVE_MAX_POOL_2D": adaptive_max,
    "MAT_MUL": mat_mul,
    "FULLY_CONNECTED": fully_connected,
}
