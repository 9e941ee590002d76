"""scale behind a convolution goes into its Filter and Bias."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    CONVS,
    affine_scale,
    bias_vector,
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
    conv, filter = match.nodes["conv"], match.value("%w")
    affine = affine_scale(match.nodes["scale"])
    if affine is None or not is_linear_conv(conv, filter) or not may_copy(filter):
        return None
    factor, shift = affine
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    bias = bias_vector(match.optional_array("%b"), channels)
    if bias is None:
        return None
    new_filter = scale_output(conv, weight, np.full(channels, factor))
    new_bias = round_like(bias * factor + shift, weight)
    if not finite(new_filter, new_bias):
        return None
    if match.has("%b") or shift:
        return {"w": new_filter, "b": new_bias}
    return {"w": new_filter}


register(
    Pass(
        "lite_conv_scale_fuse_pass",
        (
            Rule(
                f"""
                Output: [%c] = {CONVS}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
                Out: [%out] = scale@scale(X: [%c])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%b])",
                _fold,
            ),
        ),
    )
)
