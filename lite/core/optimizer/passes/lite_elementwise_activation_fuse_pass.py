"""relu behind an elementwise operator in fp32 becomes fusion_elementwise_*_activation."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import DataType


def _fold(match: Match) -> Folded | None:
    dtypes = {match.value("%x").dtype, match.value("%y").dtype}
    return {} if dtypes == {DataType.FP32} else None


def _rule(kind: str) -> Rule:
    return Rule(
        f"""
        Out: [%m] = elementwise_{kind}@op(X: [%x], Y: [%y])
        Out: [%out] = relu(X: [%m])
        """,
        f"Out: [%out] = fusion_elementwise_{kind}_activation@op(X: [%x], Y: [%y]) "
        '{act_type: string "relu"}',
        _fold,
    )


register(
    Pass(
        "lite_elementwise_activation_fuse_pass",
        tuple(_rule(kind) for kind in ("add", "sub", "mul", "div", "max", "min")),
    )
)
