"""Operators that the mixed-precision config names compute in floating point."""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.fuse import restore_weight
from lite.core.optimizer.quantization.scales import drop_scales
from lite.core.optimizer.quantization.weights import WeightStore
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


def _run(graph: Graph, context: Context) -> None:
    partitioner = context.partitioner
    config = partitioner.request.mixed_precision if partitioner is not None else None
    if partitioner is None or config is None:
        return
    from lite.core.optimizer.partition.config import Operator

    nodes = list(graph.nodes())
    descs = [node.desc() for node in nodes]
    match = config.match(
        [
            Operator(
                op.type,
                tuple(op.input_names()),
                tuple(op.output_names()),
                node.block.index,
                at,
            )
            for at, (node, op) in enumerate(zip(nodes, descs, strict=True))
        ]
    )
    if partitioner.request.strict:
        config.refuse(match.complaints)
    for complaint in match.complaints:
        partitioner.warn(f"{config.source}: {complaint}")
    weights = WeightStore(graph)
    for at in match.lines:
        before = [print_op(descs[at])] if context.trace is not None else []
        restored = restore_weight(graph, weights, nodes[at])
        if drop_scales(nodes[at]) or restored:
            context.record(nodes[at].block.index, before, (print_op(nodes[at].desc()),))
    weights.finish()


register(Pass("quantization_parameters_removal_pass", run=_run, once=True))
