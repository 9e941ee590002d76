"""Marks operators that only change a tensor's shape and may keep its memory: ``inplace``."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import AttrType
from lite.model.text import print_op

_TYPES = (
    "reshape",
    "reshape2",
    "squeeze",
    "squeeze2",
    "unsqueeze",
    "unsqueeze2",
    "flatten",
    "flatten2",
    "flatten_contiguous_range",
)


def _may_share(node: Node) -> bool:
    x, out = node.input("X"), node.output("Out")
    if x is None or out is None or x.is_param or x.pinned or out.pinned:
        return False
    if x.producer is None or x.producer.type == "feed" or sum(x.uses.values()) != 1:
        return False
    return x.stable and out.stable and not any(user.type == "fetch" for user in out.uses)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for node in block.of_type(*_TYPES):
            if not node.flag("inplace") and _may_share(node):
                before = print_op(node.desc()) if context.trace is not None else ""
                node.set_attr("inplace", AttrType.BOOLEAN, True)
                after = print_op(node.desc()) if context.trace is not None else ""
                context.record(block.index, (before,), (after,))


register(Pass("lite_inplace_fuse_pass", run=_run, final=True))
