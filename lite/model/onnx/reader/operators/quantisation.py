"""Quantised operators: on numbers that are rounded where the model rounds them, so that products
of 8 bits run in integers; else on the integers' values, exact in float32 up to 2^24."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.matrix import gemm as float_gemm
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


def _aligned(b: Builder, x: Tensor, like: Tensor, axis: int, block: int = 0) -> Tensor:
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
    scale = _aligned(b, b.cast(scale, DataType.FP32), x, axis, block)
    made = b.emit("rint", {"x": b.binary("elementwise_div", x, scale)})
    if zero is not None:
        moved = _aligned(b, b.cast(zero, DataType.FP32), x, axis, block)
        made = b.binary("elementwise_add", made, moved)
    if bits in (2, 4):
        half = 1 << (bits - 1)
        low, high = (-half, half - 1) if dtype is DataType.INT8 else (0, 2 * half - 1)
    held = b.emit("clip", {"X": made}, min=float(low), max=float(high))
    made = b.cast(b.cast(held, DataType.INT32), dtype)
    made.bits, made.rounded = bits, how
    made.shape = x.shape
    return made


def _values(b: Builder, x: Tensor, zero: Tensor | None, axis: int, block: int = 0) -> Tensor:
    """The integers less their zero point, as float32."""
    made = b.cast(x, DataType.FP32)
    if zero is None:
        return made
    if zero.array is not None and not zero.array.any():
        return made
    moved = _aligned(b, b.cast(zero, DataType.FP32), x, axis, block)
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
    steps = _values(b, x, zero, axis, block)
    factor = _aligned(b, b.cast(scale, DataType.FP32), x, axis, block)
    made = b.binary("elementwise_mul", steps, factor)
    made.shape = x.shape
    if steps.array is not None and not block:
        remember_integers(made, steps.array)
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
    x, y = _values(b, A, a_zero_point, -2), _values(b, B, b_zero_point, -1)
    made = float_matmul(b, call, b.cast(x, DataType.FP64), b.cast(y, DataType.FP64))
    return b.cast(made, DataType.INT32)


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
    values = _values(b, weight, zero, -1).array
    if values is None or values.size == 0 or np.abs(values).max() > 255:
        return None
    # What is beyond 8 bits is moved to where it is not, and the rest is that times x's own sums.
    move = np.maximum(values.max(0) - 127, 0) + np.minimum(values.min(0) + 128, 0)
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
    made = float_matmul(b, call, _values(b, a, a_zero_point, -2), _values(b, b_, b_zero_point, -1))
    for scale, axis in ((a_scale, -2), (b_scale, -1)):
        wide = _aligned(b, b.cast(scale, DataType.FP32), made, axis)
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
    point, numbers_of_x = y_zero_point, rounded_numbers(b, x, x_scale, x_zero_point)
    if numbers_of_x is not None and w.known:
        weight = numbers(b, w, w_scale, w_zero_point)
        bias = None if B is None else _biases(b, B, x_scale, w_scale)
        made = float_conv(b, call, numbers_of_x, weight, bias, **window)
        return stepped(b, made, y_scale, point, point.dtype, point.bits, 1)
    made = float_conv(
        b, call, _values(b, x, x_zero_point, 1), _values(b, w, w_zero_point, 0), None, **window
    )
    if B is not None:
        bias = b.cast(B, DataType.FP32)
        made = b.emit("elementwise_add", {"X": made, "Y": bias}, axis=1)
    for scale in (x_scale, w_scale):
        made = b.binary("elementwise_mul", made, _aligned(b, scale, made, 1))
    return stepped(b, made, y_scale, point, point.dtype, point.bits, 1)


def _biases(b: Builder, steps: Tensor, x_scale: Tensor, w_scale: Tensor) -> Tensor:
    """A bias in steps of both scales, one for each channel."""
    step = b.binary("elementwise_mul", x_scale, b.flat(w_scale))
    return b.binary("elementwise_mul", b.cast(steps, DataType.FP32), step)


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
    x = numbers(b, A, A_scale, A_zero_point)
    y = numbers(b, B, B_scale, B_zero_point)
    made = b.binary(type, x, y)
    dtype = A.dtype if C_zero_point is None else C_zero_point.dtype
    return stepped(b, made, C_scale, C_zero_point, dtype, 0, 0)


@adapter
def quantised_concat(b: Builder, call: Call, inputs: list[Tensor], axis: int) -> Tensor:
    """Quantised tensors as one, with a scale of its own."""
    scale, zero, *rest = inputs
    triples = zip(*(rest[i::3] for i in range(3)), strict=True)
    parts = [numbers(b, x, factor, point) for x, factor, point in triples]
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
    x = numbers(b, X, X_scale, X_zero_point)
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
    left = rounded_numbers(b, A, a_scale, a_zero_point)
    if left is not None and B.known and not transA and alpha == 1:
        right = numbers(b, B, b_scale, b_zero_point, 0 if transB else 1)
        bias = None if C is None else _biases(b, C, a_scale, b_scale)
        made = float_gemm(b, call, left, right, bias, 1.0, 1.0, 0, transB)
        return _quantised_gemm_result(b, made, A, y_scale, y_zero_point)
    x, y = _values(b, A, a_zero_point, 0), _values(b, B, b_zero_point, 0 if transB else 1)
    attrs = {"trans_x": bool(transA), "trans_y": bool(transB)}
    made = b.emit("matmul_v2", {"X": x, "Y": y}, **attrs)
    if C is not None:
        made = b.binary("elementwise_add", made, b.cast(C, DataType.FP32))
    for scale in (a_scale, b_scale):
        made = b.binary("elementwise_mul", made, _aligned(b, scale, made, 1))
    made = b.emit("scale", {"X": made}, scale=alpha) if alpha != 1 else made
    return _quantised_gemm_result(b, made, A, y_scale, y_zero_point)


def _quantised_gemm_result(
    b: Builder, made: Tensor, like: Tensor, scale: Tensor | None, zero: Tensor | None
) -> Tensor:
    """Real numbers where there is no scale."""
    if scale is None:
        return made
    return stepped(b, made, scale, zero, like.dtype if zero is None else zero.dtype, 0, 1)


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
    """A product with weights of 4 or 8 bits that share their scales in blocks."""
    if bits not in (4, 8):
        raise CannotRead(f"weights of {bits} bits")
    blocks = -(-K // block_size)
    size = block_size * bits // 8
    scale = b.cast(b.reshape(scales, [N, blocks]), DataType.FP32)
    zeros = _zero_points(b, zero_points, N, blocks, bits)
    if g_idx is not None or (zeros is not None and zeros.dtype is not DataType.UINT8):
        weight = _widened_blocks(B, scale, zeros, g_idx, (K, N, blocks, bits))
        made = float_matmul(b, call, b.cast(A, DataType.FP32), b.constant(weight))
        return made if bias is None else b.binary("elementwise_add", made, bias)
    inputs = {
        "X": b.cast(A, DataType.FP32),
        "Y": b.reshape(B, [N, blocks, size]),
        "Scales": b.transpose(scale, [1, 0]),
    }
    if zeros is not None:
        inputs["ZeroPoints"] = b.transpose(zeros, [1, 0])
    if bias is not None:
        inputs["Bias"] = b.cast(bias, DataType.FP32)
    return b.emit("matmul_nbits", inputs, bits=bits, block_size=block_size)


def _zero_points(
    b: Builder, zeros: Tensor | None, rows: int, blocks: int, bits: int
) -> Tensor | None:
    """[rows, blocks], a byte each, or the real numbers that they are."""
    if zeros is None or zeros.dtype in (DataType.FP32, DataType.FP16):
        return zeros if zeros is None else b.reshape(zeros, [rows, blocks])
    if bits == 8:
        return b.reshape(zeros, [rows, blocks])
    return b.slice(_nibbles(b, b.reshape(zeros, [rows, -1])), 1, 0, blocks)


def _nibbles(b: Builder, x: Tensor) -> Tensor:
    """Bytes [..., n] as their lower and upper halves [..., 2 n]."""
    wide = b.cast(x, DataType.INT32)
    upper = b.binary("elementwise_floordiv", wide, b.like(16, wide))
    lower = b.binary("elementwise_mod", wide, b.like(16, wide))
    both = b.emit("stack", {"X": [lower, upper]}, axis=x.rank)
    return b.cast(b.reshape(both, [0] * (x.rank - 1) + [-1]), DataType.UINT8)


def _widened_blocks(
    B: Tensor, scale: Tensor, zeros: Tensor | None, groups: Tensor | None, sizes: tuple[int, ...]
) -> np.ndarray[Any, Any]:
    """The real numbers [K, N] of weights in blocks, whose rows ``groups`` may put in others."""
    K, N, blocks, bits = sizes
    known = [None if x is None else x.array for x in (B, scale, zeros, groups)]
    if any(x is not None and x.array is None for x in (B, scale, zeros, groups)):
        raise CannotRead("weights that are computed, in another order or with real zero points")
    packed = np.asarray(known[0]).reshape(N, -1).astype(np.uint8)
    values = packed if bits == 8 else np.stack([packed & 15, packed >> 4], -1).reshape(N, -1)
    of_row = np.arange(K) // (values.shape[1] // blocks)
    if known[3] is not None:
        of_row = np.asarray(known[3]).reshape(-1)[:K]
        if of_row.size < K or (of_row < 0).any() or (of_row >= blocks).any():
            raise CannotRead(f"g_idx, expected {K} numbers below {blocks}")
    middle: Any = np.float32(1 << (bits - 1))
    if known[2] is not None:
        middle = np.asarray(known[2], np.float32)[:, of_row]
    whole = (values[:, :K].astype(np.float32) - middle) * np.asarray(known[1])[:, of_row]
    return np.ascontiguousarray(whole.T, np.float32)


@adapter
def gather_block_quantised(
    b: Builder,
    call: Call,
    data: Tensor,
    indices: Tensor,
    scales: Tensor,
    zero_points: Tensor | None,
    gather_axis: int,
    quantize_axis: int,
    block_size: int,
    bits: int,
) -> Tensor:
    """Rows of a table in blocks of 4 or 8 bits, as the real numbers that they stand for."""
    rank = data.rank
    if gather_axis % rank or quantize_axis % rank != rank - 1 or rank != 2:
        raise CannotRead("another axis than a table's rows, or scales along another than the last")
    whole = data.dtype is not DataType.UINT8 or data.bits == 4  # an integer each
    if bits not in (4, 8):
        raise CannotRead(f"integers of {bits} bits")

    def rows(table: Tensor) -> Tensor:
        flat = b.cast(b.flat(indices), DataType.INT64)
        return b.emit("gather", {"X": table, "Index": flat}, axis=0)

    def halves(x: Tensor) -> Tensor:
        return x if whole or bits == 8 else _nibbles(b, x)

    values = b.cast(halves(rows(data)), DataType.FP32)
    scale = b.cast(rows(scales), DataType.FP32)
    parts = b.reshape(values, [0, -1, block_size])
    if zero_points is not None:
        blocks = scales.shape[1] if scales.shape is not None else None
        if blocks is None:
            raise CannotRead("a number of blocks that is not known")
        zero = b.slice(halves(rows(zero_points)), 1, 0, blocks)
        zero = b.unsqueeze(b.cast(zero, DataType.FP32), [2])
        parts = b.binary("elementwise_sub", parts, zero)
    elif not whole:
        parts = b.binary("elementwise_sub", parts, b.like(1 << (bits - 1), parts))
    made = b.binary("elementwise_mul", parts, b.unsqueeze(scale, [2]))
    width = data.shape[1] if data.shape is not None else None
    sizes = [b.shape_of(indices), b.ints([-1])]
    if width is not None:
        sizes[1] = b.ints([width * 2 if not whole and bits == 4 else width])
    return b.emit("reshape2", {"X": made, "Shape": b.int32(b.concat(sizes, 0))})
