"""Quantised operators, computed on the integers' values: exact in float32 up to 2^24."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.matrix import matmul as float_matmul
from lite.model.onnx.reader.operators.windows import conv as float_conv
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_BOUNDS = {
    DataType.INT8: (-128, 127),
    DataType.UINT8: (0, 255),
    DataType.INT16: (-32768, 32767),
}


def _aligned(b: Builder, x: Tensor, like: Tensor, axis: int, block: int = 0) -> Tensor:
    """A scale or zero point, one or a list along an axis, so that it broadcasts."""
    if block:
        raise CannotRead(f"blocks of {block}")
    if x.rank == 0 or (x.rank == 1 and x.shape == (1,)):
        return b.reshape(x, [1]) if x.rank else x
    if x.rank != 1:
        raise CannotRead(f"a scale of {x.rank} dimensions")
    axis %= max(like.rank, 1)
    return b.reshape(x, [-1 if i == axis else 1 for i in range(like.rank)])


def stepped(
    b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None, dtype: DataType, bits: int, axis: int
) -> Tensor:
    """x / scale rounded to even, moved by the zero point, and held within the type."""
    scale = _aligned(b, b.cast(scale, DataType.FP32), x, axis)
    made = b.emit("rint", {"x": b.binary("elementwise_div", b.cast(x, DataType.FP32), scale)})
    if zero is not None:
        moved = _aligned(b, b.cast(zero, DataType.FP32), x, axis)
        made = b.binary("elementwise_add", made, moved)
    low, high = (0, (1 << bits) - 1) if bits == 16 else _BOUNDS[dtype]
    if bits in (2, 4):
        half = 1 << (bits - 1)
        low, high = (-half, half - 1) if dtype is DataType.INT8 else (0, 2 * half - 1)
    held = b.emit("clip", {"X": made}, min=float(low), max=float(high))
    made = b.cast(b.cast(held, DataType.INT32), dtype)
    made.bits = bits
    made.shape = x.shape
    return made


def _values(b: Builder, x: Tensor, zero: Tensor | None, axis: int) -> Tensor:
    """The integers less their zero point, as float32."""
    made = b.cast(x, DataType.FP32)
    if zero is None:
        return made
    if zero.array is not None and not zero.array.any():
        return made
    moved = _aligned(b, b.cast(zero, DataType.FP32), x, axis)
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
    if block_size:
        raise CannotRead(f"blocks of {block_size}")
    dtype, bits = DataType.UINT8, 0
    if y_zero_point is not None:
        dtype, bits = y_zero_point.dtype, y_zero_point.bits
    elif output_dtype:
        dtype, bits = held_type(output_dtype, "the result")
    if dtype not in _BOUNDS and bits != 16:
        raise CannotRead(f"a result of {dtype.name.lower()}")
    return stepped(b, x, y_scale, y_zero_point, dtype, bits, axis)


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
    if block_size:
        raise CannotRead(f"blocks of {block_size}")
    scale = _aligned(b, b.cast(x_scale, DataType.FP32), x, axis)
    made = b.binary("elementwise_mul", _values(b, x, x_zero_point, axis), scale)
    made.shape = x.shape
    return made


@adapter
def dynamic_quantize(b: Builder, call: Call, x: Tensor) -> list[Tensor]:
    """Numbers to uint8, with a scale and zero point of what there is."""
    zero = b.like(0.0, x)
    low = b.binary("elementwise_min", b.reduce("min", x, None, False), zero)
    high = b.binary("elementwise_max", b.reduce("max", x, None, False), zero)
    scale = b.emit("scale", {"X": b.binary("elementwise_sub", high, low)}, scale=1 / 255)
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
    x, y = _values(b, A, a_zero_point, -2), _values(b, B, b_zero_point, -1)
    made = float_matmul(b, call, b.cast(x, DataType.FP64), b.cast(y, DataType.FP64))
    return b.cast(made, DataType.INT32)


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
    made = float_matmul(b, call, _values(b, a, a_zero_point, -2), _values(b, b_, b_zero_point, -1))
    for scale, axis in ((a_scale, -2), (b_scale, -1)):
        wide = _aligned(b, b.cast(scale, DataType.FP32), made, axis)
        made = b.binary("elementwise_mul", made, wide)
    point = y_zero_point
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
    """A convolution of integers."""
    values = _values(b, x, x_zero_point, 1), _values(b, w, w_zero_point, 0)
    return b.cast(float_conv(b, call, *values, None, **window), DataType.INT32)


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
    made = float_conv(
        b, call, _values(b, x, x_zero_point, 1), _values(b, w, w_zero_point, 0), None, **window
    )
    if B is not None:
        bias = b.cast(B, DataType.FP32)
        made = b.emit("elementwise_add", {"X": made, "Y": bias}, axis=1)
    for scale in (x_scale, w_scale):
        made = b.binary("elementwise_mul", made, _aligned(b, scale, made, 1))
    return stepped(b, made, y_scale, y_zero_point, y_zero_point.dtype, y_zero_point.bits, 1)


def dequantised(b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None) -> Tensor:
    """The numbers that integers of one scale stand for."""
    return b.binary("elementwise_mul", _values(b, x, zero, 0), b.cast(scale, DataType.FP32))


@adapter
def quantised_elements(
    b: Builder,
    call: Call,
    A: Tensor,
    A_scale: Tensor,
    A_zero_point: Tensor | None,
    B: Tensor,
    B_scale: Tensor,
    B_zero_point: Tensor | None,
    C_scale: Tensor,
    C_zero_point: Tensor | None,
) -> Tensor:
    """Sums and products of quantised tensors, as ONNX Runtime's tools write them."""
    type = {"QLinearAdd": "elementwise_add", "QLinearMul": "elementwise_mul"}[call.node.type]
    x = dequantised(b, A, A_scale, A_zero_point)
    y = dequantised(b, B, B_scale, B_zero_point)
    made = b.binary(type, x, y)
    dtype = A.dtype if C_zero_point is None else C_zero_point.dtype
    return stepped(b, made, C_scale, C_zero_point, dtype, 0, 0)


@adapter
def quantised_concat(b: Builder, call: Call, inputs: list[Tensor], axis: int) -> Tensor:
    """Quantised tensors as one, with a scale of its own."""
    scale, zero, *rest = inputs
    parts = [dequantised(b, *rest[i : i + 3]) for i in range(0, len(rest), 3)]
    return stepped(b, b.concat(parts, axis), scale, zero, zero.dtype, 0, 0)


@adapter
def quantised_unary(
    b: Builder,
    call: Call,
    X: Tensor,
    X_scale: Tensor,
    X_zero_point: Tensor | None,
    Y_scale: Tensor,
    Y_zero_point: Tensor | None,
    **attrs: Any,
) -> Tensor:
    """Sigmoid, LeakyRelu and average pooling of quantised tensors."""
    x = dequantised(b, X, X_scale, X_zero_point)
    if call.node.type == "QLinearSigmoid":
        made = b.emit("sigmoid", {"X": x})
    elif call.node.type == "QLinearLeakyRelu":
        made = b.emit("leaky_relu", {"X": x}, alpha=attrs["alpha"])
    else:
        if attrs.get("channels_last"):
            raise CannotRead("channels_last")
        made = b.reduce("mean", x, range(2, x.rank), True)
    dtype = X.dtype if Y_zero_point is None else Y_zero_point.dtype
    return stepped(b, made, Y_scale, Y_zero_point, dtype, 0, 0)


@adapter
def quantised_gemm(
    b: Builder,
    call: Call,
    A: Tensor,
    a_scale: Tensor,
    a_zero_point: Tensor,
    B: Tensor,
    b_scale: Tensor,
    b_zero_point: Tensor,
    C: Tensor | None,
    y_scale: Tensor | None,
    y_zero_point: Tensor | None,
    alpha: float,
    transA: int,
    transB: int,
) -> Tensor:
    """alpha A B + C of quantised matrices; C is in steps of both scales."""
    x, y = _values(b, A, a_zero_point, 0), _values(b, B, b_zero_point, 0 if transB else 1)
    attrs = {"trans_x": bool(transA), "trans_y": bool(transB)}
    made = b.emit("matmul_v2", {"X": x, "Y": y}, **attrs)
    if C is not None:
        made = b.binary("elementwise_add", made, b.cast(C, DataType.FP32))
    for scale in (a_scale, b_scale):
        made = b.binary("elementwise_mul", made, _aligned(b, scale, made, 1))
    made = b.emit("scale", {"X": made}, scale=alpha) if alpha != 1 else made
    if y_scale is None:
        return made
    dtype = A.dtype if y_zero_point is None else y_zero_point.dtype
    return stepped(b, made, y_scale, y_zero_point, dtype, 0, 1)


@adapter
def matmul_nbits(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    scales: Tensor,
    zero_points: Tensor | None,
    g_idx: Tensor | None,
    bias: Tensor | None,
    K: int,
    N: int,
    bits: int,
    block_size: int,
    **others: Any,
) -> Tensor:
    """A product with weights in blocks of 4 or 8 bits, widened as the model is read."""
    if B.array is None or scales.array is None or g_idx is not None:
        raise CannotRead("weights that are computed, or in another order")
    if bits not in (4, 8) or (zero_points is not None and zero_points.array is None):
        raise CannotRead(f"weights of {bits} bits")
    blocks = -(-K // block_size)
    packed = B.array.reshape(N, blocks, -1).astype(np.uint8)
    values = packed if bits == 8 else np.stack([packed & 15, packed >> 4], -1)
    values = values.reshape(N, blocks, block_size).astype(np.float32)
    middle: Any = np.float32(1 << (bits - 1))
    if zero_points is not None:
        middle = _zero_points(zero_points.array, N, blocks, bits)
    whole = (values - middle) * scales.array.reshape(N, blocks, 1).astype(np.float32)
    weight = np.ascontiguousarray(whole.reshape(N, -1)[:, :K].T, np.float32)
    made = float_matmul(b, call, b.cast(A, DataType.FP32), b.constant(weight))
    return made if bias is None else b.binary("elementwise_add", made, bias)


def _zero_points(array: Any, rows: int, blocks: int, bits: int) -> Any:
    if array.dtype.kind == "f":
        return array.reshape(rows, blocks, 1).astype(np.float32)
    packed = array.reshape(rows, -1).astype(np.uint8)
    if bits == 4:
        packed = np.stack([packed & 15, packed >> 4], -1).reshape(rows, -1)[:, :blocks]
    return packed.reshape(rows, blocks, 1).astype(np.float32)
