"""Operators that the mixed-precision config names compute in floating point."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.fuse import restore_weight
from lite.core.optimizer.quantization.scales import drop_scales
from lite.core.optimizer.quantization.weights import WeightStore
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


def _run(graph: Graph, context: Context) -> None:
    if context.divider is None:
        return
    nodes = list(graph.nodes())
    named = context.divider.floats(nodes)
    if not named:
        return
    weights = WeightStore(graph)
    for at in named:
        before = [print_op(nodes[at].desc())] if context.trace is not None else []
        restored = restore_weight(graph, weights, nodes[at])
        if drop_scales(nodes[at]) or restored:
            context.record(nodes[at].block.index, before, (print_op(nodes[at].desc()),))
    weights.finish()


register(Pass("quantization_parameters_removal_pass", run=_run, once=True))
