"""ONNX's DynamicQuantizeLinear, ConvInteger and the scales behind it become one operator, whose
scales and Bias take in what follows for each channel."""

from __future__ import annotations

import numpy as np

from lite import _core
from lite.core.optimizer.fold import (
    batch_norm_numbers,
    bias_vector,
    channel_vector,
    finite,
    has_activation,
    is_nchw_batch_norm,
)
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.pattern import Folded, Match, Pattern, Rule
from lite.core.optimizer.quantization.dynamic import fuse_scaled, made_by, rounded_input
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType

_SCALES = "int8_weight_scales"
_ATTRIBUTES = ("strides", "paddings", "padding_algorithm", "dilations", "groups")

_STEPS = """
    Out: [%wide:shared] = cast(X: [%byte]) {{out_dtype: int 5}}
    Out: [%zero:shared] = cast(X: [%point]) {{out_dtype: int 5}}
    Out: [%steps:shared] = elementwise_sub(X: [%wide:shared], Y: [%zero:shared])
    {before}
    Output: [%sums:shared] = conv2d/depthwise_conv2d@conv(
        Input: [%{read}:shared], Filter: [%weight:param])
    {behind}
    out: [%whole:shared] = rint(x: [%{made}:shared])
    Out: [%out] = cast(X: [%whole:shared]) {{out_dtype: int 2}}
"""
_SUMS = (
    Pattern(_STEPS.format(before="", read="steps", behind="", made="sums")),
    Pattern(
        _STEPS.format(
            before="Out: [%tall:shared] = unsqueeze2@unsqueeze(X: [%steps:shared])",
            read="tall",
            behind="Out: [%flat:shared] = squeeze2@squeeze(X: [%sums:shared])",
            made="flat",
        )
    ),
)
"""Of images, and of lines, which become images."""


def _operands(
    graph: Graph, scaled: Match
) -> tuple[Value, np.ndarray, dict[str, Attr], Match] | None:
    """The input, the filter, the attributes and where the sums were."""
    sums = made_by(graph, scaled.value("%sums"), *_SUMS)
    if sums is None:
        return None
    byte, point, step = sums.value("%byte"), sums.value("%point"), scaled.value("%scale")
    x = rounded_input(graph, scaled.root.block, byte, point, step)
    conv, weight = sums.nodes["conv"], sums.array("%weight")
    filter, rank = weight.astype(np.int8), 3 if "squeeze" in sums.nodes else 4
    if x is None or not np.array_equal(filter, weight):
        return None
    scales = channel_vector(scaled.value("%weight_scale"), rank, -1, 1, len(filter))
    if scales is None or filter[0].size > _core.MAX_INT8_SUMMANDS or not finite(scales):
        return None
    attrs = {name: conv.attrs[name] for name in _ATTRIBUTES if name in conv.attrs}
    attrs[_SCALES] = Attr(AttrType.FLOATS, [float(one) for one in scales])
    return x, filter, attrs, sums


def _fuse(graph: Graph, scaled: Match) -> list[Node] | None:
    """The operator, between those that make images of lines and lines of images."""
    operands = _operands(graph, scaled)
    if operands is None:
        return None
    x, filter, attrs, sums = operands
    node = scaled.root
    out, made = node.outputs["Out"][0], []
    convolved, squeeze = out, sums.nodes.get("squeeze")
    if squeeze is not None:
        tall, convolved = (Value(graph.fresh_name(f"{out.name}.{n}")) for n in ("tall", "sums"))
        unsqueeze = sums.nodes["unsqueeze"]
        made.append(
            graph.insert(node, unsqueeze.type, {"X": [x]}, {"Out": [tall]}, unsqueeze.attrs)
        )
        x = tall
    inputs = {"Input": [x], "Filter": [graph.add_param(f"{out.name}.filter", filter)]}
    outputs = {"Output": [convolved]}
    made.append(graph.insert(node, "dynamic_quantize_conv2d", inputs, outputs, attrs))
    if squeeze is not None:
        inputs = {"X": [convolved]}
        made.append(graph.insert(node, squeeze.type, inputs, {"Out": [out]}, squeeze.attrs))
    return made


def _with_bias(match: Match, channels: int) -> np.ndarray | None:
    """The operator's bias in float64, where nothing stands between it and what follows."""
    if has_activation(match.nodes["conv"]):
        return None
    return bias_vector(match.optional_array("%b"), channels)


def _add(match: Match) -> Folded | None:
    channels = len(match.array("%w"))
    bias = _with_bias(match, channels)
    added = channel_vector(
        match.value("%y"), 4, match.nodes["add"].integer("axis", -1), 1, channels
    )
    if bias is None or added is None:
        return None
    total = (bias + added).astype(np.float32)
    return {"y": total} if finite(total) else None


def _batch_norm(match: Match) -> Folded | None:
    conv, norm, channels = match.nodes["conv"], match.nodes["bn"], len(match.array("%w"))
    bias, numbers = _with_bias(match, channels), batch_norm_numbers(norm, channels)
    if bias is None or numbers is None or not is_nchw_batch_norm(norm):
        return None
    factor, mean, shift = numbers
    with np.errstate(all="ignore"):
        scales = (np.array(conv.attrs[_SCALES].value) * factor).astype(np.float32)
        shift = ((bias - mean) * factor + shift).astype(np.float32)
    if not finite(scales, shift):
        return None
    return {"shift": shift, "scales": Attr(AttrType.FLOATS, [float(one) for one in scales])}


_CONV = """
    Output: [%c] = dynamic_quantize_conv2d@conv(
        Input: [%x], Filter: [%w:param], Bias: [%b:param?])
"""

register(
    Pass(
        "dynamic_quantize_conv2d_fuse_pass",
        (
            Rule(
                _CONV + "Out: [%out] = elementwise_add@add(X/Y: [%c], Y/X: [%y:param])",
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%y])",
                _add,
            ),
            Rule(
                _CONV
                + """
                Y: [%out] = batch_norm/sync_batch_norm@bn(
                    X: [%c], Scale: [%scale:param], Bias: [%shift:param],
                    Mean: [%mean:param], Variance: [%var:param])
                """,
                "Output: [%out] = @conv(Input: [%x], Filter: [%w], Bias: [%shift]) "
                f"{{{_SCALES}: var %scales}}",
                _batch_norm,
            ),
        ),
        run=lambda graph, context: fuse_scaled(graph, context, _fuse),
        once=True,
    )
)
