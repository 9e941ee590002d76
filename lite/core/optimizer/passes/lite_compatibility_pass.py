"""What real Paddle Lite 2.13 demands of operators where newer exporters leave it out.

flatten_contiguous_range needs an XShape output, relu6 its threshold, fetch a data_type.
"""

from __future__ import annotations

from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.kernel_pick import PRECISIONS
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType

_XSHAPE = ("flatten_contiguous_range", "reshape2", "squeeze2", "unsqueeze2", "transpose2")


def _add_xshape(graph: Graph, node: Node) -> None:
    out = node.output("Out")
    if out is None or node.output("XShape") is not None:
        return
    value = Value(graph.fresh_name(f"{out.name}.xshape"), node)
    value.dtype = out.dtype
    node.outputs["XShape"] = [value]


def _complete(graph: Graph, block: Block) -> None:
    for node in block.of_type(*_XSHAPE):
        _add_xshape(graph, node)
    for node in block.of_type("relu6"):
        if "threshold" not in node.attrs:
            node.set_attr("threshold", AttrType.FLOAT, 6.0)
    for node in block.of_type("fetch"):
        value = node.input("X")
        if value is not None and value.dtype is not None:
            number = PRECISIONS.get(value.dtype, 1)
            node.set_attr("data_type", AttrType.INT, number)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        _complete(graph, block)


register(Pass("lite_compatibility_pass", run=_run, final=True))
