"""Convolutions, poolings and products of matrices: plain loops over windows of images."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .elementwise import fused


def pads_of(auto_pad: Any, pads: Any, sizes: Any, kernel: Any, strides: Any) -> Any:
    """[(before, after)] of height and width."""
    if auto_pad == 1:
        result = []
        for size, k, s in zip(sizes, kernel, strides, strict=True):
            total = max((math.ceil(size / s) - 1) * s + k - size, 0)
            result.append((total // 2, total - total // 2))
        return result
    if auto_pad == 2 or pads is None or len(pads) == 0:
        return [(0, 0), (0, 0)]
    return [(int(pads[0]), int(pads[1])), (int(pads[2]), int(pads[3]))]


def conv(
    x: Any,
    w: Any,
    bias: Any,
    auto_pad: Any,
    pads: Any,
    strides: Any,
    group: Any,
    dilations: Any,
    sample: Any = None,
) -> Any:
    """A convolution in float64; `sample(n, c, oy, ox, ky, kx)` replaces reading a padded image."""
    group = int(group[0])
    dilations = [1, 1] if int(auto_pad[0]) == 1 else [int(d) for d in dilations]
    (top, bottom), (left, right) = pads_of(
        int(auto_pad[0]), pads, x.shape[2:], w.shape[2:], [int(s) for s in strides]
    )
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (top, bottom), (left, right)])
    spans = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    height = (padded.shape[2] - spans[0]) // int(strides[0]) + 1
    width = (padded.shape[3] - spans[1]) // int(strides[1]) + 1
    out = np.zeros((len(x), len(w), height, width))
    per_group, channels = len(w) // group, w.shape[1]
    for oy, ox, ky, kx in itertools.product(
        range(height), range(width), range(w.shape[2]), range(w.shape[3])
    ):
        if sample is None:
            y, z = oy * strides[0] + ky * dilations[0], ox * strides[1] + kx * dilations[1]
            taps = padded[:, :, y, z]
        else:
            taps = sample(oy, ox, ky, kx)
        for m in range(len(w)):
            first = m // per_group * channels
            out[:, m, oy, ox] += taps[:, first : first + channels] @ w[m, :, ky, kx]
    return out if bias is None else out + np.reshape(bias, (1, -1, 1, 1))


def conv_transpose(
    x: Any, w: Any, bias: Any, pads: Any, strides: Any, group: Any, dilations: Any, extra: Any
) -> Any:
    """What each input element adds to the output, in float64. `pads` are pairs."""
    group = int(group[0])
    spans = [int(d) * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    full = [(n - 1) * int(s) + k for n, s, k in zip(x.shape[2:], strides, spans, strict=True)]
    (top, bottom), (left, right) = pads
    shape = [full[0] + max(extra[0], 0), full[1] + max(extra[1], 0)]
    out = np.zeros((len(x), w.shape[1] * group, *shape))
    channels = x.shape[1] // group
    for iy, ix, ky, kx in itertools.product(*map(range, (*x.shape[2:], *w.shape[2:]))):
        y, z = iy * strides[0] + ky * dilations[0], ix * strides[1] + kx * dilations[1]
        for g in range(group):
            taps = x[:, g * channels : (g + 1) * channels, iy, ix].astype(np.float64)
            added = taps @ w[g * channels : (g + 1) * channels, :, ky, kx]
            out[:, g * w.shape[1] : (g + 1) * w.shape[1], y, z] += added
    out = out[:, :, top : full[0] - bottom + extra[0], left : full[1] - right + extra[1]]
    return out if bias is None else out + np.reshape(bias, (1, -1, 1, 1))


def average_pool(
    x: Any,
    auto_pad: Any,
    pads: Any,
    kernel: Any,
    strides: Any,
    ceil_mode: Any,
    counts: Any,
    code: Any,
) -> Any:
    """A window is clipped at the padded edge; padding inside it counts if asked for."""
    kernel, strides = [int(k) for k in kernel], [int(s) for s in strides]
    (top, bottom), (left, right) = pads_of(int(auto_pad[0]), pads, x.shape[2:], kernel, strides)
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (top, bottom), (left, right)])
    inside = np.pad(np.ones(x.shape[2:]), [(top, bottom), (left, right)])
    rounded = math.ceil if ceil_mode[0] else math.floor
    height = rounded((padded.shape[2] - kernel[0]) / strides[0]) + 1
    width = rounded((padded.shape[3] - kernel[1]) / strides[1]) + 1
    out = np.zeros((*x.shape[:2], height, width))
    for oy, ox in itertools.product(range(height), range(width)):
        rows = slice(oy * strides[0], oy * strides[0] + kernel[0])
        columns = slice(ox * strides[1], ox * strides[1] + kernel[1])
        window = padded[:, :, rows, columns]
        count = window[0, 0].size if counts[0] else inside[rows, columns].sum()
        out[:, :, oy, ox] = window.sum((2, 3)) / count if count else 0
    return fused(out, code).astype(x.dtype)


def adaptive_windows(shape: Any, wanted: Any) -> Any:
    """((oy, ox), (rows, columns)) of an adaptive pooling."""
    for oy, ox in itertools.product(range(wanted[0]), range(wanted[1])):
        edges = [
            slice(math.floor(o * n / m), math.ceil((o + 1) * n / m))
            for o, n, m in zip((oy, ox), shape, wanted, strict=True)
        ]
        yield (oy, ox), edges


def between(plane: Any, y: Any, x: Any) -> Any:
    top, left, value = math.floor(y), math.floor(x), 0.0
    for i, j in [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]:
        if 0 <= i < plane.shape[0] and 0 <= j < plane.shape[1]:
            value += plane[i, j] * (1 - abs(y - i)) * (1 - abs(x - j))
    return value


def conv_2d(x: Any, w: Any, bias: Any, *window: Any) -> Any:
    """The last operand is the fuse code."""
    return fused(conv(x, w, bias, *window[:-1]), window[-1]).astype(x.dtype)


def conv_2d_transpose(
    x: Any,
    w: Any,
    bias: Any,
    auto_pad: Any,
    pads: Any,
    strides: Any,
    group: Any,
    dilations: Any,
    extra: Any,
    wanted: Any,
    code: Any,
) -> Any:
    same = int(auto_pad[0]) == 1
    dilations = [1, 1] if same else dilations
    pairs = pads_of(int(auto_pad[0]), pads, x.shape[2:], w.shape[2:], [int(s) for s in strides])
    extra = [0, 0] if extra is None or len(extra) == 0 else [int(e) for e in extra]
    if wanted is not None and len(wanted):
        spans = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
        least = [
            (n - 1) * s - sum(p) + k
            for n, s, p, k in zip(x.shape[2:], strides, pairs, spans, strict=True)
        ]
        extra = [int(a - b) for a, b in zip(wanted, least, strict=True)]
    out = conv_transpose(x, w, bias, pairs, strides, group, dilations, extra)
    return fused(out, code).astype(x.dtype)


def deformable(
    x: Any,
    offset: Any,
    mask: Any,
    w: Any,
    bias: Any,
    pads: Any,
    strides: Any,
    group: Any,
    parts: Any,
    dilations: Any,
    code: Any,
) -> Any:
    taps, per_part = w.shape[2] * w.shape[3], x.shape[1] // int(parts[0])
    top, left = (int(pads[0]), int(pads[2])) if pads is not None and len(pads) else (0, 0)

    def sample(oy: Any, ox: Any, ky: Any, kx: Any) -> Any:
        found = np.zeros(x.shape[:2])
        for n in range(x.shape[0]):
            for c in range(x.shape[1]):
                k = c // per_part * taps + ky * w.shape[3] + kx
                y = oy * strides[0] - top + ky * dilations[0] + offset[n, 2 * k, oy, ox]
                z = ox * strides[1] - left + kx * dilations[1] + offset[n, 2 * k + 1, oy, ox]
                scale = 1 if mask is None else mask[n, k, oy, ox]
                found[n, c] = between(x[n, c], y, z) * scale
        return found

    out = conv(x, w, bias, [0], pads, strides, group, dilations, sample)
    return fused(out, code).astype(x.dtype)


def adaptive_average(x: Any, wanted: Any) -> Any:
    out = np.zeros((*x.shape[:2], *wanted), x.dtype)
    for (oy, ox), (rows, columns) in adaptive_windows(x.shape[2:], wanted):
        out[:, :, oy, ox] = x[:, :, rows, columns].mean((2, 3))
    return out


def adaptive_max(x: Any, wanted: Any, return_indices: Any = None, dtype: Any = None) -> Any:
    out = np.zeros((*x.shape[:2], *wanted), x.dtype)
    indices = np.zeros(out.shape, np.int32 if dtype is not None and dtype[0] == 5 else np.int64)
    positions = np.arange(x.shape[2] * x.shape[3]).reshape(x.shape[2:])
    for (oy, ox), (rows, columns) in adaptive_windows(x.shape[2:], wanted):
        window = x[:, :, rows, columns].reshape(*x.shape[:2], -1)
        out[:, :, oy, ox] = window.max(2)
        indices[:, :, oy, ox] = positions[rows, columns].ravel()[window.argmax(2)]
    return [out, indices]


def mat_mul(x: Any, y: Any, transpose_x: Any, transpose_y: Any) -> Any:
    x = x.swapaxes(-1, -2) if transpose_x[0] and x.ndim > 1 else x
    y = y.swapaxes(-1, -2) if transpose_y[0] and y.ndim > 1 else y
    return np.matmul(x, y)


def fully_connected(x: Any, w: Any, bias: Any, code: Any) -> Any:
    out = x.reshape(-1, w.shape[1]) @ w.T
    out = out if bias is None else out + bias
    return fused(out, code).astype(x.dtype)


def windows(size: Any, kernel: Any, stride: Any, before: Any, after: Any, ceil: Any) -> Any:
    """The elements that each window covers."""
    room = size + before + after - kernel
    count = (-(-room // stride) if ceil else room // stride) + 1
    starts = [i * stride - before for i in range(count)]
    return [range(max(s, 0), min(s + kernel, size)) for s in starts]


def max_pool(
    x: Any,
    auto_pad: Any,
    pads: Any,
    kernel: Any,
    strides: Any,
    ceil: Any,
    indices: Any,
    dtype: Any,
    code: Any,
) -> Any:
    kernel, strides = [int(k) for k in kernel], [int(s) for s in strides]
    pairs = pads_of(int(auto_pad[0]), pads, x.shape[2:], kernel, strides)
    ranges = [
        windows(size, k, s, before, after, bool(ceil[0]))
        for size, k, s, (before, after) in zip(x.shape[2:], kernel, strides, pairs, strict=True)
    ]
    out = np.empty((*x.shape[:2], len(ranges[0]), len(ranges[1])), x.dtype)
    places = np.empty(out.shape, np.int32 if dtype[0] == 5 else np.int64)
    for n, c, i, j in itertools.product(*map(range, out.shape)):
        taken = [(x[n, c, a, b], a * x.shape[3] + b) for a in ranges[0][i] for b in ranges[1][j]]
        out[n, c, i, j], places[n, c, i, j] = max(taken, key=lambda t: (t[0], -t[1]))
    return [fused(out, code), places if indices[0] else None]


REFERENCES: dict[str, Callable[..., Any]] = {
    "CONV_2D": conv_2d,
    "CONV_2D_TRANSPOSE": conv_2d_transpose,
    "DEFORMABLE_CONV_2D": deformable,
    "AVERAGE_POOL_2D": average_pool,
    "MAX_POOL_2D": max_pool,
    "ADAPTIVE_AVERAGE_POOL_2D": adaptive_average,
    "ADAPTIVE_MAX_POOL_2D": adaptive_max,
    "MAT_MUL": mat_mul,
    "FULLY_CONNECTED": fully_connected,
}
