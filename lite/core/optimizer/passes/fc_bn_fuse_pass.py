"""A test-mode batch_norm behind a two-dimensional fc goes into its weight and bias."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    batch_norm_numbers,
    bias_vector,
    finite,
    has_activation,
    is_plain_matmul,
    may_copy,
    multiply,
    round_like,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    fc, norm, weight = match.nodes["fc"], match.nodes["bn"], match.value("%w")
    if not is_plain_matmul(fc, weight) or has_activation(fc) or not may_copy(weight):
        return None
    if fc.integer("in_num_col_dims", 1) != 1:
        return None
    array = match.array("%w")
    columns = array.shape[1]
    numbers = batch_norm_numbers(norm, columns)
    bias = bias_vector(match.optional_array("%b"), columns)
    if numbers is None or bias is None:
        return None
    factor, mean, shift = numbers
    with np.errstate(all="ignore"):
        new_weight = multiply(array, factor)
        new_bias = round_like((bias - mean) * factor + shift, array)
    return {"w": new_weight, "shift": new_bias} if finite(new_weight, new_bias) else None


register(
    Pass(
        "fc_bn_fuse_pass",
        (
            Rule(
                """
                Out: [%f] = fc@fc(Input: [%x], W: [%w:param], Bias: [%b:param?])
                Y: [%out] = batch_norm/sync_batch_norm@bn(
                    X: [%f], Scale: [%scale:param], Bias: [%shift:param],
                    Mean: [%mean:param], Variance: [%var:param])
                """,
                "Out: [%out] = @fc(Input: [%x], W: [%w], Bias: [%shift])",
                _fold,
            ),
        ),
    )
)
