"""What stays on the CPU computes in floating point, rounded where the program rounds.

Paddle runs an exported quantised program so: each quantised activation is rounded to its grid, the
weight is a multiple of its scale, and the operator itself computes in floats.
"""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.kernel_pick import has_int8_kernel
from lite.core.optimizer.quantization.fakes import STATIC_ROUND
from lite.core.optimizer.quantization.fuse import restore_weight
from lite.core.optimizer.quantization.scales import (
    ENABLE_INT8,
    Simulation,
    arguments,
    drop_scales,
    get_simulation,
)
from lite.core.optimizer.quantization.weights import WeightStore
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import Attr, AttrType, DataType
from lite.model.text import print_op


class _Simulator:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.weights = WeightStore(graph)
        self.rounded: dict[tuple[int, Value, Simulation], Value] = {}
        self.thresholds: dict[float, Value] = {}

    def change(self, node: Node) -> bool:
        """Rounds what a node reads as the program did, and makes the node a float one."""
        if node.type == "subgraph" or has_int8_kernel(node):
            return False
        changed = False
        for slot, index, value in list(arguments(node.inputs)):
            simulation = get_simulation(node, slot, index)
            if simulation is not None:
                rounded = self.round(node, value, simulation)
                self.graph.replace_input(node, slot, index, rounded)
                changed = True
        if node.flag(ENABLE_INT8):
            restore_weight(self.graph, self.weights, node)
        return drop_scales(node) or changed

    def round(self, reader: Node, value: Value, simulation: Simulation) -> Value:
        key = (reader.block.index, value, simulation)
        known = self.rounded.get(key)
        if known is not None:
            return known
        threshold = self.thresholds.get(simulation.threshold)
        if threshold is None:
            array = np.array([simulation.threshold], np.float32)
            threshold = self.graph.add_param(f"{value.name}@threshold", array)
            self.thresholds[simulation.threshold] = threshold
        out = Value(self.graph.fresh_name(f"{value.name}.quant_dequant"))
        out.dtype, out.shape = DataType.FP32, value.shape
        attrs = {
            "bit_length": Attr(AttrType.INT, simulation.bits),
            "round_type": Attr(AttrType.INT, simulation.round_type),
            "is_test": Attr(AttrType.BOOLEAN, True),
        }
        inputs = {"X": [value], "InScale": [threshold]}
        self.graph.insert(reader, STATIC_ROUND, inputs, {"Out": [out]}, attrs)
        if value.stable:
            self.rounded[key] = out
        return out


def _run(graph: Graph, context: Context) -> None:
    simulator = _Simulator(graph)
    for block in graph.blocks:
        for node in block:
            before = [print_op(node.desc())] if context.trace is not None else []
            if simulator.change(node):
                after = [print_op(node.desc())] if context.trace is not None else []
                context.record(block.index, before, after)
    simulator.weights.finish()


register(Pass("quantization_simulation_pass", run=_run, once=True))
