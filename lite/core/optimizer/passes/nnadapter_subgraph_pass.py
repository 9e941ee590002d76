"""Replaces what devices support by `subgraph` operators, where partitioning is asked for."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register


def _run(graph: Graph, context: Context) -> None:
    if context.divider is not None:
        for change in context.divider.run():
            context.record(change.block, change.before, (change.after,))


register(Pass("nnadapter_subgraph_pass", run=_run))
