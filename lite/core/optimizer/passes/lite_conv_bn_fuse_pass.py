"""A test-mode batch_norm behind a convolution goes into its Filter and Bias."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    CONVS,
    batch_norm_numbers,
    bias_vector,
    finite,
    is_linear_conv,
    is_nchw_batch_norm,
    may_copy,
    out_channels,
    round_like,
    scale_output,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    conv, norm, filter = match.nodes["conv"], match.nodes["bn"], match.value("%w")
    if not is_linear_conv(conv, filter) or not is_nchw_batch_norm(norm):
        return None
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    numbers = batch_norm_numbers(norm, channels)
    bias = bias_vector(match.optional_array("%b"), channels)
    if numbers is None or bias is None or not may_copy(filter):
        return None
    factor, mean, shift = numbers
    with np.errstate(all="ignore"):
        new_filter = scale_output(conv, weight, factor)
        new_bias = round_like((bias - mean) * factor + shift, weight)
    return {"w": new_filter, "shift": new_bias} if finite(new_filter, new_bias) else None


register(
    Pass(
        "lite_conv_bn_fuse_pass",
        (
            Rule(
                f"""
                Output: [%c] = {CONVS}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
                Y: [%out] = batch_norm/sync_batch_norm@bn(
                    X: [%c], Scale: [%scale:param], Bias: [%shift:param],
                    Mean: [%mean:param], Variance: [%var:param])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%shift])",
                _fold,
            ),
        ),
    )
)
