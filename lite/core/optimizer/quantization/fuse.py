"""Fake operators become scales: the rewriting behind ``lite_quant_dequant_fuse_pass``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.quantization.fakes import (
    DEQUANTIZE,
    DYNAMIC_ROUND,
    STATIC_QUANTIZE,
    STATIC_ROUND,
    QuantizedWeight,
    dequantized_product,
    is_observer,
    observed,
    observed_threshold,
    quantized_input,
    rounded_activation,
    rounded_weight,
)
from lite.core.optimizer.quantization.scales import (
    BIT_LENGTH,
    ENABLE_INT8,
    WEIGHT_BITS,
    WEIGHT_SLOTS,
    WEIGHT_STEPS,
    Simulation,
    arguments,
    get_scale,
    set_output_threshold,
    set_scale,
    set_simulation,
)
from lite.core.optimizer.quantization.weights import (
    WeightStore,
    channel_axis,
    dequantize,
    expand,
    largest_magnitude,
    to_steps,
)
from lite.core.optimizer.registry import Context
from lite.model.program import AttrType
from lite.model.text import print_op

_QUANTIZE = (*STATIC_QUANTIZE, "quantize_linear")
_ROUND = (STATIC_ROUND, "dequantize_linear", *DYNAMIC_ROUND)


class Fuser:
    """Takes the fake operators out of a graph, as far as attributes can say the same."""

    def __init__(self, graph: Graph, context: Context) -> None:
        self.graph = graph
        self.context = context
        self.weights = WeightStore(graph)

    def run(self) -> None:
        """Every block: observers, products of steps, rounded activations, rounded weights."""
        for block in self.graph.blocks:
            self._each(block, ("moving_average_abs_max_scale", *_QUANTIZE), self._skip_observer)
            self._each(block, ("dequantize_linear",), self._skip_observer)
            self._each(block, tuple(DEQUANTIZE), self._fuse_product)
            self._each(block, (STATIC_ROUND, "dequantize_linear"), self._fuse_activation)
            self._each(block, _ROUND, self._fuse_weight)
            self._each(block, _ROUND, self._drop)
            self._each(block, _QUANTIZE, self._drop)
        self.weights.finish()

    def _each(self, block: Block, types: tuple[str, ...], change: Callable[[Node], bool]) -> None:
        for node in block.of_type(*types):
            traced = self.context.trace is not None
            before = [print_op(node.desc())] if traced else []
            if change(node):
                self.context.record(block.index, before, ())

    def _skip_observer(self, node: Node) -> bool:
        source, out = observed(node)
        if not is_observer(node) or source is None or out is None:
            return False
        self._keep_range(source, observed_threshold(node))
        if self.graph.can_forward(out, source):
            self.graph.forward(out, source)
            return self._drop(node)
        if not source.stable:
            return False
        for reader in [r for r in out.uses if r.block is node.block and r.type != "fetch"]:
            for slot, index, value in list(arguments(reader.inputs)):
                if value is out:
                    self.graph.replace_input(reader, slot, index, source)
        return self._drop(node)

    @staticmethod
    def _keep_range(source: Value, threshold: float | None) -> None:
        """What was observed of an operator's result is its output's threshold."""
        for slot, index, value in arguments(source.producer.outputs if source.producer else {}):
            if value is source and source.producer is not None and threshold is not None:
                set_output_threshold(source.producer, slot, index, threshold)

    def _drop(self, node: Node) -> bool:
        """Takes an operator out if nobody reads what it writes.

        A stored scale that an exporter keeps as a parameter is no reason to write it.
        """
        main = node.output("Out") or node.output("Y")
        others = [value for value in node.output_values() if value is not main]
        if main is None or not main.dead or any(v.uses or v.hidden_uses for v in others):
            return False
        self.graph.remove(node)
        return True

    # -- fake_quantize -> operator on steps -> fake_dequantize

    def _fuse_product(self, node: Node) -> bool:
        product, out = node.input("X"), node.output("Out")
        op = None if product is None else product.producer
        slots = WEIGHT_SLOTS.get(op.type) if op is not None else None
        if op is None or product is None or out is None or slots is None:
            return False
        steps, weight = op.input(slots[0]), op.input(slots[1])
        if steps is None or weight is None or weight.array is None or op.input("Bias") is not None:
            return False
        found = quantized_input(steps.producer) if steps.producer is not None else None
        axis = channel_axis(op, weight.array)
        if found is None or axis is None or list(product.uses.values()) != [1]:
            return False
        source, simulation = found
        if product.pinned or op.block is not node.block or not (source.stable and out.stable):
            return False
        scales = self._product_scales(node, op, product, weight, simulation, axis)
        integers = to_steps(weight.array, 8)
        if scales is None or integers is None:
            return False
        self.weights.put(op, slots[1], weight, "steps", lambda: integers)
        self.graph.replace_input(op, slots[0], 0, source)
        self._mark(op, slots, simulation, scales)
        self.graph.absorb(op, product, node, out)
        return True

    @staticmethod
    def _product_scales(
        node: Node, op: Node, product: Value, weight: Value, simulation: Simulation, axis: int
    ) -> list[float] | None:
        if weight.array is None or simulation.bits != 8 or weight.array.shape[axis] == 0:
            return None
        is_matmul = WEIGHT_SLOTS[op.type][1] != "Filter"
        along = 1
        if is_matmul:
            along = node.integer("x_num_col_dims", 1)
            if product.rank is not None and along != product.rank - 1:
                return None
        count = weight.array.shape[axis]
        return dequantized_product(node, simulation.threshold, simulation.bits, along, count)

    @staticmethod
    def _mark(
        op: Node, slots: tuple[str, str], simulation: Simulation | None, scales: list[float]
    ) -> None:
        if simulation is not None:
            set_simulation(op, slots[0], 0, simulation)
        set_scale(op, slots[1], 0, scales)
        op.set_attr(ENABLE_INT8, AttrType.BOOLEAN, True)
        op.set_attr(BIT_LENGTH, AttrType.INT, 8)

    # -- rounded activations and weights

    def _fuse_activation(self, node: Node) -> bool:
        found = rounded_activation(node)
        if found is None:
            return False
        source, out, simulation = found
        if source.is_param or simulation.bits != 8 or not source.stable:
            return False
        changed = False
        for reader in list(out.uses):
            if reader.type == "fetch" or reader.block is not node.block or reader.type in _QUANTIZE:
                continue
            for slot, values in reader.inputs.items():
                for index, value in enumerate(values):
                    if value is out:
                        self.graph.replace_input(reader, slot, index, source)
                        set_simulation(reader, slot, index, simulation)
                        changed = True
            slots = WEIGHT_SLOTS.get(reader.type)
            if slots and all(get_scale(reader, slot) for slot in slots):
                reader.set_attr(ENABLE_INT8, AttrType.BOOLEAN, True)
                reader.set_attr(BIT_LENGTH, AttrType.INT, 8)
        return changed

    def _fuse_weight(self, node: Node) -> bool:
        found = rounded_weight(node)
        if found is None:
            return False
        weight, out = found
        if weight.numbers() is None:
            return False
        changed = False
        for reader in list(out.uses):
            slots = WEIGHT_SLOTS.get(reader.type)
            if (
                slots is not None
                and reader.input(slots[1]) is out
                and self._to_int8(reader, slots, weight)
            ):
                changed = True
        if out.uses and self.graph.can_vanish(out):
            numbers = weight.numbers()
            if numbers is not None:
                self.graph.replace_by_param(out, numbers)
                changed = True
        return changed

    def _to_int8(self, op: Node, slots: tuple[str, str], weight: QuantizedWeight) -> bool:
        """Lets an operator whose activation is quantised too have its weight in integers."""
        source = weight.source
        if weight.bits > 8 or source.array is None or get_scale(op, slots[0]) is None:
            return False
        axis = channel_axis(op, source.array)
        if axis is None or (len(weight.scales) > 1 and axis != weight.axis):
            return False
        steps = weight.steps()
        scales = expand(list(weight.scales), source.array.shape[axis])
        if steps is None or steps.dtype != np.int8 or not all(s > 0 for s in scales):
            return False
        self.weights.put(op, slots[1], source, ("steps", weight.scales), lambda: steps)
        # The graph counted this read for the result; the operand is the weight itself now.
        self._mark(op, slots, None, scales)
        return True


def restore_weight(graph: Graph, store: WeightStore, op: Node) -> bool:
    """Gives an operator whose weight is in integers the real numbers; says whether it did."""
    slots = WEIGHT_SLOTS.get(op.type)
    weight = op.input(slots[1]) if slots else None
    if slots is None or weight is None or weight.array is None:
        return False
    array, scales = weight.array, get_scale(op, slots[1])
    axis = channel_axis(op, array)
    if array.dtype not in (np.int8, np.int16) or scales is None or axis is None:
        return False
    if len(scales) not in (1, array.shape[axis]):
        return False
    key = ("numbers", tuple(scales), axis)
    store.put(op, slots[1], weight, key, lambda: dequantize(array, scales, axis))
    # The weight may be stored in integers again.
    op.set_attr(WEIGHT_BITS, AttrType.INT, array.dtype.itemsize * 8)
    largest = largest_magnitude(array.astype(np.int32), axis)
    if (largest != np.iinfo(array.dtype).max).any():
        op.set_attr(WEIGHT_STEPS, AttrType.INTS, [int(step) for step in largest])
    return True
