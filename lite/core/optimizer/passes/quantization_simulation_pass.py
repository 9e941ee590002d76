"""What stays on the CPU computes in floating point, rounded where the program rounds.

Paddle runs an exported quantised program so: each quantised activation is rounded to its grid, the
weight is a multiple of its scale, and the operator itself computes in floats.
"""

from __future__ import annotations

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.quantization.simulation import Simulator
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.text import print_op


def _run(graph: Graph, context: Context) -> None:
    simulator = Simulator(graph)
    for block in graph.blocks:
        for node in block:
            before = [print_op(node.desc())] if context.trace is not None else []
            if simulator.change(node):
                after = [print_op(node.desc())] if context.trace is not None else []
                context.record(block.index, before, after)
    simulator.weights.finish()


register(Pass("quantization_simulation_pass", run=_run, once=True))
