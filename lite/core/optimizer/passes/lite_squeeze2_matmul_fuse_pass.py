"""squeeze2 of [N, C, 1, 1] in front of the old matmul goes: mul flattens by itself."""

from __future__ import annotations

from lite.core.optimizer.fold import input_is_transposed, is_plain_matmul, weight_is_transposed
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    node, squeeze, x = match.root, match.nodes["squeeze"], match.value("%x")
    if input_is_transposed(node) or weight_is_transposed(node) or node.number("alpha", 1.0) != 1.0:
        return None
    if x.shape is None or len(x.shape) != 4 or x.shape[2:] != (1, 1):
        return None
    if sorted(a % 4 for a in squeeze.integers("axes")) != [2, 3]:
        return None
    return {} if is_plain_matmul(node, match.value("%w")) else None


register(
    Pass(
        "lite_squeeze2_matmul_fuse_pass",
        (
            Rule(
                """
                Out: [%s], XShape: [%shape:any?] = squeeze2@squeeze(X: [%x])
                Out: [%out] = matmul(X: [%s], Y: [%w:param])
                """,
                "Out: [%out] = mul(X: [%x], Y: [%w]) "
                "{x_num_col_dims: int 1, y_num_col_dims: int 1}",
                _fold,
            ),
        ),
    )
)
