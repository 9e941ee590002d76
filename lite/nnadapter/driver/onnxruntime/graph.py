"""From NNAdapter operations to ONNX nodes: a function of an Emitter each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lite.model.onnx.writer import GraphWriter, Names, describe, element_type, new_model
from lite.nnadapter.driver.attributes import channel_scales, quantised_limits, shape_numbers
from lite.nnadapter.driver.emitter import OperationEmitter, registrar
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Model, Operand, Operation
from lite.nnadapter.types import FuseCode

Function = Callable[["Emitter"], Any]

OPSET = 20
IR_VERSION = 9

OPERATIONS: dict[str, Function] = {}

operation = registrar(OPERATIONS)


class Graph(GraphWriter):
    """The names of a model's values while it becomes a ModelProto."""

    def __init__(self) -> None:
        self.proto = new_model(OPSET, IR_VERSION, "nnadapter")
        super().__init__(self.proto.graph, Names())
        self._stored: dict[int, str] = {}
        self._real: dict[int, str] = {}

    def add_input(self, operand: Operand) -> None:
        """Makes an operand an input."""
        self._stored[operand.index] = name = f"input{operand.index}"
        describe(self.proto.graph.input.add(name=name), operand.dtype, operand.shape)

    def stored(self, operand: Operand) -> str:
        """An operand's elements as its memory holds them."""
        name = self._stored.get(operand.index)
        if name is None:
            if not operand.is_constant:
                raise Unsupported(f"{operand} is not computed before it is used")
            name = self._stored[operand.index] = self.constant(operand.value, operand.dtype)
        return name

    def real(self, operand: Operand) -> str:
        """An operand's real numbers: a quantised one is dequantised."""
        quant = operand.type.quantisation
        if quant is None:
            return self.stored(operand)
        name = self._real.get(operand.index)
        if name is None:
            name = self.node("Cast", [self.stored(operand)], to=1)
            if quant.zero_point:
                name = self.node("Sub", [name, self.constant(float(quant.zero_point))])
            name = self.node("Mul", [name, self.constant(channel_scales(operand))])
            self._real[operand.index] = name
        return name

    def define(self, operand: Operand, name: str) -> None:
        """Sets an operand from its real numbers, in its element type."""
        if operand.type.quantisation is not None:
            name = self._quantise(operand, name)
        if operand.shape in ((), (1,)):  # a scalar, with an axis or without
            target = self.constant(np.ones(len(operand.shape), np.int64))
            name = self.node("Reshape", [name, target])
        self._stored[operand.index] = self.node("Cast", [name], to=element_type(operand.dtype))

    def _quantise(self, operand: Operand, name: str) -> str:
        quant = operand.type.quantisation
        assert quant is not None
        low, high = quantised_limits(operand)
        scaled = self.node("Div", [name, self.constant(channel_scales(operand))])
        # Ties away from zero, where Round has them to even.
        size = self.node(
            "Floor", [self.node("Add", [self.node("Abs", [scaled]), self.constant(0.5)])]
        )
        name = self.node("Mul", [size, self.node("Sign", [scaled])])
        if quant.zero_point:
            name = self.node("Add", [name, self.constant(float(quant.zero_point))])
        return str(self.node("Clip", [name, self.constant(low), self.constant(high)]))

    def emit(self, op: Operation) -> None:
        """Adds an operation. Raises Unsupported with the reason where it cannot be done."""
        function = OPERATIONS.get(op.type)
        if function is None:
            raise Unsupported(f"the ONNX Runtime device has no {op.type}")
        result = function(Emitter(self, op))
        results = result if isinstance(result, tuple | list) else (result,)
        for operand, name in zip(op.outputs, results, strict=False):
            if operand is not None:
                self.define(operand, name)

    def finish(self, outputs: Sequence[Operand]) -> bytes:
        """The model's bytes; output i is named output<i>."""
        for position, operand in enumerate(outputs):
            node = self.proto.graph.node.add(op_type="Identity", output=[f"output{position}"])
            node.input.append(self.stored(operand))
            info = self.proto.graph.output.add(name=f"output{position}")
            describe(info, operand.dtype, operand.shape)
        return bytes(self.proto.SerializeToString())


def convert(model: Model) -> bytes:
    """The whole model; input i is named by its operand."""
    graph = Graph()
    for operand in model.inputs:
        graph.add_input(operand)
    for op in model.operations:
        graph.emit(op)
    return graph.finish(model.outputs)


def convert_alone(op: Operation) -> bytes:
    """A model of one operation: its tensors, and its big constants, are inputs."""
    graph = Graph()
    seen: set[int] = set()
    for operand in op.operands:
        if operand is None or operand.index in seen:
            continue
        seen.add(operand.index)
        big = 0 not in operand.shape and np.prod([dim or 1 for dim in operand.shape]) > 1024
        if not operand.is_constant or big:
            graph.add_input(operand)
    graph.emit(op)
    return graph.finish([operand for operand in op.outputs if operand is not None])


class Emitter(OperationEmitter[str]):
    """One operation that is being emitted."""

    def __init__(self, graph: Graph, op: Operation) -> None:
        super().__init__(op, graph.real)
        self.graph = graph
        self.node = graph.node
        self.constant = graph.constant

    def shape_value(self, name: str) -> str:
        """A list of numbers as int64: constant where they are known, else computed."""
        numbers = shape_numbers(self.op[name])
        if numbers is not None:
            return self.ints(numbers)
        return str(self.node("Cast", [self.graph.stored(self.op[name])], to=7))

    def ints(self, values: Sequence[int]) -> str:
        """A constant list of int64."""
        return self.constant(np.asarray(list(values), np.int64))

    def scalar(self, name: str) -> str:
        """An operand of shape [1] without dimensions."""
        return str(self.node("Reshape", [self[name], self.ints([])]))

    def fused(self, name: str) -> str:
        """The activation that the operation applies to its result."""
        code = self.fuse_code
        if code == FuseCode.RELU:
            return str(self.node("Relu", [name]))
        if code in (FuseCode.RELU1, FuseCode.RELU6):
            low, high = (-1, 1) if code == FuseCode.RELU1 else (0, 6)
            dtype = self.op.output.dtype if self.op.output.type.quantisation is None else np.float32
            bounds = [self.constant(low, dtype), self.constant(high, dtype)]
            return str(self.node("Clip", [name, *bounds]))
        return name
