"""A test-mode batch_norm behind a convolution goes into its Filter and Bias."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.build import is_test_batch_norm
from lite.core.optimizer.fold import (
    bias_vector,
    finite,
    is_float,
    is_linear_conv,
    may_copy,
    out_channels,
    round_like,
    scale_output,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register

_BATCH_NORM = ("%scale", "%shift", "%mean", "%var")


def _fold(match: Match) -> Folded | None:
    conv, norm, filter = match.nodes["conv"], match.nodes["bn"], match.value("%w")
    if not is_linear_conv(conv, filter) or not is_test_batch_norm(norm):
        return None
    if norm.string("data_layout", "NCHW") not in ("NCHW", "AnyLayout"):
        return None
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    values = [match.value(name) for name in _BATCH_NORM]
    if not all(
        is_float(v) and match.array(n).size == channels
        for n, v in zip(_BATCH_NORM, values, strict=True)
    ):
        return None
    bias = bias_vector(match.optional_array("%b"), channels)
    if bias is None or not may_copy(filter):
        return None
    scale, shift, mean, var = (match.array(n).astype(np.float64).reshape(-1) for n in _BATCH_NORM)
    with np.errstate(all="ignore"):
        factor = scale / np.sqrt(var + norm.number("epsilon", 1e-5))
        new_filter = scale_output(conv, weight, factor)
        new_bias = round_like((bias - mean) * factor + shift, weight)
    return {"w": new_filter, "shift": new_bias} if finite(new_filter, new_bias) else None


register(
    Pass(
        "lite_conv_bn_fuse_pass",
        (
            Rule(
                """
                Output: [%c] = conv2d/depthwise_conv2d/conv2d_transpose@conv(
                    Input: [%x], Filter: [%w:param], Bias: [%b:param?])
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
