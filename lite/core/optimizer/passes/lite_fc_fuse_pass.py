"""mul or matmul_v2 by a 2-D parameter, plus a bias, becomes fc; then relu joins it.

Real Paddle Lite does this for matmul_v2 on ARM only; its x86 fc takes it as well, by ``op_type``.
"""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    bias_vector,
    channel_vector,
    finite,
    has_activation,
    input_is_transposed,
    is_plain_matmul,
    is_quantized,
    may_copy,
    multiply,
    round_like,
    same_float,
    weight_is_transposed,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType


def _bias(match: Match, rank: int, columns: int) -> np.ndarray | None:
    """The addend as a vector of the weight's type, [columns]; None where it is something else."""
    add, weight = match.nodes["add"], match.array("%w")
    axis = add.integer("axis", -1)
    vector = channel_vector(match.value("%b"), rank, axis, rank - 1, columns)
    return None if vector is None else round_like(vector, weight)


def _with_bias(match: Match, bias: np.ndarray, folded: dict[str, np.ndarray | Attr]) -> Folded:
    if match.array("%b").shape != bias.shape or match.array("%b").dtype != bias.dtype:
        folded["b"] = bias
    return folded


def _mul(match: Match) -> Folded | None:
    node, weight = match.nodes["mm"], match.value("%w")
    if not is_plain_matmul(node, weight) or not same_float(match.value("%x"), weight):
        return None
    columns = node.integer("x_num_col_dims", 1)
    bias = _bias(match, columns + 1, match.array("%w").shape[1])
    if bias is None:
        return None
    return _with_bias(match, bias, {"columns": Attr(AttrType.INT, columns)})


def fold_matmul(match: Match) -> Folded | None:
    """Decides and folds for matmul and matmul_v2 with labels mm and add."""
    node, weight, x = match.nodes["mm"], match.value("%w"), match.value("%x")
    if not is_plain_matmul(node, weight) or not same_float(x, weight):
        return None
    if input_is_transposed(node) or x.rank is None or x.rank < 2:
        return None
    array = match.array("%w")
    folded: dict[str, np.ndarray | Attr] = {"columns": Attr(AttrType.INT, x.rank - 1)}
    alpha = node.number("alpha", 1.0)
    if weight_is_transposed(node) or alpha != 1.0:
        if not may_copy(weight):
            return None
        array = array.T if weight_is_transposed(node) else array
        scaled = multiply(array, alpha)
        if not finite(scaled):
            return None
        folded["w"] = scaled
    bias = _bias(match, x.rank, array.shape[1])
    return None if bias is None else _with_bias(match, bias, folded)


def _add_again(match: Match) -> Folded | None:
    node, weight = match.nodes["fc"], match.value("%w")
    columns = node.integer("in_num_col_dims", 1)
    if not is_plain_matmul(node, weight) or has_activation(node):
        return None
    more = _bias(match, columns + 1, match.array("%w").shape[1])
    bias = bias_vector(match.optional_array("%first"), match.array("%w").shape[1])
    if more is None or bias is None:
        return None
    total = round_like(bias + more, match.array("%w"))
    return {"b": total} if finite(total) else None


def _relu(match: Match) -> Folded | None:
    node = match.nodes["fc"]
    plain = is_plain_matmul(node, match.value("%w")) and not is_quantized(node)
    return {} if plain and not has_activation(node) else None


_ADD = "Out: [%out] = elementwise_add@add(X: [%m], Y: [%b:param])"
_FC = "Out: [%out] = fc@mm(Input: [%x], W: [%w], Bias: [%b])"

register(
    Pass(
        "lite_fc_fuse_pass",
        (
            Rule(
                f"Out: [%m] = mul@mm(X: [%x], Y: [%w:param])\n{_ADD}",
                f'{_FC} {{in_num_col_dims: var %columns, op_type: string "mul"}}',
                _mul,
            ),
            Rule(
                f"Out: [%m] = matmul_v2@mm(X: [%x], Y: [%w:param])\n{_ADD}",
                f'{_FC} {{in_num_col_dims: var %columns, op_type: string "matmul_v2", '
                "trans_y: bool false}",
                fold_matmul,
            ),
            Rule(
                f"Out: [%m] = fc@fc(Input: [%x], W: [%w:param], Bias: [%first:param?])\n{_ADD}",
                "Out: [%out] = @fc(Input: [%x], W: [%w], Bias: [%b])",
                _add_again,
            ),
            Rule(
                """
                Out: [%m] = fc@fc(Input: [%x], W: [%w:param], Bias: [%b:param])
                Out: [%out] = relu(X: [%m])
                """,
                "Out: [%out] = @fc(Input: [%x], W: [%w], Bias: [%b]) "
                '{activation_type: string "relu"}',
                _relu,
            ),
        ),
    )
)
