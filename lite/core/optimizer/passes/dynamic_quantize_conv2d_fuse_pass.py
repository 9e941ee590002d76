"""ONNX's DynamicQuantizeLinear, ConvInteger and the scales behind it become one operator, whose
scales and Bias take in what follows for each channel."""

from __future__ import annotations

from dataclasses import dataclass

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
from lite.core.optimizer.quantization.weights import beyond_bytes
from lite.core.optimizer.registry import Pass, register
from lite.model.program import Attr, AttrType

_SCALES = "int8_weight_scales"
_TO_FLOAT = {"out_dtype": Attr(AttrType.INT, 5), "in_dtype": Attr(AttrType.INT, 2)}
_POINTS = {
    "strides": Attr(AttrType.INTS, [1, 1]),
    "paddings": Attr(AttrType.INTS, [0, 0]),
    "dilations": Attr(AttrType.INTS, [1, 1]),
    "groups": Attr(AttrType.INT, 1),
}
_AXIS = {"axis": Attr(AttrType.INT, -1)}
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


@dataclass(frozen=True)
class _Operands:
    x: Value
    filter: np.ndarray
    move: np.ndarray
    """What each number of an output channel lacks, by which the window's own sum is multiplied."""
    scales: np.ndarray
    attrs: dict[str, Attr]
    sums: Match
    bias: Value | None
    """Integers that are added to the sums, as ONNX Runtime's quantisers before 1.5 write it."""


def _adds(node: Node) -> bool:
    return node.type == "elementwise_add" and node.integer("axis", -1) == -1


def _operands(graph: Graph, scaled: Match) -> _Operands | None:
    found, bias = scaled.value("%sums"), None
    sums = made_by(graph, found, *_SUMS)
    add = found.producer
    if sums is None and add is not None and _adds(add):
        sums, bias = made_by(graph, add.input("X"), *_SUMS), add.input("Y")
    if sums is None:
        return None
    byte, point, step = sums.value("%byte"), sums.value("%point"), scaled.value("%scale")
    x = rounded_input(graph, scaled.root.block, byte, point, step)
    conv, weight = sums.nodes["conv"], sums.array("%weight")
    rank = 3 if "squeeze" in sums.nodes else 4
    moved = _bytes_of(weight) if x is not None else None
    if x is None or moved is None:
        return None
    one_each = weight.shape[1] == 1  # channel of the input for one of the output: a window each
    if moved[1].any() and conv.integer("groups", 1) != 1 and not one_each:
        return None
    scales = channel_vector(scaled.value("%weight_scale"), rank, -1, 1, len(weight))
    if scales is None or weight[0].size > _core.MAX_INT8_SUMMANDS or not finite(scales):
        return None
    attrs = {name: conv.attrs[name] for name in _ATTRIBUTES if name in conv.attrs}
    return _Operands(x, *moved, np.asarray(scales, np.float32), attrs, sums, bias)


def _bytes_of(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """A filter in int8, and what was taken from each number of an output channel for that."""
    rows = weight.reshape(len(weight), -1)
    move = beyond_bytes(rows.min(1), rows.max(1))
    kept = weight - move.reshape(-1, 1, 1, 1)
    filter = kept.astype(np.int8)
    return (filter, move) if np.array_equal(filter, kept) else None


class _Maker:
    """Puts operators in front of a node, one behind the other."""

    def __init__(self, graph: Graph, node: Node) -> None:
        self.graph, self.node = graph, node
        self.name = node.outputs["Out"][0].name
        self.made: list[Node] = []

    def value(self, part: str) -> Value:
        return Value(self.graph.fresh_name(f"{self.name}.{part}"))

    def param(self, part: str, array: np.ndarray) -> Value:
        return self.graph.add_param(f"{self.name}.{part}", array)

    def put(
        self, type: str, inputs: dict[str, Value], slot: str, out: Value, attrs: dict[str, Attr]
    ) -> Value:
        given = {name: [value] for name, value in inputs.items()}
        self.made.append(self.graph.insert(self.node, type, given, {slot: [out]}, attrs))
        return out

    def convolve(
        self, x: Value, filter: Value, scales: np.ndarray, out: Value, attrs: dict[str, Attr]
    ) -> Value:
        attrs = {**attrs, _SCALES: Attr(AttrType.FLOATS, [float(one) for one in scales])}
        inputs = {"Input": x, "Filter": filter}
        return self.put("dynamic_quantize_conv2d", inputs, "Output", out, attrs)


def _far(maker: _Maker, of: _Operands, x: Value) -> Value:
    """The windows' own sums times what the filter lacks."""
    lacks = (of.move * of.scales).astype(np.float32).reshape(-1, 1, 1, 1)
    each = of.sums.nodes["conv"].integer("groups", 1) > 1
    ones = maker.param("ones", np.ones_like(of.filter if each else of.filter[:1]))
    window = maker.convolve(x, ones, np.ones(1), maker.value("window"), of.attrs)
    far = maker.value("far")
    if each:
        factor = maker.param("lacks", lacks.reshape(1, -1, 1, 1))
        return maker.put("elementwise_mul", {"X": window, "Y": factor}, "Out", far, _AXIS)
    # By a convolution, since what follows goes into its end, in its layout.
    inputs = {"Input": window, "Filter": maker.param("lacks", lacks)}
    return maker.put("conv2d", inputs, "Output", far, _POINTS)


def _fuse(graph: Graph, scaled: Match) -> list[Node] | None:
    """The operator, between those that make images of lines and lines of images."""
    of = _operands(graph, scaled)
    if of is None:
        return None
    maker, x, result = _Maker(graph, scaled.root), of.x, scaled.root.outputs["Out"][0]
    out = result if of.bias is None else maker.value("without_bias")
    convolved, squeeze = out, of.sums.nodes.get("squeeze")
    if squeeze is not None:
        unsqueeze, convolved = of.sums.nodes["unsqueeze"], maker.value("sums")
        x = maker.put(unsqueeze.type, {"X": x}, "Out", maker.value("tall"), unsqueeze.attrs)
    filter, moved = maker.param("filter", of.filter), of.move.any()
    near = maker.value("near") if moved else convolved
    maker.convolve(x, filter, of.scales, near, of.attrs)
    if moved:
        far = _far(maker, of, x)
        maker.put("elementwise_add", {"X": far, "Y": near}, "Out", convolved, _AXIS)
    if squeeze is not None:
        maker.put(squeeze.type, {"X": convolved}, "Out", out, squeeze.attrs)
    if of.bias is not None:
        real = maker.put("cast", {"X": of.bias}, "Out", maker.value("bias"), _TO_FLOAT)
        factor = {"X": real, "Y": scaled.value("%factor")}
        bias = maker.put("elementwise_mul", factor, "Out", maker.value("step"), _AXIS)
        maker.put("elementwise_add", {"X": out, "Y": bias}, "Out", result, _AXIS)
    return maker.made


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
