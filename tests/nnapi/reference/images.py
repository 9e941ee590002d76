"""Operations on images: convolutions, poolings, sizes, regions. Computed as [N, H, W, C]."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from .common import Operation, activated, given_layout, rows_last

SAME = 1


def _padded_around(size: int, window: int, stride: int, scheme: int) -> tuple[int, int]:
    """Elements before and behind an axis under a padding scheme; the odd one behind."""
    if scheme != SAME:
        return 0, 0
    total = max((math.ceil(size / stride) - 1) * stride + window - size, 0)
    return total // 2, total - total // 2


def _explicit(rest: tuple[Any, ...], numbers: int) -> bool:
    """Whether the paddings are given: `numbers` integers more than with a scheme."""
    integers = len(list(itertools.takewhile(lambda n: not isinstance(n, bool), rest)))
    return integers >= numbers


class _Window:
    """Padding, strides and what follows, in the order in which operands name them."""

    def __init__(self, x: Any, rest: tuple[Any, ...], implicit: int) -> None:
        # `implicit`: how many integers there are with a scheme; three more are explicit.
        self.rest = list(rest)
        if _explicit(rest, implicit + 3):
            left, right, top, bottom = (self.rest.pop(0) for _ in range(4))
            self.pads: Any = ((top, bottom), (left, right))
            self.scheme = 0
        else:
            self.scheme, self.pads = self.rest.pop(0), None
        width, height = self.rest.pop(0), self.rest.pop(0)
        self.strides = (height, width)

    def values(self, count: int, *absent: Any) -> list[Any]:
        """What follows the strides, the last ones by default `absent`."""
        lacking = count - len(self.rest)
        return self.rest + list(absent[len(absent) - lacking :] if lacking else ())

    def around(self, sizes: Any, windows: Any) -> Any:
        if self.pads is not None:
            return self.pads
        return tuple(
            _padded_around(*of, self.scheme)
            for of in zip(sizes, windows, self.strides, strict=True)
        )


def _places(x: Any, window: _Window, spans: tuple[int, int], fill: float = 0) -> Any:
    """The padded images and the number of windows along each axis."""
    pads = window.around(x.shape[1:3], spans)
    padded = np.pad(x, ((0, 0), *pads, (0, 0)), constant_values=fill)
    counts = [
        (n - span) // stride + 1
        for n, span, stride in zip(padded.shape[1:3], spans, window.strides, strict=True)
    ]
    return padded, counts


def _convolve(x: Any, w: Any, b: Any, window: _Window, groups: int, dilations: Any) -> Any:
    """w is [C_out, kernel height, kernel width, C_in / groups]."""
    spans = tuple(d * (k - 1) + 1 for d, k in zip(dilations, w.shape[1:3], strict=True))
    padded, (rows, columns) = _places(x, window, spans)
    out = np.zeros((len(x), rows, columns, len(w)))
    per, inner = len(w) // groups, w.shape[3]
    for ky, kx in itertools.product(range(w.shape[1]), range(w.shape[2])):
        top, left = ky * dilations[0], kx * dilations[1]
        taps = padded[:, top:, left:][:, :: window.strides[0], :: window.strides[1]]
        taps = taps[:, :rows, :columns]
        for g in range(groups):
            part = taps[..., g * inner : (g + 1) * inner]
            out[..., g * per : (g + 1) * per] += part @ w[g * per : (g + 1) * per, ky, kx].T
    return out + b


def _conv_2d(x: Any, w: Any, b: Any, *rest: Any) -> Any:
    window = _Window(x, rest, 4)
    act, nchw, width, height = window.values(4, False, 1, 1)
    out = _convolve(rows_last(x, nchw), w, b, window, 1, (height, width))
    return given_layout(activated(out, act), nchw)


def _depthwise(x: Any, w: Any, b: Any, *rest: Any) -> Any:
    window = _Window(x, rest, 5)
    _, act, nchw, width, height = window.values(5, False, 1, 1)
    images = rows_last(x, nchw)
    filters = w.transpose(3, 1, 2, 0)
    out = _convolve(images, filters, b, window, images.shape[3], (height, width))
    return given_layout(activated(out, act), nchw)


def _grouped(x: Any, w: Any, b: Any, *rest: Any) -> Any:
    window = _Window(x, rest, 5)
    groups, act, nchw = window.rest
    out = _convolve(rows_last(x, nchw), w, b, window, groups, (1, 1))
    return given_layout(activated(out, act), nchw)


def _transposed(x: Any, w: Any, b: Any, *rest: Any) -> Any:
    act, nchw = rest[-2:]
    height, width = rest[-3], rest[-4]
    images = rows_last(x, nchw)
    kernel, strides = w.shape[1:3], (height, width)
    full = [(n - 1) * s + k for n, s, k in zip(images.shape[1:3], strides, kernel, strict=True)]
    if isinstance(rest[0], np.ndarray):
        wanted = rest[0][2:4] if nchw else rest[0][1:3]
        sizes = [int(n) for n in wanted]
        spare = [max(f - n, 0) if rest[1] == SAME else 0 for f, n in zip(full, sizes, strict=True)]
        before = [n // 2 for n in spare]
    else:
        left, right, top, bottom = rest[:4]
        before = [top, left]
        sizes = [full[0] - top - bottom, full[1] - left - right]
    out = np.zeros((len(x), max(full[0], before[0] + sizes[0]), max(full[1], before[1] + sizes[1]),
                    len(w)))  # fmt: skip
    for iy, ix in itertools.product(range(images.shape[1]), range(images.shape[2])):
        part = np.einsum("nc,oyxc->nyxo", images[:, iy, ix], w)
        top, left = iy * strides[0], ix * strides[1]
        out[:, top : top + kernel[0], left : left + kernel[1]] += part
    out = out[:, before[0] : before[0] + sizes[0], before[1] : before[1] + sizes[1]] + b
    return given_layout(activated(out, act), nchw)


def _pool(x: Any, rest: tuple[Any, ...], kind: str) -> Any:
    window = _Window(x, rest, 6)
    width, height, act, nchw = window.values(4, False)
    images = rows_last(x, nchw)
    fill = -np.inf if kind == "max" else np.nan
    padded, (rows, columns) = _places(images, window, (height, width), fill)
    out = np.zeros((len(images), rows, columns, images.shape[3]))
    for row, column in itertools.product(range(rows), range(columns)):
        top, left = row * window.strides[0], column * window.strides[1]
        part = padded[:, top : top + height, left : left + width]
        if kind == "max":
            out[:, row, column] = part.max((1, 2))
        elif kind == "average":
            out[:, row, column] = np.nanmean(part, (1, 2))
        else:
            out[:, row, column] = np.sqrt(np.nanmean(part * part, (1, 2)))
    return given_layout(activated(out, act), nchw)


def _sizes(images: Any, width: Any, height: Any) -> tuple[int, int]:
    """Floats are factors."""
    if isinstance(width, float):
        return int(images.shape[1] * height), int(images.shape[2] * width)
    return height, width


def _resize(x: Any, width: Any, height: Any, nchw: bool, corners: bool, centres: bool,
            nearest: bool) -> Any:  # fmt: skip
    images = rows_last(x, nchw)
    for axis, size in zip((1, 2), _sizes(images, width, height), strict=True):
        length = images.shape[axis]
        scale = (length - 1) / (size - 1) if corners and size > 1 else length / size
        at = np.arange(size, dtype=np.float64)
        at = (at + 0.5) * scale - (0 if nearest else 0.5) if centres else at * scale
        if nearest:
            index = np.floor(at + 0.5) if corners else np.floor(at)
            images = images.take(np.clip(index, 0, length - 1).astype(int), axis)
            continue
        at = np.maximum(at, 0)
        low = np.minimum(np.floor(at), length - 1).astype(int)
        high = np.minimum(low + 1, length - 1)
        part = (at - low).reshape([-1 if a == axis else 1 for a in range(4)])
        images = images.take(low, axis) * (1 - part) + images.take(high, axis) * part
    return given_layout(images, nchw)


def _resize_bilinear(
    x: Any, width: Any, height: Any, nchw: bool = False, corners: bool = False,
    centres: bool = False,
) -> Any:  # fmt: skip
    return _resize(x, width, height, nchw, corners, centres, nearest=False)


def _resize_nearest(
    x: Any, width: Any, height: Any, nchw: bool, corners: bool = False, centres: bool = False
) -> Any:
    return _resize(x, width, height, nchw, corners, centres, nearest=True)


def _instance_normalization(x: Any, gamma: float, beta: float, eps: float, nchw: bool) -> Any:
    images = rows_last(x, nchw)
    mean = images.mean((1, 2), keepdims=True)
    deviation = np.sqrt(images.var((1, 2), keepdims=True) + eps)
    return given_layout((images - mean) / deviation * gamma + beta, nchw)


def _between(image: Any, y: float, x: float) -> Any:
    """The value between four elements; zeros beyond one element outside."""
    height, width = image.shape[:2]
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(image.shape[2])
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    down, across = y - top, x - left
    return (
        image[top, left] * (1 - down) * (1 - across)
        + image[top, right] * (1 - down) * across
        + image[bottom, left] * down * (1 - across)
        + image[bottom, right] * down * across
    )


def _roi_align(
    x: Any, rois: Any, batch: Any, height: int, width: int, ratio_h: float, ratio_w: float,
    samples_h: int, samples_w: int, nchw: bool,
) -> Any:  # fmt: skip
    images = rows_last(x, nchw)
    out = np.zeros((len(rois), height, width, images.shape[3]))
    for r, (x1, y1, x2, y2) in enumerate(rois):
        x1, x2, y1, y2 = x1 / ratio_w, x2 / ratio_w, y1 / ratio_h, y2 / ratio_h
        step_y, step_x = max(y2 - y1, 1) / height, max(x2 - x1, 1) / width
        ny, nx = samples_h or math.ceil(step_y), samples_w or math.ceil(step_x)
        for i, j in itertools.product(range(height), range(width)):
            values = [
                _between(
                    images[int(batch[r])],
                    y1 + step_y * (i + (a + 0.5) / ny),
                    x1 + step_x * (j + (b + 0.5) / nx),
                )
                for a, b in itertools.product(range(ny), range(nx))
            ]
            out[r, i, j] = np.mean(values, 0)
    return given_layout(out, nchw)


OPERATIONS: dict[str, Operation] = {
    "CONV_2D": _conv_2d,
    "DEPTHWISE_CONV_2D": _depthwise,
    "GROUPED_CONV_2D": _grouped,
    "TRANSPOSE_CONV_2D": _transposed,
    "AVERAGE_POOL_2D": lambda x, *rest: _pool(x, rest, "average"),
    "MAX_POOL_2D": lambda x, *rest: _pool(x, rest, "max"),
    "L2_POOL_2D": lambda x, *rest: _pool(x, rest, "l2"),
    "RESIZE_BILINEAR": _resize_bilinear,
    "RESIZE_NEAREST_NEIGHBOR": _resize_nearest,
    "INSTANCE_NORMALIZATION": _instance_normalization,
    "ROI_ALIGN": _roi_align,
}
