"""Where integers and real numbers meet: calib operators around and inside a subgraph.

In a cluster that goes to a device, operators that compute in integers hand int8 tensors to each
other. Between them and the others stands a ``calib``: inside the cluster where both are in it
(its result is the variable's name and ``/quant`` or ``/dequant``), else in front of or behind it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isclose

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.quantization.fuse import restore_weight
from lite.core.optimizer.quantization.scales import (
    ENABLE_INT8,
    INDEX_SLOTS,
    arguments,
    data_outputs,
    drop_scales,
    drop_simulations,
    get_scale,
    is_int8,
    may_be_quantized,
    set_scale,
)
from lite.core.optimizer.quantization.weights import (
    WeightStore,
    largest_magnitude,
    quantize,
)
from lite.model.program import Attr, AttrType, DataType

CALIB = "calib"


@dataclass
class Calibrated:
    """A cluster with its calib operators.

    ``nodes`` is the cluster in order, in the block; ``before`` and ``after`` are operators for the
    CPU around it. ``scales`` are those of the integer tensors that cross its border.
    """

    nodes: list[Node]
    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    scales: dict[Value, list[float]] = field(default_factory=dict)

    def mark(self, made: Node) -> None:
        """Gives the subgraph operator the scales of its operands, ``Inputs0_scale`` and so on."""
        for slots in (made.inputs, made.outputs):
            for slot, index, value in arguments(slots):
                if value in self.scales:
                    set_scale(made, slot, index, self.scales[value])


def calibrate(
    graph: Graph, cluster: Sequence[Node], floats: Container[Node] = (), float_borders: bool = False
) -> Calibrated:
    """Prepares a cluster of operators, in their order, for a device that computes in integers.

    Operators without scales of their inputs and outputs become float ones, with the real numbers
    of their weights, and so do ``floats``. The variables that are known outside keep their names
    and stay fp32. With ``float_borders`` all calib operators are in the cluster: no integers cross
    its border.
    """
    return _Calibrator(graph, cluster, float_borders).run(floats)


def _quantize_constants(store: WeightStore, node: Node) -> None:
    """Gives the constant operand of an elementwise operator in integers the scale that it fills."""
    if not node.type.startswith(("elementwise_", "fusion_elementwise_")):
        return
    for slot, index, value in list(arguments(node.inputs)):
        array = value.array
        if array is None or array.dtype != np.float32 or get_scale(node, slot, index) is not None:
            continue
        limit = largest_magnitude(array, None)
        limit = limit if limit[0] > 0 else np.ones(1, np.float32)
        steps = quantize(array, limit, 0, 8, 1) if array.ndim else None
        if index or steps is None:
            continue
        store.put(node, slot, value, "steps", partial(np.asarray, steps))
        set_scale(node, slot, index, [float(limit[0]) / 127])


class _Calibrator:
    def __init__(self, graph: Graph, cluster: Sequence[Node], float_borders: bool) -> None:
        self.graph = graph
        self.float_borders = float_borders
        self.members = set(cluster)
        self.result = Calibrated(list(cluster))
        self.made: dict[tuple[Value, float | None], Value] = {}
        self.steps: dict[Value, float] = {}

    def run(self, floats: Container[Node]) -> Calibrated:
        cluster = self.result.nodes
        quantized = {node for node in cluster if is_int8(node) and node not in floats}
        weights = WeightStore(self.graph)
        for node in cluster:
            drop_simulations(node)
            if node in quantized:
                _quantize_constants(weights, node)
            else:
                if node.flag(ENABLE_INT8):
                    restore_weight(self.graph, weights, node)
                drop_scales(node)
        weights.finish()
        self.result.nodes = []
        for node in cluster:
            self._inputs(node, node in quantized)
            self.result.nodes.append(node)
            if node in quantized:
                self._outputs(node)
        return self.result

    def _inputs(self, node: Node, quantized: bool) -> None:
        for slot, index, value in list(arguments(node.inputs)):
            scales = get_scale(node, slot, index) if quantized else None
            if value.is_param:
                if scales is not None:
                    self.result.scales[value] = scales
                continue
            has = self.steps.get(value)
            if has is None and (slot in INDEX_SLOTS or not may_be_quantized(value)):
                continue
            wanted = scales[0] if scales else None
            if has is not None and wanted is not None and isclose(has, wanted, rel_tol=1e-5):
                continue
            if has is None and wanted is None:
                continue
            if has is not None:
                value = self._convert(node, value, None, has)
            if wanted is not None:
                value = self._convert(node, value, wanted, wanted)
            self.graph.replace_input(node, slot, index, value)

    def _outputs(self, node: Node) -> None:
        for slot, index, value in list(data_outputs(node)):
            scales = get_scale(node, slot, index)
            if scales is None:
                continue
            if value.pinned or any(reader not in self.members for reader in value.uses):
                value = self._behind(node, slot, index, value, scales[0])
            value.dtype = DataType.INT8
            self.steps[value] = scales[0]

    def _behind(self, node: Node, slot: str, index: int, value: Value, scale: float) -> Value:
        """The integers of a value that others know too: they get it from a calib behind."""
        inner = self._value(f"{value.name}/int8", value, DataType.INT8, node)
        node.outputs[slot][index] = inner
        for reader in [reader for reader in value.uses if reader in self.members]:
            for at, place, read in list(arguments(reader.inputs)):
                if read is value:
                    self.graph.replace_input(reader, at, place, inner)
        calib = self._calib(node, inner, value, scale)
        if self.float_borders:
            node.block.link(calib, node.next)
            self.members.add(calib)
            self.result.nodes.append(calib)
        else:
            self.result.after.append(calib)
            self.result.scales[inner] = [scale]
        return inner

    def _convert(self, reader: Node, value: Value, wanted: float | None, scale: float) -> Value:
        """A value in steps of ``wanted``, or in real numbers, made once for all readers."""
        known = self.made.get((value, wanted))
        if known is not None:
            return known
        outside = value.producer not in self.members and not self.float_borders
        if outside and (same := self._undone(value, scale)) is not None:
            out = same
        else:
            ending = "dequant" if wanted is None else "quant"
            dtype = DataType.FP32 if wanted is None else DataType.INT8
            out = self._value(f"{value.name}/{ending}", value, dtype, None)
            calib = self._calib(reader, value, out, scale)
            if outside:
                self.result.before.append(calib)
            else:
                reader.block.link(calib, reader)
                self.members.add(calib)
                self.result.nodes.append(calib)
        if wanted is not None:
            self.steps[out] = wanted
            if outside:
                self.result.scales[out] = [wanted]
        self.made[value, wanted] = out
        return out

    def _undone(self, value: Value, scale: float) -> Value | None:
        """The integers from which another subgraph's calib made a value with the same scale."""
        maker = value.producer
        if maker is None or maker.type != CALIB or (value.pinned and not value.stable):
            return None
        source = maker.input("Input")
        if source is None or source.dtype is not DataType.INT8 or not source.stable:
            return None
        return source if isclose(maker.number("scale", 0.0), scale, rel_tol=1e-5) else None

    def _value(self, name: str, like: Value, dtype: DataType, producer: Node | None) -> Value:
        value = Value(self.graph.fresh_name(name), producer)
        value.dtype, value.shape = dtype, like.shape
        return value

    @staticmethod
    def _calib(near: Node, source: Value, out: Value, scale: float) -> Node:
        node = Node(CALIB, near.block)
        node.inputs["Input"], node.outputs["Out"] = [source], [out]
        node.attrs["scale"] = Attr(AttrType.FLOAT, scale)
        source.uses[node] = source.uses.get(node, 0) + 1
        out.producer = node
        return node
