"""Convolutions of one input whose results are added are one convolution: the sum of their filters.

Networks that are trained with branches come so (RepVGG, PP-LCNetV3, MobileOne): 3x3 + 1x1 + a
batch_norm of the input, which is a filter of one number a channel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lite.core.optimizer.fold import (
    batch_norm_numbers,
    bias_vector,
    conv_paddings,
    finite,
    groups_of,
    has_activation,
    is_linear_conv,
    is_nchw_batch_norm,
    is_quantized,
    may_copy,
    round_like,
)
from lite.core.optimizer.graph import Node
from lite.core.optimizer.pattern import Folded, Match, Rule
from lite.core.optimizer.registry import Pass, register


@dataclass(frozen=True)
class _Axis:
    """How a filter lies along rows or columns: ``size`` taps, each ``dilation`` pixels further."""

    size: int
    dilation: int
    before: int
    after: int

    def place(self, other: _Axis) -> int | None:
        """At which tap a smaller filter begins that reads the same pixels; None: it reads others,
        or gives another number of them."""
        if other.size > 1 and other.dilation != self.dilation:
            return None
        tap, rest = divmod(self.before - other.before, self.dilation)
        reach, others = ((a.size - 1) * a.dilation - a.before - a.after for a in (self, other))
        if rest or reach != others or tap < 0 or tap + other.size > self.size:
            return None
        return tap


def _axes(conv: Node, filter: np.ndarray) -> tuple[_Axis, _Axis] | None:
    """Rows and columns of a convolution; None where its padding depends on the input's size."""
    pads, dilations = conv_paddings(conv), conv.integers("dilations", (1, 1))
    if pads is None or len(dilations) != 2 or min(dilations) < 1:
        return None
    sizes, (down, right) = filter.shape[2:], dilations
    return _Axis(sizes[0], down, *pads[:2]), _Axis(sizes[1], right, *pads[2:])


def _strides(conv: Node) -> list[int]:
    return conv.integers("strides", (1, 1))


def _sum(match: Match) -> Folded | None:
    nodes, add = [match.nodes["first"], match.nodes["second"]], match.nodes["add"]
    filters = [match.value("%w"), match.value("%v")]
    if has_activation(add) or is_quantized(add) or not all(map(is_linear_conv, nodes, filters)):
        return None
    arrays = [match.array("%w"), match.array("%v")]
    biases = [match.optional_array("%b"), match.optional_array("%c")]
    if arrays[1].size > arrays[0].size:
        nodes, arrays, biases = nodes[::-1], arrays[::-1], biases[::-1]
    large, small = arrays
    axes = [_axes(node, array) for node, array in zip(nodes, arrays, strict=True)]
    if large.dtype != small.dtype or large.shape[:2] != small.shape[:2]:
        return None
    if _strides(nodes[0]) != _strides(nodes[1]) or groups_of(nodes[0]) != groups_of(nodes[1]):
        return None
    if axes[0] is None or axes[1] is None or not all(map(may_copy, filters)):
        return None
    places = [mine.place(other) for mine, other in zip(*axes, strict=True)]
    vectors = [bias_vector(bias, large.shape[0]) for bias in biases]
    if places[0] is None or places[1] is None or vectors[0] is None or vectors[1] is None:
        return None
    total, (top, left) = large.copy(), places
    with np.errstate(all="ignore"):
        total[:, :, top : top + small.shape[2], left : left + small.shape[3]] += small
    has_bias = any(bias is not None for bias in biases)
    return _folded(total, vectors[0] + vectors[1] if has_bias else None, nodes[0])


def _with_batch_norm(match: Match) -> Folded | None:
    conv, norm, add = (match.nodes[label] for label in ("first", "bn", "add"))
    weight = match.array("%w")
    if has_activation(add) or is_quantized(add) or not is_linear_conv(conv, match.value("%w")):
        return None
    channels, inputs = weight.shape[:2]
    axes, numbers = _axes(conv, weight), batch_norm_numbers(norm, channels)
    if numbers is None or not is_nchw_batch_norm(norm):
        return None
    if {value.rank for value in norm.input_values() if value.is_param} != {1}:
        return None
    if axes is None or inputs * groups_of(conv) != channels or _strides(conv) != [1, 1]:
        return None
    places = [axis.place(_Axis(1, 1, 0, 0)) for axis in axes]
    bias = bias_vector(match.optional_array("%b"), channels)
    if places[0] is None or places[1] is None or bias is None or not may_copy(match.value("%w")):
        return None
    factor, mean, shift = numbers
    with np.errstate(all="ignore"):
        total, every = weight.copy(), np.arange(channels)
        own = (every, every % inputs, places[0], places[1])
        total[own] = round_like(total[own] + factor, weight)
        return _folded(total, bias + shift - mean * factor, conv)


def _folded(filter: np.ndarray, bias: np.ndarray | None, conv: Node) -> Folded | None:
    """The filter, the bias and what the larger of two convolutions says of its place."""
    arrays = {"w": filter} if bias is None else {"w": filter, "b": round_like(bias, filter)}
    places = ("paddings", "dilations", "padding_algorithm")
    attributes = {name: conv.attrs.get(name) for name in places}
    return {**arrays, **attributes} if finite(*arrays.values()) else None


_CONV = (
    "Output: [%{}] = conv2d/depthwise_conv2d@{}(Input: [%x], Filter: [%{}:param], "
    "Bias: [%{}:param?])"
)
_REWRITE = """
Output: [%out] = @first(Input: [%x], Filter: [%w], Bias: [%b]) {
    paddings: var %paddings, dilations: var %dilations, padding_algorithm: var %padding_algorithm}
"""

register(
    Pass(
        "conv_branches_fuse_pass",
        (
            Rule(
                f"""
                {_CONV.format("y", "first", "w", "b")}
                {_CONV.format("z", "second", "v", "c")}
                Out: [%out] = elementwise_add@add(X: [%y], Y: [%z])
                """,
                _REWRITE,
                _sum,
            ),
            Rule(
                f"""
                {_CONV.format("y", "first", "w", "b")}
                Y: [%z] = batch_norm/sync_batch_norm@bn(
                    X: [%x], Scale: [%scale:param], Bias: [%shift:param],
                    Mean: [%mean:param], Variance: [%var:param])
                Out: [%out] = elementwise_add@add(X/Y: [%y], Y/X: [%z])
                """,
                _REWRITE,
                _with_batch_norm,
            ),
        ),
    )
)
