"""How the operands of Paddle's elementwise operators are laid against each other."""

from __future__ import annotations

from typing import TypeVar

from lite.core.optimizer.graph import Shape
from lite.model.params import MAX_RANK

Dim = TypeVar("Dim", int, "int | None")


def aligned_shape(shape: tuple[Dim, ...], rank: int, axis: int) -> tuple[Dim | int, ...] | None:
    """An elementwise operand's shape as broadcast against ``rank`` dimensions by the attribute
    ``axis``; None where it does not fit."""
    if axis < -1 or len(shape) > rank or rank > MAX_RANK or axis > MAX_RANK:
        return None
    if len(shape) == rank:
        return shape  # with as many dimensions the attribute means nothing
    start = rank - len(shape) if axis == -1 else axis
    while shape and start + len(shape) > rank and shape[-1] == 1:
        shape = shape[:-1]
    if not shape:
        return (1,) * rank
    if start + len(shape) > rank:
        return None
    return (1,) * start + shape + (1,) * (rank - start - len(shape))


def broadcast(x: Shape | None, y: Shape | None, axis: int) -> Shape | None:
    """The shape of an elementwise operator's output with the old ``axis`` attribute."""
    if x is None or y is None:
        return None
    if len(x) < len(y):
        x, y = y, x
    aligned = aligned_shape(y, len(x), axis)
    if aligned is None:
        return None
    out = list(x)
    for i, (a, b) in enumerate(zip(x, aligned, strict=True)):
        if a == 1 or (a is None and b not in (1, None)):
            out[i] = b
    return tuple(out)
