"""Operators whose results nobody reads go, together with what only they read."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        node = block.last
        while node is not None:
            previous = node.prev
            line = print_op(node.desc()) if context.trace is not None else ""
            if graph.remove_dead(node):
                context.record(block.index, (line,), ())
            node = previous


register(Pass("dead_code_eliminate_pass", run=_run))
