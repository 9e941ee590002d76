"""Scales become operators again: what rounds an operand stands in front of whoever reads it."""

from __future__ import annotations

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.kernel_pick import has_int8_kernel
from lite.core.optimizer.quantization.fakes import AFFINE_ROUND, STATIC_ROUND
from lite.core.optimizer.quantization.fuse import restore_weight
from lite.core.optimizer.quantization.scales import (
    ENABLE_INT8,
    WEIGHT_SLOTS,
    Simulation,
    arguments,
    drop_scales,
    get_scale,
    get_simulation,
)
from lite.core.optimizer.quantization.weights import (
    WeightStore,
    channel_axis,
    restore_stored,
    stored_scales,
    stored_weights,
)
from lite.model.program import Attr, AttrType, DataType


class Simulator:
    """Makes float operators of those in integers, rounded where the program rounds.

    With ``as_steps``, roundings to 8 bits are those of QuantizeLinear and its inverse, which have
    halves to even and one step more below zero, and weights stay in integers behind
    ``dequantize_linear``.
    """

    def __init__(self, graph: Graph, as_steps: bool = False) -> None:
        self.graph = graph
        self.as_steps = as_steps
        self.weights = WeightStore(graph)
        self.rounded: dict[tuple[int, Value, Simulation], Value] = {}
        self.thresholds: dict[float, Value] = {}
        self.dequantized: dict[tuple[int, Value, int, tuple[float, ...]], Value] = {}

    def change(self, node: Node) -> bool:
        """Rounds what a node reads as the program did, and makes the node a float one."""
        if node.type == "subgraph" or has_int8_kernel(node):
            return False
        changed = False
        for slot, index, value in list(arguments(node.inputs)):
            simulation = get_simulation(node, slot, index)
            if simulation is not None:
                rounded = self._round(node, value, simulation)
                self.graph.replace_input(node, slot, index, rounded)
                changed = True
        if self.as_steps:
            for slot, weight, array in list(stored_weights(node)):
                self._dequantize_stored(node, slot, weight, array)
                changed = True
        if node.flag(ENABLE_INT8) and not (self.as_steps and self._dequantize_int8(node)):
            restore_weight(self.graph, self.weights, node)
        return drop_scales(node) or changed

    def _round(self, reader: Node, value: Value, simulation: Simulation) -> Value:
        key = (reader.block.index, value, simulation)
        known = self.rounded.get(key)
        if known is not None:
            return known
        out = Value(self.graph.fresh_name(f"{value.name}.quant_dequant"))
        out.dtype, out.shape = DataType.FP32, value.shape
        if self.as_steps and simulation.bits == 8:
            grid = {"scale": Attr(AttrType.FLOAT, simulation.scale)}
            for name, number in (("zero_point", 0), ("quant_min", -128), ("quant_max", 127)):
                grid[name] = Attr(AttrType.INT, number)
            self.graph.insert(reader, AFFINE_ROUND, {"X": [value]}, {"Out": [out]}, grid)
        else:
            attrs = {
                "bit_length": Attr(AttrType.INT, simulation.bits),
                "round_type": Attr(AttrType.INT, simulation.round_type),
                "is_test": Attr(AttrType.BOOLEAN, True),
            }
            inputs = {"X": [value], "InScale": [self._threshold(value, simulation.threshold)]}
            self.graph.insert(reader, STATIC_ROUND, inputs, {"Out": [out]}, attrs)
        if value.stable:
            self.rounded[key] = out
        return out

    def _threshold(self, value: Value, number: float) -> Value:
        if number not in self.thresholds:
            array = np.array([number], np.float32)
            self.thresholds[number] = self.graph.add_param(f"{value.name}@threshold", array)
        return self.thresholds[number]

    def _dequantize_stored(self, node: Node, slot: str, weight: Value, array: np.ndarray) -> None:
        if array.dtype == np.int8:
            self._dequantize(node, slot, weight, *stored_scales(node, weight, array))
        else:
            restore_stored(self.weights, node, slot, weight, array)

    def _dequantize_int8(self, node: Node) -> bool:
        slot = WEIGHT_SLOTS[node.type][1] if node.type in WEIGHT_SLOTS else ""
        weight, scales = node.input(slot), get_scale(node, slot)
        if weight is None or weight.array is None or weight.array.dtype != np.int8 or not scales:
            return False
        axis = channel_axis(node, weight.array)
        if axis is None or len(scales) not in (1, weight.array.shape[axis]):
            return False
        self._dequantize(node, slot, weight, scales, axis)
        return True

    def _dequantize(
        self, node: Node, slot: str, weight: Value, scales: list[float], axis: int
    ) -> None:
        """Has an operator behind a weight make real numbers of its steps, for all readers."""
        key = (node.block.index, weight, axis, tuple(scales))
        out = self.dequantized.get(key)
        if out is None:
            limits = np.asarray(scales, np.float32) * 127
            out = Value(self.graph.fresh_name(f"{weight.name}.dequantized"))
            out.dtype, out.shape = DataType.FP32, weight.shape
            attrs = {
                "bit_length": Attr(AttrType.INT, 8),
                "quant_axis": Attr(AttrType.INT, -1 if len(scales) == 1 else axis),
            }
            scale = self.graph.add_param(f"{weight.name}@scale", limits)
            inputs = {"X": [weight], "Scale": [scale]}
            self.graph.insert(node, "dequantize_linear", inputs, {"Y": [out]}, attrs)
            self.dequantized[key] = out
        self.graph.replace_input(node, slot, 0, out)
