"""scale in front of or behind a product with a 2-D parameter goes into the parameter."""

from __future__ import annotations

from lite.core.optimizer.fold import (
    affine_scale,
    bias_vector,
    finite,
    has_activation,
    is_plain_matmul,
    may_copy,
    multiply,
    round_like,
    same_float,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    node, weight = match.nodes["mm"], match.value("%w")
    affine = affine_scale(match.nodes["scale"])
    behind = match.root.type == "scale"
    if affine is None or not is_plain_matmul(node, weight) or not may_copy(weight):
        return None
    if not same_float(match.value("%x"), weight) or (behind and has_activation(node)):
        return None
    factor, shift = affine
    array = match.array("%w")
    folded = {"w": multiply(array, factor)}
    if shift and not (behind and match.has("%b")):
        return None
    if behind and match.has("%b"):
        bias = bias_vector(match.array("%b"), array.shape[1])
        if bias is None:
            return None
        folded["b"] = round_like(bias * factor + shift, array)
    return folded if finite(*folded.values()) else None


_MATMULS = "mul/matmul/matmul_v2"

register(
    Pass(
        "matmul_scale_fuse_pass",
        (
            Rule(
                f"""
                Out: [%s] = scale@scale(X: [%x])
                Out: [%out] = {_MATMULS}@mm(X: [%s], Y: [%w:param])
                """,
                "Out: [%out] = @mm(X: [%x], Y: [%w])",
                _fold,
            ),
            Rule(
                """
                Out: [%s] = scale@scale(X: [%x])
                Out: [%out] = fc@mm(Input: [%s], W: [%w:param], Bias: [%b:param?])
                """,
                "Out: [%out] = @mm(Input: [%x], W: [%w], Bias: [%b])",
                _fold,
            ),
            Rule(
                f"""
                Out: [%m] = {_MATMULS}@mm(X: [%x], Y: [%w:param])
                Out: [%out] = scale@scale(X: [%m])
                """,
                "Out: [%out] = @mm(X: [%x], Y: [%w])",
                _fold,
            ),
            Rule(
                """
                Out: [%m] = fc@mm(Input: [%x], W: [%w:param], Bias: [%b:param])
                Out: [%out] = scale@scale(X: [%m])
                """,
                "Out: [%out] = @mm(Input: [%x], W: [%w], Bias: [%b])",
                _fold,
            ),
        ),
    )
)
