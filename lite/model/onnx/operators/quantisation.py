"""Numbers rounded to a grid, kept in float32 as Paddle keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import clip, round_away, scaled
from lite.model.params import pack_nibbles


def _bound(bits: int) -> float:
    """The largest number of a grid of so many bits."""
    if not 2 <= bits <= 24:
        raise CannotExport(f"numbers of {bits} bits, expected 2 to 24")
    return float(2 ** (bits - 1) - 1)


def _rounded(op: Op, x: str) -> str:
    """By ``round_type``: 0 halves to even, 1 away from zero."""
    if int(op.attr("round_type", 1)) == 0:
        return str(op.node("Round", [x]))
    return round_away(op, x, np.float32)


def _steps(op: Op, x: str, scale: str, bound: float) -> str:
    """Which step of the grid; ``scale`` is the largest size there is."""
    known, divisor = op.array("InScale"), scale
    if known is None or (known <= 1e-30).any():  # Paddle divides by a little more than nothing
        tiny = op.node("LessOrEqual", [scale, op.const(np.float32(1e-30))])
        moved = op.node("Add", [scale, op.const(np.float32(1e-6))])
        divisor = op.node("Where", [tiny, moved, scale])
    factor = scaled(op, op.node("Reciprocal", [divisor]), bound)
    if int(op.attr("round_type", 1)) == 0:
        steps = _rounded(op, op.node("Mul", [x, factor]))
        return clip(op, steps, -bound - 1, bound)
    within = op.node("Max", [op.node("Min", [x, scale]), op.node("Neg", [scale])])
    return _rounded(op, op.node("Mul", [within, factor]))


def _channel(op: Op, name: str, axis: int, rank: int) -> str:
    return op.reshape(name, [-1 if i == axis else 1 for i in range(rank)])


def _largest(op: Op, axis: int | None) -> str:
    """The largest size of all elements, or of each channel."""
    size = op.node("Abs", [op["X"]])
    if axis is None:
        return op.reshape(op.reduce("Max", size, None), [1])
    others = [i for i in range(op.rank("X")) if i != axis]
    return op.reduce("Max", size, others, keep=False)


@operator(
    "fake_quantize_abs_max",
    "fake_quantize_dequantize_abs_max",
    "fake_channel_wise_quantize_abs_max",
    "fake_channel_wise_quantize_dequantize_abs_max",
)
def by_largest(op: Op) -> Any:
    """The scale is the largest size that there is."""
    axis = int(op.attr("quant_axis")) if "channel_wise" in op.type else None
    found = _largest(op, axis)
    rank, bound = op.rank("X"), _bound(int(op.attr("bit_length")))
    scale = found if axis is None else _channel(op, found, axis, rank)
    made = _steps(op, op["X"], scale, bound)
    if "dequantize" in op.type:
        made = scaled(op, op.node("Mul", [made, scale]), 1 / bound)
    return {"Out": made, "OutScale": found}


@operator(
    "fake_quantize_moving_average_abs_max",
    "fake_quantize_range_abs_max",
    "fake_quantize_dequantize_moving_average_abs_max",
)
def by_stored(op: Op) -> Any:
    """The scale was found in training."""
    scale, bound = op.flat(op["InScale"]), _bound(int(op.attr("bit_length")))
    made = _steps(op, op["X"], scale, bound)
    if "dequantize" in op.type:
        made = scaled(op, op.node("Mul", [made, scale]), 1 / bound)
    return {"Out": made, "OutScale": scale}


_BYTES: dict[tuple[int, int], Any] = {(0, 255): np.uint8, (-128, 127): np.int8}


@operator("fake_quantize_per_tensor_affine")
def affine(op: Op) -> Any:
    """Steps of a scale; those of 8 bits as ONNX quantises them."""
    scale, zero = np.float32(op.number("scale")), int(op.attr("zero_point"))
    low, high = int(op.attr("quant_min")), int(op.attr("quant_max"))
    dtype = _BYTES.get((low, high))
    if dtype is not None:
        grid = [op.const(scale), op.const(dtype(zero))]
        return op.node("DequantizeLinear", [op.node("QuantizeLinear", [op["X"], *grid]), *grid])
    steps = op.node("Round", [op.node("Div", [op["X"], op.const(scale)])])
    return op.node("Mul", [clip(op, steps, low - zero, high - zero), op.const(scale)])


@operator("fake_dequantize_max_abs")
def dequantize(op: Op) -> Any:
    """Times the scale, over the bound."""
    x = op.cast(op["X"], np.float32)
    made = op.node("Mul", [x, op.flat(op["Scale"])])
    return scaled(op, made, 1 / op.number("max_range"))


@operator("fake_channel_wise_dequantize_max_abs")
def dequantize_channels(op: Op) -> Any:
    """One scale for each channel, another for all in a second step."""
    bits, rank = op.integers("quant_bits"), op.rank("X")
    scales = op.names("Scales")
    bounds = [_bound(b) for b in bits]
    axis = int(op.attr("quant_axis"))
    if len(scales) > 1:
        axis = int(op.attr("x_num_col_dims"))
    made = op.node("Mul", [op.cast(op["X"], np.float32), _channel(op, scales[0], axis, rank)])
    made = scaled(op, made, 1 / bounds[0])
    if len(scales) > 1:
        made = scaled(op, op.node("Mul", [made, op.flat(scales[1])]), 1 / bounds[1])
    return made


def _scales_of_steps(op: Op) -> np.ndarray | None:
    """The scales of a weight that is stored in steps of 8 bits."""
    steps, limits = op.array("X"), op.array("Scale")
    if op.type != "dequantize_linear" or steps is None or limits is None:
        return None
    if steps.dtype != np.int8 or int(op.attr("bit_length")) != 8:
        return None
    scales: np.ndarray = np.float32(limits) / np.float32(127)
    return scales


@operator("quantize_linear", "dequantize_linear")
def linear(op: Op) -> Any:
    """To steps and back; Paddle's zero point does not count."""
    if op.flag("only_observer"):
        return {"Y": op.node("Identity", [op["X"]]), "OutScale": op["Scale"]}
    bound, axis, rank = _bound(int(op.attr("bit_length"))), int(op.attr("quant_axis")), op.rank("X")
    if op.dtype("X") not in (np.float32, np.int8, np.int32):
        raise CannotExport(f"{op.dtype('X')}")
    many = axis >= 0 and op.shape("Scale") not in ((1,), ())
    scales = _scales_of_steps(op)
    if scales is not None:
        op.need_opset(13 if many else 10)
        scales = scales.reshape(-1 if many else ())
        grid = [op.const(scales), op.const(np.zeros(scales.shape, np.int8))]
        return {"Y": op.node("DequantizeLinear", [op["X"], *grid], axis=axis if many else 1)}
    scale = _channel(op, op["Scale"], axis, rank) if many else op.flat(op["Scale"])
    x = op.cast(op["X"], np.float32)
    if op.type == "dequantize_linear":
        return {"Y": scaled(op, op.node("Mul", [x, scale]), 1 / bound)}
    return {"Y": _steps(op, x, scale, bound)}


@operator("matmul_nbits")
def matmul_nbits(op: Op) -> Any:
    """ONNX Runtime's MatMulNBits: no other operator has products with weights of 4 bits."""
    n, blocks, _ = op.static("Y")
    k, bits, size = op.shape("X")[-1], int(op.attr("bits")), int(op.attr("block_size"))
    if size < 16 or size & (size - 1):
        raise CannotExport(f"blocks of {size}, expected a power of two from 16 on")
    if k is None:
        raise CannotExport("a free number of summands")
    scales, known, zeros = op.array("Scales"), op.array("ZeroPoints"), None
    if scales is None or (known is None and op.has("ZeroPoints")):
        raise CannotExport("scales or zero points that are computed")
    if known is not None:
        known = known.T
        if bits == 4:
            known = pack_nibbles(np.pad(known, ((0, 0), (0, blocks % 2))))
        zeros = op.const(known.reshape(-1), np.uint8)
    return op.node(
        "MatMulNBits",
        [op["X"], op["Y"], op.const(scales.T.reshape(-1)), zeros, None, op.get("Bias")],
        domain="com.microsoft",
        K=int(k),
        N=n,
        bits=bits,
        block_size=size,
        accuracy_level=int(op.attr("accuracy_level", 0)),
    )


@operator("dynamic_quantize_matmul")
def dynamic_quantize_matmul(op: Op) -> Any:
    """The operators that it was made of."""
    op.need_opset(11)
    known = op.array("ZeroPoints")
    if known is None and op.has("ZeroPoints"):
        raise CannotExport("zero points that are computed")
    if known is not None and not np.array_equal(known, known.astype(np.int8)):
        raise CannotExport("zero points beyond 8 bits")
    zeros = None if known is None else op.const(known, np.int8)
    byte, scale, point = op.node("DynamicQuantizeLinear", [op["X"]], 3)
    sums = op.node("MatMulInteger", [byte, op["Y"], point, zeros])
    factor = op.node("Mul", [scale, op["Scales"]])
    return op.node("Mul", [op.cast(sums, np.float32), factor])
