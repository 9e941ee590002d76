"""A convolution and a 1x1 one right behind it are one, where that multiplies less."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    bias_vector,
    finite,
    groups_of,
    is_linear_conv,
    is_unpadded,
    may_copy,
    round_like,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    nodes = [match.nodes["first"], match.nodes["second"]]
    filters = [match.value("%w"), match.value("%v")]
    if not all(map(is_linear_conv, nodes, filters)) or not all(map(may_copy, filters)):
        return None
    first, second = match.array("%w"), match.array("%v")
    if any(groups_of(node) > 1 for node in nodes) or first.dtype != second.dtype:
        return None
    if second.shape[1:] != (first.shape[0], 1, 1) or not is_unpadded(nodes[1]):
        return None
    if nodes[1].integers("strides", (1, 1)) != [1, 1]:
        return None
    # Zeros do not count: sparse kernels leave them out, and the product would have none.
    kept = np.count_nonzero(first) + np.count_nonzero(second)
    if second.shape[0] * first[0].size >= kept:
        return None
    before = bias_vector(match.optional_array("%b"), first.shape[0])
    after = bias_vector(match.optional_array("%c"), second.shape[0])
    if before is None or after is None:
        return None
    with np.errstate(all="ignore"):
        matrix = second.astype(np.float64)[:, :, 0, 0]
        wide = (matrix @ first.reshape(len(first), -1)).reshape(-1, *first.shape[1:])
        new = {"w": round_like(wide, first)}
        if match.has("%b") or match.has("%c"):
            new["b"] = round_like(matrix @ before + after, first)
    return new if finite(*new.values()) else None


register(
    Pass(
        "lite_conv_conv_fuse_pass",
        (
            Rule(
                """
                Output: [%y] = conv2d@first(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
                Output: [%out] = conv2d@second(
                    Input: [%y], Filter: [%v:param], Bias: [%c:param?])
                """,
                "Output: [%out] = @first(Input: [%x], Filter: [%w], Bias: [%b])",
                _fold,
            ),
        ),
    )
)
