"""Multiplication by a constant of ones goes."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    x, ones = match.value("%x"), match.array("%ones")
    if x.dtype is None or x.dtype != match.value("%ones").dtype or x.shape is None:
        return None
    if not (ones == 1).all() or ones.ndim > len(x.shape):
        return None
    keeps_shape = ones.size == 1 or ones.shape == x.shape
    return {} if keeps_shape else None


register(
    Pass(
        "elementwise_mul_constant_eliminate_pass",
        (Rule("Out: [%out] = elementwise_mul(X: [%x], Y: [%ones:param])", "%out = %x", _fold),),
    )
)
