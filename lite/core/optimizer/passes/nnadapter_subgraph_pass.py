"""Replaces what devices support by `subgraph` operators, where partitioning is asked for."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register


def _run(graph: Graph, context: Context) -> None:
    if context.partitioner is not None:
        placement = context.partitioner.run()
        for info in placement.subgraphs:
            lines = [placement.operators[at].label for at in info.operators]
            context.record(info.block, lines, (f"subgraph {info.id}",))


register(Pass("nnadapter_subgraph_pass", run=_run))
