"""Quantised operators: on numbers that are rounded where the model rounds them, so that products
of 8 bits run in integers; else on the integers' values, exact in float32 up to 2^24."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.core.optimizer.quantization.weights import beyond_bytes
from lite.model.onnx.reader.blocks import remember_blocks
from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.matrix import matmul as float_matmul
from lite.model.onnx.reader.operators.windows import conv as float_conv
from lite.model.onnx.reader.rounding import (
    numbers_of,
    remember_integers,
    rounded_numbers,
    rounding,
)
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Rounded, Tensor, limited
from lite.model.program import DataType

_BOUNDS = {
    DataType.INT8: (-128, 127),
    DataType.UINT8: (0, 255),
    DataType.INT16: (-32768, 32767),
}


def aligned(b: Builder, x: Tensor, like: Tensor, axis: int, block: int = 0) -> Tensor:
    """A scale or zero point, one or a list along an axis, so that it broadcasts; or one for each
    block of so many elements of the axis."""
    if block:
        size = like.shape[axis] if like.shape is not None else None
        if size is None:
            raise CannotRead(f"blocks of {block} along an axis of unknown size")
        whole = b.emit("repeat_interleave", {"X": x}, Repeats=limited(block), dim=axis % like.rank)
        return b.slice(whole, axis % like.rank, 0, size) if size % block else whole
    if x.rank == 0 or (x.rank == 1 and x.shape == (1,)):
        return b.reshape(x, [1]) if x.rank else x
    if x.rank != 1:
        raise CannotRead(f"a scale of {x.rank} dimensions")
    axis %= max(like.rank, 1)
    return b.reshape(x, [-1 if i == axis else 1 for i in range(like.rank)])


def stepped(
    b: Builder,
    x: Tensor,
    scale: Tensor,
    zero: Tensor | None,
    dtype: DataType,
    bits: int,
    axis: int,
    block: int = 0,
) -> Tensor:
    """x / scale rounded to even, moved by the zero point, and held within the type."""
    low, high = (0, (1 << bits) - 1) if bits == 16 else _BOUNDS[dtype]
    x = b.cast(x, DataType.FP32)
    how = None if bits in (2, 4) else rounding(b, x, scale, zero, (low, high))
    scale = aligned(b, b.cast(scale, DataType.FP32), x, axis, block)
    made = b.emit("rint", {"x": b.binary("elementwise_div", x, scale)})
    if zero is not None:
        moved = aligned(b, b.cast(zero, DataType.FP32), x, axis, block)
        made = b.binary("elementwise_add", made, moved)
    if bits in (2, 4):
        half = 1 << (bits - 1)
        low, high = (-half, half - 1) if dtype is DataType.INT8 else (0, 2 * half - 1)
    held = b.emit("clip", {"X": made}, min=float(low), max=float(high))
    made = b.cast(b.cast(held, DataType.INT32), dtype)
    made.bits, made.rounded = bits, how
    made.shape = x.shape
    return made


def steps_of(b: Builder, x: Tensor, zero: Tensor | None, axis: int, block: int = 0) -> Tensor:
    """The integers less their zero point, as float32."""
    made = b.cast(x, DataType.FP32)
    if zero is None:
        return made
    if zero.array is not None and not zero.array.any():
        return made
    moved = aligned(b, b.cast(zero, DataType.FP32), x, axis, block)
    return b.binary("elementwise_sub", made, moved)


@adapter
def quantize_linear(
    b: Builder,
    call: Call,
    x: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor | None,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    saturate: int = 1,
    precision: int = 0,
) -> Tensor:
    """Numbers to integers."""
    dtype, bits = DataType.UINT8, 0
    if y_zero_point is not None:
        dtype, bits = y_zero_point.dtype, y_zero_point.bits
    elif output_dtype:
        dtype, bits = held_type(output_dtype, "the result")
    if dtype not in _BOUNDS and bits != 16:
        raise CannotRead(f"a result of {dtype.name.lower()}")
    return stepped(b, x, y_scale, y_zero_point, dtype, bits, axis, block_size)


@adapter
def dequantize_linear(
    b: Builder,
    call: Call,
    x: Tensor,
    x_scale: Tensor,
    x_zero_point: Tensor | None,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Tensor:
    """Integers to numbers."""
    return numbers(b, x, x_scale, x_zero_point, axis, block_size)


def numbers(
    b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None, axis: int = 0, block: int = 0
) -> Tensor:
    """What integers stand for; their scales are one or lie along an axis."""
    made = rounded_numbers(b, x, scale, zero)
    if made is not None:
        return made
    steps = steps_of(b, x, zero, axis, block)
    factor = aligned(b, b.cast(scale, DataType.FP32), x, axis, block)
    made = b.binary("elementwise_mul", steps, factor)
    made.shape = x.shape
    if steps.array is not None and not block:
        remember_integers(made, steps.array)
    elif block:
        remember_blocks(made, x, scale, zero, axis, block)
    return made


@adapter
def dynamic_quantize(b: Builder, call: Call, x: Tensor) -> list[Tensor]:
    """Numbers to uint8, with a scale and zero point of what there is."""
    zero = b.like(0.0, x)
    low = b.binary("elementwise_min", b.reduce("min", x, None, False), zero)
    high = b.binary("elementwise_max", b.reduce("max", x, None, False), zero)
    span = b.binary("elementwise_sub", high, low)
    scale = b.binary("elementwise_div", span, b.like(255.0, span))  # as it rounds
    offset = b.binary("elementwise_div", b.emit("scale", {"X": low}, scale=-1.0), scale)
    held = b.emit("clip", {"X": offset}, min=0.0, max=255.0)
    point = b.cast(b.emit("rint", {"x": held}), DataType.UINT8)
    return [stepped(b, x, scale, point, DataType.UINT8, 0, 0), scale, point]


@adapter
def matmul_integer(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    a_zero_point: Tensor | None,
    b_zero_point: Tensor | None,
) -> Tensor:
    """A product of integers."""
    exact = _exact_product(b, call, A, B, a_zero_point, b_zero_point)
    if exact is not None:
        return exact
    x, y = steps_of(b, A, a_zero_point, -2), steps_of(b, B, b_zero_point, -1)
    # Sums of few products are whole in fp32, too.
    summands = (x.shape[-1] if x.shape else None) or 2**24
    wide = DataType.FP32 if summands * 255 * 255 < 2**24 else DataType.FP64
    return b.cast(float_matmul(b, call, b.cast(x, wide), b.cast(y, wide)), DataType.INT32)


def _exact_product(
    b: Builder, call: Call, x: Tensor, weight: Tensor, x_zero: Tensor | None, zero: Tensor | None
) -> Tensor | None:
    """A product with a constant of 8 bits, which the int8 kernels can compute; None for others.

    Floats hold the sums exactly as long as they are below 2^24: those of one part after another.
    """
    if x.dtype not in _BOUNDS or weight.array is None or weight.rank != 2 or x.known:
        return None
    if x_zero is not None and x_zero.shape not in ((), (1,)):
        return None
    values = steps_of(b, weight, zero, -1).array
    if values is None or values.size == 0 or np.abs(values).max() > 255:
        return None
    # What is beyond 8 bits is moved to where it is not, and the rest is that times x's own sums.
    move = beyond_bytes(values.min(0), values.max(0))
    values = values - move
    low, high = _BOUNDS[x.dtype]
    largest = float(np.abs(values).sum(0).max()) * max(-low, high)
    length = len(values) if largest < 2**24 else 2**24 // (256 * 128)
    wide, made = b.cast(x, DataType.FP32), None
    for start in range(0, len(values), length):
        part = wide if length == len(values) else b.slice(wide, x.rank - 1, start, start + length)
        part = numbers_of(b, Rounded(part, 1.0, 0, low, high), part)
        rows = b.constant(values[start : start + length])
        remember_integers(rows, values[start : start + length])
        sums = b.cast(float_matmul(b, call, part, rows), DataType.INT32)
        made = sums if made is None else b.binary("elementwise_add", made, sums)
    assert made is not None

    def times(factor: Tensor, columns: np.ndarray[Any, Any]) -> Tensor:
        return b.binary("elementwise_mul", factor, b.constant(columns.astype(np.int32)))

    if move.any():
        rows = b.cast(b.reduce("sum", b.cast(x, DataType.INT32), [-1], True), DataType.INT32)
        made = b.binary("elementwise_add", made, times(rows, move))
    if x_zero is None:
        return made
    columns = values.sum(0) + move * len(values)
    return b.binary("elementwise_sub", made, times(b.cast(x_zero, DataType.INT32), columns))


@adapter
def matmul_integer_to_float(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    a_scale: Tensor,
    b_scale: Tensor,
    a_zero_point: Tensor | None,
    b_zero_point: Tensor | None,
    bias: Tensor | None,
) -> Tensor:
    """A product of integers times what their steps are worth."""
    sums = b.cast(matmul_integer(b, call, A, B, a_zero_point, b_zero_point), DataType.FP32)
    made = b.binary("elementwise_mul", sums, b.binary("elementwise_mul", a_scale, b_scale))
    return made if bias is None else b.binary("elementwise_add", made, bias)


@adapter
def dynamic_quantize_matmul(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    b_scale: Tensor,
    b_zero_point: Tensor | None,
    bias: Tensor | None,
) -> Tensor:
    """The same of numbers, which are rounded by what there is."""
    steps, scale, zero = dynamic_quantize(b, call, A)
    return matmul_integer_to_float(b, call, steps, B, scale, b_scale, zero, b_zero_point, bias)


@adapter
def qlinear_matmul(
    b: Builder,
    call: Call,
    a: Tensor,
    a_scale: Tensor,
    a_zero_point: Tensor,
    b_: Tensor,
    b_scale: Tensor,
    b_zero_point: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor,
) -> Tensor:
    """A product of quantised matrices."""
    point = y_zero_point
    x = rounded_numbers(b, a, a_scale, a_zero_point)
    if x is not None and b_.known:
        made = float_matmul(b, call, x, numbers(b, b_, b_scale, b_zero_point, -1))
        return stepped(b, made, y_scale, point, point.dtype, point.bits, -2)
    made = float_matmul(
        b, call, steps_of(b, a, a_zero_point, -2), steps_of(b, b_, b_zero_point, -1)
    )
    for scale, axis in ((a_scale, -2), (b_scale, -1)):
        wide = aligned(b, b.cast(scale, DataType.FP32), made, axis)
        made = b.binary("elementwise_mul", made, wide)
    return stepped(b, made, y_scale, point, point.dtype, point.bits, -2)


@adapter
def conv_integer(
    b: Builder,
    call: Call,
    x: Tensor,
    w: Tensor,
    x_zero_point: Tensor | None,
    w_zero_point: Tensor | None,
    **window: Any,
) -> Tensor:
    """A convolution of integers; beyond 2^24 sums are as exact as those of floats."""
    values = steps_of(b, x, x_zero_point, 1), steps_of(b, w, w_zero_point, 0)
    sums = float_conv(b, call, *values, None, **window)
    return b.cast(b.emit("rint", {"x": sums}), DataType.INT32)


@adapter
def qlinear_conv(
    b: Builder,
    call: Call,
    x: Tensor,
    x_scale: Tensor,
    x_zero_point: Tensor,
    w: Tensor,
    w_scale: Tensor,
    w_zero_point: Tensor,
    y_scale: Tensor,
    y_zero_point: Tensor,
    B: Tensor | None,
    **window: Any,
) -> Tensor:
    """A convolution of quantised tensors; the bias is in steps of both scales."""
    point, numbers_of_x = y_zero_point, rounded_numbers(b, x, x_scale, x_zero_point)
    if numbers_of_x is not None and w.known:
        weight = numbers(b, w, w_scale, w_zero_point)
        bias = None if B is None else biases(b, B, x_scale, w_scale)
        made = float_conv(b, call, numbers_of_x, weight, bias, **window)
        return stepped(b, made, y_scale, point, point.dtype, point.bits, 1)
    made = float_conv(
        b, call, steps_of(b, x, x_zero_point, 1), steps_of(b, w, w_zero_point, 0), None, **window
    )
    if B is not None:
        bias = b.cast(B, DataType.FP32)
        made = b.emit("elementwise_add", {"X": made, "Y": bias}, axis=1)
    for scale in (x_scale, w_scale):
        made = b.binary("elementwise_mul", made, aligned(b, scale, made, 1))
    return stepped(b, made, y_scale, point, point.dtype, point.bits, 1)


def biases(b: Builder, steps: Tensor, x_scale: Tensor, w_scale: Tensor) -> Tensor:
    """A bias in steps of both scales, one for each channel."""
    step = b.binary("elementwise_mul", x_scale, b.flat(w_scale))
    return b.binary("elementwise_mul", b.cast(steps, DataType.FP32), step)
