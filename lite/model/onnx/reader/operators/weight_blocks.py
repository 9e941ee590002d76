"""Weights of few bits that share scales in blocks.

Definitions: docs/ContribOperators.md of ONNX Runtime.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.matrix import matmul as float_matmul
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.params import pack_nibbles
from lite.model.program import DataType


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
    accuracy_level: int,
) -> Tensor:
    """A product with weights of 2, 4 or 8 bits that share their scales in blocks."""
    if bits not in (2, 4, 8):
        raise CannotRead(f"weights of {bits} bits")
    blocks = -(-K // block_size)
    scale = b.cast(b.reshape(scales, [N, blocks]), DataType.FP32)
    zeros = _zero_points(b, zero_points, N, blocks, bits)
    if bits == 2:
        B, bits = widened(b, B, bits), 4
        zeros = b.full(b.ints([N, blocks]), 2, DataType.UINT8) if zeros is None else zeros
    size = block_size * bits // 8
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
    attrs = {"bits": bits, "block_size": block_size, **rounding(accuracy_level)}
    return b.emit("matmul_nbits", inputs, **attrs)


def rounding(accuracy_level: int) -> dict[str, int]:
    """The attribute of products that may round what they multiply, where it has an effect."""
    return {"accuracy_level": 4} if accuracy_level == 4 else {}


def _zero_points(
    b: Builder, zeros: Tensor | None, rows: int, blocks: int, bits: int
) -> Tensor | None:
    """[rows, blocks], a byte each, or the real numbers that they are."""
    if zeros is None or zeros.dtype in (DataType.FP32, DataType.FP16):
        return zeros if zeros is None else b.reshape(zeros, [rows, blocks])
    return b.slice(unpacked(b, b.reshape(zeros, [rows, -1]), bits), 1, 0, blocks)


def unpacked(b: Builder, x: Tensor, bits: int) -> Tensor:
    """Bytes [..., n] as the integers of 2, 4 or 8 bits in them, from the lowest on."""
    if bits == 8:
        return x
    wide = b.cast(x, DataType.INT32)
    parts = []
    for low in range(0, 8, bits):
        part = b.binary("elementwise_floordiv", wide, b.like(1 << low, wide)) if low else wide
        parts.append(b.binary("elementwise_mod", part, b.like(1 << bits, part)))
    whole = b.emit("stack", {"X": parts}, axis=x.rank)
    return b.cast(b.reshape(whole, [0] * (x.rank - 1) + [-1]), DataType.UINT8)


def widened(b: Builder, x: Tensor, bits: int) -> Tensor:
    """Bytes of integers of 2 bits as bytes of integers of 4; others as they are."""
    if bits != 2:
        return x
    if x.array is None:
        raise CannotRead("weights of 2 bits that are computed")
    values = np.stack([x.array >> low & 3 for low in range(0, 8, 2)], -1).astype(np.uint8)
    return b.constant(pack_nibbles(values.reshape(*x.array.shape[:-1], -1)))


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
        return x if whole else unpacked(b, x, bits)

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


FOUR_BITS = (
    [0, 1 / 192, 2 / 3, 1, 1 / 3, 1 / 2, 1 / 6, 1 / 4],
    [
        *(-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453),
        *(-0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0),
        *(0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224),
        *(0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0),
    ],
)
"""bitsandbytes' numbers of 4 bits: FP4's, whose fourth bit is the sign, and NF4's (QLoRA,
arXiv 2305.14314, appendix E)."""


@adapter
def matmul_bnb4(
    b: Builder,
    call: Call,
    A: Tensor,
    B: Tensor,
    absmax: Tensor,
    K: int,
    N: int,
    block_size: int,
    quant_type: int,
    transB: int,
    **others: Any,
) -> Tensor:
    """A product with weights that are numbers of a table, widened as the model is read."""
    if B.array is None or absmax.array is None or quant_type not in (0, 1) or not transB:
        raise CannotRead("weights that are computed or not transposed, or an unknown quant_type")
    numbers = np.array(FOUR_BITS[quant_type], np.float32)
    if quant_type == 0:
        numbers = np.concatenate([numbers, -numbers])
    packed = B.array.reshape(-1).astype(np.uint8)
    values = numbers[np.stack([packed >> 4, packed & 15], -1).reshape(-1)[: N * K]]
    if block_size <= 0:
        raise CannotRead(f"blocks of {block_size} numbers")
    block = max(min(block_size, values.size), 1)  # a file may say more than there are
    of_blocks = absmax.array.reshape(-1)[: -(-values.size // block)].astype(np.float32)
    largest = np.repeat(of_blocks, block)[: N * K]
    weight = np.ascontiguousarray((values * largest).reshape(N, K).T)
    return float_matmul(b, call, b.cast(A, DataType.FP32), b.constant(weight))
