"""Maxima, averages and norms of windows."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import END, FLOATS, Builder
from lite.model.onnx.reader.operators.shapes import counted, with_sizes
from lite.model.onnx.reader.operators.windows import Window
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor, limited
from lite.model.program import DataType


@adapter
def pool(
    b: Builder,
    call: Call,
    X: Tensor,
    kernel_shape: list[int],
    auto_pad: str,
    strides: Any,
    pads: Any,
    dilations: Any = None,
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    storage_order: int = 0,
    largest: bool = False,
) -> Tensor | list[Tensor]:
    """Maxima or averages of windows over one to three axes."""
    largest = largest or call.node.type == "MaxPool"
    spatial = len(kernel_shape)
    if not 1 <= spatial <= 3:
        raise CannotRead(f"windows over {spatial} axes")
    sizes = X.shape[2:] if X.shape is not None else None
    window = Window(kernel_shape, auto_pad, strides, dilations, pads, sizes)
    if ceil_mode and any(
        s > k - p
        for s, k, p in zip(window.strides, kernel_shape, window.pads[spatial:], strict=True)
    ):
        raise CannotRead("ceil_mode with windows that may begin beyond the input")
    x = X
    small = x.dtype in (DataType.INT8, DataType.UINT8)
    x = b.cast(x, DataType.FP32) if small else x
    if largest and call.wants(1):
        made, at = _with_positions(b, x, window, bool(ceil_mode), storage_order)
        return [b.cast(made, X.dtype), at]
    if any(dilation != 1 for dilation in window.dilations):
        made = _dilated(b, x, window, bool(ceil_mode), largest, bool(count_include_pad))
        return b.cast(made, X.dtype)
    if count_include_pad and not largest:
        x = _padded(b, x, window, bool(ceil_mode))
    if spatial == 1:
        x = b.unsqueeze(x, [3])
        window.widened()
    made = b.emit(
        "pool3d" if spatial == 3 else "pool2d",
        {"X": x},
        pooling_type="max" if largest else "avg",
        ksize=window.kernel,
        strides=window.strides,
        paddings=window.pairs,
        padding_algorithm=window.algorithm,
        ceil_mode=bool(ceil_mode),
        exclusive=not count_include_pad,
    )
    made = b.squeeze(made, [3]) if spatial == 1 else made
    return b.cast(made, X.dtype)


def _padded(b: Builder, x: Tensor, window: Window, ceil_mode: bool) -> Tensor:
    """The input with zeros around where Paddle would not count those at the end."""
    count = len(window.kernel)
    window.spelled_out(list(x.shape[2:] if x.shape is not None else [None] * count))
    if all(end <= begin for begin, end in zip(window.pads, window.pads[count:], strict=False)):
        return x
    if ceil_mode:
        raise CannotRead("count_include_pad and ceil_mode with more padding at the end")
    return _surrounded(b, x, window, 0.0)


def _surrounded(b: Builder, x: Tensor, window: Window, value: float) -> Tensor:
    """The input with its padding, which the window then has no more."""
    pairs, window.pads = window.pairs, [0] * len(window.pads)
    if not any(pairs):
        return x
    return b.emit("pad", {"X": x}, paddings=[0, 0, 0, 0, *pairs], pad_value=value)


def _dilated(
    b: Builder, x: Tensor, window: Window, ceil_mode: bool, largest: bool, count_padding: bool
) -> Tensor:
    """Windows with holes: what all windows have at one position is a slice with strides."""
    if window.algorithm != "EXPLICIT" or x.dtype not in FLOATS:
        raise CannotRead("dilations beside auto_pad and strides, or of integers")
    if ceil_mode:
        _up_to_the_last(x, window, largest or not count_padding)
    positions = limited(prod(k or 1 for k in window.kernel) * 64) // 64
    if positions > 1024:
        raise CannotRead(f"dilations of a window of {positions} elements")
    if largest:
        x = _surrounded(b, x, window, float(np.finfo(np.float32).min))
        return _combined(b, x, window, "elementwise_max")
    ones = None if count_padding else b.emit("fill_any_like", {"X": x}, value=1.0)
    pads = window.pads
    total = _combined(b, _surrounded(b, x, window, 0.0), window, "elementwise_add")
    if ones is None:
        return b.emit("scale", {"X": total}, scale=1 / positions)
    window.pads = pads
    count = _combined(b, _surrounded(b, ones, window, 0.0), window, "elementwise_add")
    return b.binary("elementwise_div", total, count)


def _combined(b: Builder, x: Tensor, window: Window, type: str) -> Tensor:
    axes = range(2, 2 + len(window.kernel))
    made: Tensor | None = None
    for place in product(*(range(k or 1) for k in window.kernel)):
        starts = [i * d for i, d in zip(place, window.dilations, strict=True)]
        rest = [
            d * ((k or 1) - 1 - i)
            for i, d, k in zip(place, window.dilations, window.kernel, strict=True)
        ]
        ends = [-n or END for n in rest]
        bounds: dict[str, Any] = {"starts": starts, "ends": ends, "strides": window.strides}
        part = b.emit("strided_slice", {"Input": x}, axes=axes, as_numpy=True, **bounds)
        made = part if made is None else b.binary(type, made, part)
    assert made is not None
    return made


def _up_to_the_last(x: Tensor, window: Window, free: bool) -> None:
    """More padding at the end, for the window that ceil_mode adds."""
    count = len(window.kernel)
    for i in range(count):
        size = x.shape[2 + i] if x.shape is not None else None
        if size is None or not free:
            raise CannotRead("dilations and ceil_mode where the size is not known")
        reach = ((window.kernel[i] or 1) - 1) * window.dilations[i] + 1
        left = (size + window.pads[i] + window.pads[i + count] - reach) % window.strides[i]
        if left:
            window.pads[i + count] += window.strides[i] - left


def _with_positions(
    b: Builder, x: Tensor, window: Window, ceil_mode: bool, storage_order: int
) -> tuple[Tensor, Tensor]:
    """The largest elements, and where they are in the whole tensor."""
    count = len(window.kernel)
    begins, ends = window.pads[:count], window.pads[count:]
    if (
        count > 2
        or window.algorithm != "EXPLICIT"
        or begins != ends
        or any(dilation != 1 for dilation in window.dilations)
    ):
        raise CannotRead("positions of the largest elements of such windows")
    sizes, kernel, strides = b.shape_of(x), list(window.kernel), list(window.strides)
    if count == 1:
        x = b.unsqueeze(x, [3])
        kernel, strides, begins = [*kernel, 1], [*strides, 1], [*begins, 0]
    made, at = b.emit_all(
        "max_pool2d_with_index",
        {"X": x},
        {"Out": 1, "Mask": 1},
        ksize=kernel,
        strides=strides,
        paddings=begins,
        ceil_mode=ceil_mode,
    )
    at = b.cast(at, DataType.INT64)
    if storage_order and count == 2:
        rows, columns = b.slice(sizes, 0, 2, 3), b.slice(sizes, 0, 3, 4)
        row = b.emit("elementwise_floordiv", {"X": at, "Y": columns})
        column = b.binary("elementwise_mul", b.binary("elementwise_mod", at, columns), rows)
        at = b.binary("elementwise_add", row, column)
    at = b.binary("elementwise_add", at, _plane_starts(b, sizes, count))
    if count == 1:
        made, at = b.squeeze(made, [3]), b.squeeze(at, [3])
    return made, at


def _plane_starts(b: Builder, sizes: Tensor, count: int) -> Tensor:
    """Where each picture and channel begins in the whole: [N, C, 1, 1]."""
    plane = b.reduce("prod", b.slice(sizes, 0, 2, 2 + count), [0], True)
    planes = b.reduce("prod", b.slice(sizes, 0, 0, 2), [0], True)
    starts = b.binary("elementwise_mul", counted(b, planes), plane)
    return with_sizes(b, starts, b.concat([b.slice(sizes, 0, 0, 2), b.ints([1, 1])], 0), 4)


@adapter
def max_unpool(
    b: Builder,
    call: Call,
    X: Tensor,
    I: Tensor,  # noqa: E741
    output_shape: Tensor | None,
    kernel_shape: list[int],
    pads: Any,
    strides: Any,
) -> Tensor:
    """Zeros with what MaxPool found at its positions."""
    window = Window(kernel_shape, "NOTSET", strides, None, pads)
    count = len(kernel_shape)
    if count != 2 or X.rank != 4 or output_shape is not None:
        raise CannotRead("windows over other than two axes, or a given output_shape")
    sizes = b.slice(b.shape_of(X), 0, 2)
    steps, kernel = b.ints(window.strides), b.ints(kernel_shape)
    reach = b.binary("elementwise_mul", b.binary("elementwise_sub", sizes, b.ints([1, 1])), steps)
    taken = b.ints([window.pads[i] + window.pads[i + count] for i in range(count)])
    wide = b.binary("elementwise_sub", b.binary("elementwise_add", reach, kernel), taken)
    plane = b.reduce("prod", wide, [0], True)
    outer = b.slice(b.shape_of(X), 0, 0, 2)
    flat = b.concat([outer, b.reduce("prod", sizes, [0], True)], 0)
    places = with_sizes(b, b.binary("elementwise_mod", I, plane), flat, 3)
    zeros = b.full(b.concat([outer, plane], 0), 0, X.dtype)
    inputs = {"Input": zeros, "Index": places, "Value": with_sizes(b, X, flat, 3)}
    made = b.emit("put_along_axis", inputs, Axis=2, Reduce="assign")
    return with_sizes(b, made, b.concat([outer, wide], 0), 4)


@adapter
def lp_pool(
    b: Builder,
    call: Call,
    X: Tensor,
    kernel_shape: list[int],
    p: int,
    ceil_mode: int = 0,
    **window: Any,
) -> Tensor:
    """A norm of each window: from the average of powers."""
    if ceil_mode or p < 1:
        raise CannotRead(f"ceil_mode {ceil_mode}, p {p}")
    powers = b.emit("pow", {"X": b.emit("abs", {"X": X})}, factor=float(p))
    made = pool(b, call, powers, kernel_shape, count_include_pad=1, **window)
    total = b.emit("scale", {"X": made}, scale=float(prod(kernel_shape)))
    return b.emit("pow", {"X": total}, factor=1 / p)


@adapter
def global_lp_pool(b: Builder, call: Call, X: Tensor, p: int) -> Tensor:
    """A norm of each channel."""
    if p < 1:
        raise CannotRead(f"p {p}")
    powers = b.emit("pow", {"X": b.emit("abs", {"X": X})}, factor=float(p))
    total = b.reduce("sum", powers, range(2, X.rank), True)
    return b.emit("pow", {"X": total}, factor=1 / p)


@adapter
def global_pool(b: Builder, call: Call, X: Tensor) -> Tensor:
    """The maximum or average of each channel."""
    largest = call.node.type == "GlobalMaxPool"
    if X.shape is not None and X.rank == 4:
        kind = "max" if largest else "avg"
        attrs: dict[str, Any] = {"pooling_type": kind, "ksize": [1, 1]}
        return b.emit("pool2d", {"X": X}, global_pooling=True, **attrs)
    return b.reduce("max" if largest else "mean", X, range(2, X.rank), True)
