"""What real Paddle Lite 2.13 demands of operators where newer exporters leave it out.

Some operators need outputs that nobody reads, such as XShape; many need attributes that newer
exporters leave out because they have their default; fetch needs a data_type.
"""

from __future__ import annotations

from typing import Any

from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.kernel_pick import PRECISIONS
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.shape_rules import COMPARISONS
from lite.model.program import AttrType

_B, _F, _S = AttrType.BOOLEAN, AttrType.FLOAT, AttrType.STRING
_I, _IS, _LS = AttrType.INT, AttrType.INTS, AttrType.LONGS
_LARGEST = 3.4028234663852886e38  # of float32

_DEFAULTS: dict[str, dict[str, tuple[AttrType, Any]]] = {
    "clip": {"min": (_F, -_LARGEST), "max": (_F, _LARGEST)},
    "concat": {"axis": (_I, 0)},
    "bicubic_interp_v2": {"out_h": (_I, -1), "out_w": (_I, -1)},
    "expand_v2": {"shape": (_IS, [])},
    "fill_constant": {"force_cpu": (_B, False), "value": (_F, 0.0), "str_value": (_S, "")},
    "relu6": {"threshold": (_F, 6.0)},
    "set_value": {
        "shape": (_LS, []),
        "starts": (_LS, []),
        "ends": (_LS, []),
        "steps": (_LS, []),
        "fp32_values": (AttrType.FLOATS, []),
        "int32_values": (_IS, []),
        "int64_values": (_LS, []),
        "bool_values": (_IS, []),
    },
    "scale": {"scale": (_F, 1.0), "bias": (_F, 0.0), "bias_after_scale": (_B, True)},
    "split": {"axis": (_I, 0), "sections": (_IS, []), "num": (_I, 0)},
    "strided_slice": {"decrease_axis": (_IS, [])},
    "swish": {"beta": (_F, 1.0)},
    **{type: {"force_cpu": (_B, False), "axis": (_I, -1)} for type in COMPARISONS},
}
"""Attributes without which real Paddle Lite ends the process, with their defaults."""

_OUTPUTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("flatten_contiguous_range", "reshape2", "squeeze2", "unsqueeze2", "transpose2"),
        ("XShape",),
    ),
    "group_norm": ("Mean", "Variance"),
    "instance_norm": ("SavedMean", "SavedVariance"),
    "layer_norm": ("Mean", "Variance"),
    "rnn": ("DropoutState", "Reserve"),
}
"""Outputs that real Paddle Lite must find although nobody reads them."""


def _add_outputs(graph: Graph, node: Node) -> None:
    out = node.output("Out") or node.output("Y")
    for slot in _OUTPUTS[node.type]:
        if out is None or node.output(slot) is not None:
            continue
        value = Value(graph.fresh_name(f"{out.name}.{slot.lower()}"), node)
        value.dtype = out.dtype
        node.outputs[slot] = [value]


def _complete(graph: Graph, block: Block) -> None:
    for node in block.of_type(*_OUTPUTS):
        _add_outputs(graph, node)
    for node in block.of_type(*_DEFAULTS):
        for name, (type, value) in _DEFAULTS[node.type].items():
            if name not in node.attrs:
                node.set_attr(name, type, value)
    for node in block.of_type("strided_slice"):
        if "infer_flags" not in node.attrs:
            node.set_attr("infer_flags", _IS, [1] * len(node.integers("axes")))
    for node in block.of_type(*(t for t in block.by_type if t.startswith("reduce_"))):
        dim = node.attrs.get("dim")
        if dim is not None and dim.type is AttrType.LONGS:
            node.set_attr("dim", AttrType.INTS, dim.value)
    for node in block.of_type("fetch"):
        value = node.input("X")
        if value is not None and value.dtype is not None:
            number = PRECISIONS.get(value.dtype, 1)
            node.set_attr("data_type", AttrType.INT, number)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        _complete(graph, block)


register(Pass("lite_compatibility_pass", run=_run, final=True))
