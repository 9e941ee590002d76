"""A multiplication per output channel behind a convolution goes into its Filter and Bias."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    CONVS,
    bias_vector,
    channel_vector,
    finite,
    is_linear_conv,
    may_copy,
    out_channels,
    round_like,
    scale_output,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    conv, node, filter = match.nodes["conv"], match.nodes["mul"], match.value("%w")
    operand = match.value("%y")
    if not is_linear_conv(conv, filter) or not may_copy(filter):
        return None
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    factor = channel_vector(operand, weight.ndim, node.integer("axis", -1), 1, channels)
    bias = bias_vector(match.optional_array("%b"), channels)
    if factor is None or bias is None:
        return None
    with np.errstate(all="ignore"):
        if node.type == "elementwise_div":
            factor = 1 / factor
        new_filter = scale_output(conv, weight, factor)
        new_bias = round_like(bias * factor, weight)
    if not finite(new_filter, new_bias):
        return None
    return {"w": new_filter, "b": new_bias} if match.has("%b") else {"w": new_filter}


_CONV = f"Output: [%c] = {CONVS}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])"
_REWRITE = "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%b])"

register(
    Pass(
        "conv_elementwise_mul_fuse_pass",
        (
            Rule(
                f"{_CONV}\nOut: [%out] = elementwise_mul@mul(X/Y: [%c], Y/X: [%y:param])",
                _REWRITE,
                _fold,
            ),
            Rule(
                f"{_CONV}\nOut: [%out] = elementwise_div@mul(X: [%c], Y: [%y:param])",
                _REWRITE,
                _fold,
            ),
        ),
    )
)
