"""The old matmul of two dimensions by a 2-D parameter becomes mul."""

from __future__ import annotations

from lite.core.optimizer.fold import input_is_transposed, is_plain_matmul, weight_is_transposed
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    node = match.root
    if input_is_transposed(node) or weight_is_transposed(node) or node.number("alpha", 1.0) != 1.0:
        return None
    return {} if match.value("%x").rank == 2 and is_plain_matmul(node, match.value("%w")) else None


register(
    Pass(
        "lite_matmul_fuse_pass",
        (
            Rule(
                "Out: [%out] = matmul(X: [%x], Y: [%w:param])",
                "Out: [%out] = mul(X: [%x], Y: [%w]) "
                "{x_num_col_dims: int 1, y_num_col_dims: int 1}",
                _fold,
            ),
        ),
    )
)
