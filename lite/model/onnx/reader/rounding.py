"""Numbers that a model rounds to integers of 8 bits: what lets products of them run as such."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.core.optimizer.quantization.scales import WEIGHT_BITS, WEIGHT_STEPS
from lite.core.optimizer.quantization.weights import beyond_bytes
from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.values import Rounded, Tensor
from lite.model.program import Attr, AttrType, DataType

MOVES = frozenset("Flatten Identity MaxPool Reshape Slice Squeeze Transpose Unsqueeze".split())
"""Operators whose result is rounded as the first input was."""


def rounding(
    b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None, bounds: tuple[int, int]
) -> Rounded | None:
    """How integers are made of ``x``; None where that is known as the model runs only."""
    factor, point = _number(scale), 0.0 if zero is None else _number(zero)
    if factor is None or point is None or x.known or not b.in_main:
        return None
    usable = np.finfo(np.float32).tiny <= factor < np.inf and bounds[0] <= point <= bounds[1]
    return Rounded(x, factor, int(point), *bounds) if usable else None


def rounded_numbers(
    b: Builder, x: Tensor, scale: Tensor, zero: Tensor | None = None
) -> Tensor | None:
    """What integers stand for that were made with this scale and zero point; None for others."""
    how = x.rounded
    if how is None or not b.in_main or how.scale != _number(scale):
        return None
    if how.zero != (0 if zero is None else _number(zero)):
        return None
    return numbers_of(b, how, x)


def numbers_of(b: Builder, how: Rounded, x: Tensor) -> Tensor:
    """What the integers ``x`` stand for."""
    if how.numbers is None:
        how.numbers = b.emit(
            "fake_quantize_per_tensor_affine",
            {"X": how.x},
            scale=how.scale,
            zero_point=how.zero,
            quant_min=how.low,
            quant_max=how.high,
        )
        how.numbers.shape = x.shape
        how.numbers.stepped = how.high - how.low <= 255
    return how.numbers


def _number(tensor: Tensor) -> float | None:
    known = tensor.array is not None and tensor.array.size == 1 and not tensor.bits
    return float(np.float32(tensor.array.reshape(()))) if known else None  # type: ignore[union-attr]


def remember_integers(made: Tensor, steps: Any) -> None:
    """A constant's elements are ``steps`` times a scale."""
    if made.known and steps.size and np.abs(steps).max() <= 255:
        made.integers = steps.astype(np.int16)


def keep_integers(b: Builder, made: Tensor, weight: Tensor, axis: int) -> None:
    """Lets the operator that was appended last store its weight in integers, if it has some; its
    output channels lie along ``axis``."""
    steps = weight.integers
    if steps is None or made.dtype is not DataType.FP32:
        return
    if steps.min() < -128 or steps.max() > 127:
        return
    largest = np.abs(steps).max(_others(steps, axis))
    attrs = {
        WEIGHT_BITS: Attr(AttrType.INT, 8),
        WEIGHT_STEPS: Attr(AttrType.INTS, [int(step) for step in largest]),
    }
    b.annotate(made, attrs)


def moved_into_bytes(x: Tensor, weight: Tensor, axis: int) -> tuple[Tensor, Any] | None:
    """A weight whose steps less their zero point are beyond 8 bits, moved to where they are not.

    Beside it stands what that took from each number of a channel (along ``axis``): a product lacks
    the sum of ``x`` times that. None where the steps fit, or nothing multiplies in integers.
    """
    steps, array = weight.integers, weight.array
    if steps is None or array is None or not x.stepped:
        return None
    others = _others(steps, axis)
    low, high = (found(others, keepdims=True) for found in (steps.min, steps.max))
    move = beyond_bytes(low, high)
    if not move.any() or (high - low).max() > 255:
        return None
    largest = np.abs(steps).max(others, keepdims=True)
    step = np.abs(array).max(others, keepdims=True).astype(np.float64) / np.maximum(largest, 1)
    kept = steps - move
    numbers = (kept * step).astype(np.float32)
    made = Tensor(weight.name, weight.dtype, weight.shape, numbers, integers=kept)
    return made, (move * step).astype(np.float32).reshape(-1)


def _others(array: Any, axis: int) -> tuple[int, ...]:
    return tuple(i for i in range(array.ndim) if i != axis % array.ndim)
