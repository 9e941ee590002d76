"""x * sigmoid(x) becomes swish with beta 1."""

from __future__ import annotations

from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import DataType


def _fold(match: Match) -> Folded | None:
    return {} if match.value("%x").dtype == DataType.FP32 else None


register(
    Pass(
        "lite_sigmoid_elementmul_fuse_pass",
        (
            Rule(
                """
                Out: [%s] = sigmoid(X: [%x])
                Out: [%out] = elementwise_mul(X/Y: [%x], Y/X: [%s])
                """,
                "Out: [%out] = swish(X: [%x]) {beta: float 1.0}",
                _fold,
            ),
        ),
    )
)
