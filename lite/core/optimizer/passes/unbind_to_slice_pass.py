"""unbind of a shape becomes slices, which devices know, as older exporters wrote them."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import Attr, AttrType, DataType

_MOST = 8
"""A tensor's dimensions; a longer list is no shape."""


def _divide(graph: Graph, node: Node) -> None:
    x, parts = node.input("X"), node.outputs.get("Out", [])
    whole = x is not None and x.dtype in (DataType.INT32, DataType.INT64)
    if x is None or not whole or x.shape != (len(parts),) or len(parts) > _MOST:
        return
    if node.integer("axis", 0) not in (0, -1) or not x.stable:
        return
    for at, part in enumerate(parts):
        numbers = {"axes": [0], "starts": [at], "ends": [at + 1], "decrease_axis": [0]}
        numbers["infer_flags"] = [1]
        attrs = {name: Attr(AttrType.INTS, value) for name, value in numbers.items()}
        graph.insert(node, "slice", {"Input": [x]}, {"Out": [part]}, attrs)
    graph.remove(node)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for node in block.of_type("unbind"):
            _divide(graph, node)


register(Pass("unbind_to_slice_pass", run=_run))
