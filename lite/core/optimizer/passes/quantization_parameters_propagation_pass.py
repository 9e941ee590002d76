"""Scales spread between neighbours, ahead of partitioning."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.propagation import (
    Propagation,
    has_scales,
    level_of,
    thresholds_of,
)
from lite.core.optimizer.registry import Context, Pass, register


def _run(graph: Graph, context: Context) -> None:
    if context.divider is None or not has_scales(graph):
        return
    found = Propagation(graph, level_of(), thresholds_of()).run()
    if found:
        context.record(0, (), (f"{found} operands have a scale now",))


register(Pass("quantization_parameters_propagation_pass", run=_run, once=True))
