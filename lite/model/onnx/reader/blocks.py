"""Constant weights that DequantizeLinear makes of integers with a scale for each block."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.values import Blocks, Tensor
from lite.model.params import pack_nibbles
from lite.model.program import DataType


def remember_blocks(
    made: Tensor, x: Tensor, scale: Tensor, zero: Tensor | None, axis: int, size: int
) -> None:
    """Lets a product read the integers of 4 or 8 bits in the place of a matrix made of them."""
    known = x.array is not None and scale.array is not None and (zero is None or zero.known)
    small = x.dtype in (DataType.INT8, DataType.UINT8) and x.bits != 2
    if not known or not small or x.shape is None or len(x.shape) != 2 or size % 8:
        return
    bits = x.bits or 8
    middle = 1 << (bits - 1) if x.dtype is DataType.INT8 else 0
    steps, scales = np.asarray(x.array), np.asarray(scale.array)
    zeros = np.zeros_like(scales) if zero is None else np.asarray(zero.array)
    turned = axis % 2 == 1
    steps, scales, zeros = (a.T if turned else a for a in (steps, scales, zeros))
    made.blocks = Blocks(
        integers=(steps.astype(np.int16) + middle).astype(np.uint8),
        scales=np.ascontiguousarray(scales, np.float32),
        zeros=np.ascontiguousarray(zeros.astype(np.int16) + middle).astype(np.uint8),
        bits=bits,
        size=size,
        turned=turned,
    )


def turn_blocks(made: Tensor, x: Tensor) -> None:
    """The same where a matrix was transposed."""
    if x.blocks is not None and made.known:
        made.blocks = replace(x.blocks, turned=not x.blocks.turned)


def product_of_blocks(b: Builder, x: Tensor, y: Tensor, turned: bool = False) -> Tensor | None:
    """x times a matrix that is in blocks, or where ``turned`` its transpose; None for others."""
    kept = y.blocks
    if kept is None or kept.turned != turned or x.dtype is not DataType.FP32:
        return None
    inputs = {
        "X": x,
        "Y": b.constant(_packed(kept)),
        "Scales": b.constant(kept.scales),
    }
    if (kept.zeros != 1 << (kept.bits - 1)).any():
        inputs["ZeroPoints"] = b.constant(kept.zeros)
    return b.emit("matmul_nbits", inputs, bits=kept.bits, block_size=kept.size)


def _packed(kept: Blocks) -> np.ndarray[Any, Any]:
    """[columns, blocks, bytes], the lower of two integers in a byte first."""
    rows, columns = kept.integers.shape
    blocks = kept.scales.shape[0]
    whole = np.zeros((columns, blocks * kept.size), np.uint8)
    whole[:, :rows] = kept.integers.T
    if kept.bits == 4:
        whole = pack_nibbles(whole)
    return whole.reshape(columns, blocks, -1)
