"""max_pool2d_with_index whose indexes nobody reads becomes pool2d, which devices know."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType


def _simplify(graph: Graph, node: Node) -> None:
    x, out, mask = node.input("X"), node.output("Out"), node.output("Mask")
    if x is None or out is None or (mask is not None and not mask.dead):
        return
    size = node.integers("ksize")
    whole = node.flag("global_pooling") or (node.flag("adaptive") and size == [1, 1])
    if node.flag("adaptive") and not whole:
        return  # pool2d's windows are others
    attrs = dict(node.attrs)
    pool = graph.insert(node, "pool2d", {"X": [x]}, {"Out": [out]}, attrs)
    pool.set_attr("pooling_type", AttrType.STRING, "max")
    pool.set_attr("global_pooling", AttrType.BOOLEAN, whole)
    pool.set_attr("adaptive", AttrType.BOOLEAN, False)
    for name, value in (("exclusive", True), ("ceil_mode", node.flag("ceil_mode"))):
        pool.set_attr(name, AttrType.BOOLEAN, value)
    for name, default in (("strides", [1, 1]), ("paddings", [0, 0])):
        pool.set_attr(name, AttrType.INTS, node.integers(name, default))
    pool.set_attr("padding_algorithm", AttrType.STRING, "EXPLICIT")
    pool.set_attr("data_format", AttrType.STRING, "NCHW")
    graph.remove(node)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for node in block.of_type("max_pool2d_with_index"):
            _simplify(graph, node)


register(Pass("max_pool_index_eliminate_pass", run=_run))
