"""A multiplication or addition per input channel in front of a convolution goes into it.

conv(a * x) has the Filter multiplied by a. conv(x + b) adds Filter . b to the Bias, which holds
only where no zero padding takes part.
"""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.fold import (
    affine_scale,
    bias_vector,
    channel_vector,
    finite,
    groups_of,
    is_float_conv,
    is_unpadded,
    may_copy,
    out_channels,
    round_like,
    scale_input,
)
from lite.core.optimizer.graph import Node
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register

_Affine = tuple[np.ndarray, np.ndarray]


def _input_channels(conv: Node, weight: np.ndarray) -> int:
    return int(weight.shape[1]) * groups_of(conv)


def _fold_affine(match: Match, factor: np.ndarray, shift: np.ndarray) -> Folded | None:
    conv, filter = match.nodes["conv"], match.value("%w")
    if shift.any() and not is_unpadded(conv):
        return None
    weight = match.array("%w")
    channels = out_channels(conv, weight)
    groups = groups_of(conv)
    bias = bias_vector(match.optional_array("%b"), channels)
    if bias is None or channels % groups:
        return None
    new: dict[str, np.ndarray] = {}
    if not (factor == 1).all():
        scaled = scale_input(conv, weight, factor)
        if scaled is None or not may_copy(filter):
            return None
        new["w"] = scaled
    if shift.any():
        sums = weight.sum((2, 3), dtype=np.float64).reshape(groups, channels // groups, -1)
        added = np.einsum("goc,gc->go", sums, shift.reshape(groups, -1)).reshape(-1)
        new["b"] = round_like(bias + added, weight)
    return new if new and finite(*new.values()) else None


def _scale(match: Match) -> Folded | None:
    conv, affine = match.nodes["conv"], affine_scale(match.nodes["op"])
    if affine is None or not is_float_conv(conv, match.value("%w")):
        return None
    channels = _input_channels(conv, match.array("%w"))
    return _fold_affine(match, np.full(channels, affine[0]), np.full(channels, affine[1]))


def _elementwise(match: Match) -> Folded | None:
    conv, op, x = match.nodes["conv"], match.nodes["op"], match.value("%x")
    if not is_float_conv(conv, match.value("%w")) or x.rank != 4 or x.shape is None:
        return None
    operand = match.value("%y")
    channels = _input_channels(conv, match.array("%w"))
    if x.shape[1] != channels and (operand.array is None or operand.array.size != 1):
        return None
    vector = channel_vector(operand, 4, op.integer("axis", -1), 1, channels)
    if vector is None:
        return None
    zero, one = np.zeros(channels), np.ones(channels)
    if op.type == "elementwise_mul":
        return _fold_affine(match, vector, zero)
    if op.type == "elementwise_div":
        with np.errstate(all="ignore"):
            return _fold_affine(match, 1 / vector, zero)
    return _fold_affine(match, one, -vector if op.type == "elementwise_sub" else vector)


_CONV = (
    "Output: [%out] = conv2d/depthwise_conv2d@conv(Input: [%s], Filter: [%w:param], "
    "Bias: [%b:param?])"
)
_REWRITE = "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%b])"

register(
    Pass(
        "conv_input_affine_fuse_pass",
        (
            Rule(f"Out: [%s] = scale@op(X: [%x])\n{_CONV}", _REWRITE, _scale),
            Rule(
                "Out: [%s] = elementwise_mul/elementwise_add@op(X/Y: [%x], Y/X: [%y:param])\n"
                + _CONV,
                _REWRITE,
                _elementwise,
            ),
            Rule(
                "Out: [%s] = elementwise_sub/elementwise_div@op(X: [%x], Y: [%y:param])\n" + _CONV,
                _REWRITE,
                _elementwise,
            ),
        ),
    )
)
