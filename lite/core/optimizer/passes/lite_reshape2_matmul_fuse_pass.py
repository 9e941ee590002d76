"""reshape2 to [0, -1] in front of the old matmul goes: mul flattens by itself."""

from __future__ import annotations

from lite.core.optimizer.fold import input_is_transposed, is_plain_matmul, weight_is_transposed
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    node, reshape, x = match.root, match.nodes["reshape"], match.value("%x")
    if input_is_transposed(node) or weight_is_transposed(node) or node.number("alpha", 1.0) != 1.0:
        return None
    shape = reshape.integers("shape")
    if x.rank is None or x.rank < 2 or len(shape) != 2 or shape[0] != 0:
        return None
    if shape[1] not in (-1, match.array("%w").shape[0]):
        return None
    return {} if is_plain_matmul(node, match.value("%w")) else None


register(
    Pass(
        "lite_reshape2_matmul_fuse_pass",
        (
            Rule(
                """
                Out: [%r], XShape: [%shape:any?] = reshape2@reshape(X: [%x])
                Out: [%out] = matmul(X: [%r], Y: [%w:param])
                """,
                "Out: [%out] = mul(X: [%x], Y: [%w]) "
                "{x_num_col_dims: int 1, y_num_col_dims: int 1}",
                _fold,
            ),
        ),
    )
)
