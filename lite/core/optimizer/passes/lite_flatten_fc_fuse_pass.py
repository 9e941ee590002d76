"""A flattening of all dimensions but the first in front of fc goes: fc flattens by itself."""

from __future__ import annotations

from lite.core.optimizer.fold import is_plain_matmul
from lite.core.optimizer.graph import Node, Value
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _flattens_all_but_first(node: Node, x: Value) -> bool:
    if x.rank is None or x.rank < 2:
        return False
    if node.type == "flatten_contiguous_range":
        start, stop = node.integer("start_axis", 1), node.integer("stop_axis", 1)
        return start % x.rank == 1 and stop % x.rank == x.rank - 1
    if node.type in ("flatten", "flatten2"):
        return node.integer("axis", 1) == 1
    return node.integers("shape") == [0, -1]


def _fold(match: Match) -> Folded | None:
    fc = match.nodes["fc"]
    if not is_plain_matmul(fc, match.value("%w")) or fc.integer("in_num_col_dims", 1) != 1:
        return None
    return {} if _flattens_all_but_first(match.nodes["flatten"], match.value("%x")) else None


register(
    Pass(
        "lite_flatten_fc_fuse_pass",
        (
            Rule(
                """
                Out: [%f], XShape: [%shape:any?] =
                    flatten_contiguous_range/flatten/flatten2/reshape2@flatten(X: [%x])
                Out: [%out] = fc@fc(Input: [%f], W: [%w:param], Bias: [%b:param?])
                """,
                "Out: [%out] = @fc(Input: [%x], W: [%w], Bias: [%b]) "
                '{in_num_col_dims: int 1, op_type: string "mul"}',
                _fold,
            ),
        ),
    )
)
