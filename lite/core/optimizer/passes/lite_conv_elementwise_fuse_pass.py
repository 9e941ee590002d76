"""A convolution and an addition per output channel become the convolution's Bias."""

from __future__ import annotations

from lite.core.optimizer.fold import (
    CONVS,
    bias_vector,
    channel_vector,
    finite,
    is_linear_conv,
    out_channels,
    round_like,
)
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


def _fold(match: Match) -> Folded | None:
    conv, add, filter = match.nodes["conv"], match.nodes["add"], match.value("%w")
    if not is_linear_conv(conv, filter):
        return None
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    operand = match.value("%y")
    added = channel_vector(operand, weight.ndim, add.integer("axis", -1), 1, channels)
    bias = bias_vector(match.optional_array("%b"), channels)
    if added is None or bias is None:
        return None
    if add.type == "elementwise_sub":
        added = -added
    total = round_like(bias + added, weight)
    return {"y": total} if finite(total) else None


register(
    Pass(
        "lite_conv_elementwise_fuse_pass",
        (
            Rule(
                f"""
                Output: [%c] = {CONVS}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
                Out: [%out] = elementwise_add@add(X/Y: [%c], Y/X: [%y:param])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%y])",
                _fold,
            ),
            Rule(
                f"""
                Output: [%c] = {CONVS}@conv(Input: [%x], Filter: [%w:param], Bias: [%b:param?])
                Out: [%out] = elementwise_sub@add(X: [%c], Y: [%y:param])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%y])",
                _fold,
            ),
        ),
    )
)
