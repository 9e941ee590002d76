"""scale moves in front of an operator that only reorders, towards a weight that takes it."""

from __future__ import annotations

from lite.core.optimizer.fold import affine_scale
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import DataType

_LINEAR = ("fc", "matmul_v2", "mul", "matmul", "conv2d", "depthwise_conv2d", "conv2d_transpose")
_REORDERING = ("reshape2", "transpose2", "squeeze2", "unsqueeze2", "flatten_contiguous_range")


def _fold(match: Match) -> Folded | None:
    """Decides: only where a chain of such operators begins with a product by a weight."""
    if affine_scale(match.nodes["scale"]) is None or match.value("%x").dtype != DataType.FP32:
        return None
    node = match.value("%x").producer
    while node is not None and node.type in _REORDERING:
        source = node.input("X")
        if source is None or sum(source.uses.values()) != 1:
            return None
        node = source.producer
    return {} if node is not None and node.type in _LINEAR else None


register(
    Pass(
        "scale_before_shape_pass",
        (
            Rule(
                f"""
                Out: [%r], XShape: [%shape:any?] = {"/".join(_REORDERING)}@shape(X: [%x])
                Out: [%out] = scale@scale(X: [%r])
                """,
                "Out: [%s] = @scale(X: [%x])\nOut: [%out] = @shape(X: [%s])",
                _fold,
            ),
        ),
    )
)
