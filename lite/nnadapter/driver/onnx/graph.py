"""From NNAdapter operations to ONNX nodes: a function of an Emitter each.

A device that needs another form of some operations derives a Graph with a table of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from lite.model.onnx.writer import GraphWriter, Names, describe, element_type, new_model
from lite.nnadapter.driver.attributes import (
    Window,
    channel_scales,
    image_size,
    quantised_limits,
    shape_numbers,
    window,
)
from lite.nnadapter.driver.registrar import registrar
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Model, Operand, Operation, Shape
from lite.nnadapter.types import FuseCode

Function = Callable[["Emitter"], Any]

OPSET = 20
IR_VERSION = 9
BIG = 1024
"""Elements of constants that the model of one operation need not hold."""

OPERATIONS: dict[str, Function] = {}

operation = registrar(OPERATIONS)


class Graph(GraphWriter):
    """The names of a model's values while it becomes a ModelProto."""

    operations: ClassVar[Mapping[str, Function]] = OPERATIONS
    library: ClassVar[str] = "ONNX"
    """Who reads the model, in the texts of errors."""
    opset: ClassVar[int] = OPSET
    """19 or newer."""
    steps: ClassVar[frozenset[str]] = frozenset()
    """The operations whose results in steps of 8 bits are written by QuantizeLinear, which makes
    them int8 on NPUs; the others' rounding is arithmetic."""
    steps_at_borders: ClassVar[bool] = True
    """Whether a model with inputs or outputs in steps may have QuantizeLinear."""

    def __init__(self) -> None:
        self.proto = new_model(self.opset, IR_VERSION, "nnadapter")
        super().__init__(self.proto.graph, Names())
        self._linear: frozenset[str] = frozenset()
        self._stored: dict[int, str] = {}
        self._real: dict[int, str] = {}

    def expect(self, operations: Sequence[Operation], outputs: Sequence[Operand] = ()) -> None:
        """Chooses how steps are written: what is to be emitted, and outputs that are also read."""
        made = {out.index: out for op in operations for out in op.outputs if out is not None}
        read = {
            operand.index: operand
            for op in operations
            for operand in op.operands
            if operand is not None and not operand.is_constant
        }
        inner = made.keys() & read.keys()
        crossing = [value for at, value in {**made, **read}.items() if at not in inner]
        at_borders = any(value.type.quantisation is not None for value in (*crossing, *outputs))
        if self.steps_at_borders or not at_borders:
            self._linear = self.steps

    def add_input(self, operand: Operand) -> None:
        """Makes an operand an input, named input<position>."""
        self._stored[operand.index] = name = f"input{len(self.proto.graph.input)}"
        describe(self.proto.graph.input.add(name=name), operand.dtype, operand.shape)

    def stored(self, operand: Operand) -> str:
        """An operand's elements as its memory holds them."""
        name = self._stored.get(operand.index)
        if name is None:
            if not operand.is_constant:
                raise Unsupported(f"{operand} is not computed before it is used")
            # Compilers know one scale of a constant, which others of the same steps must not share.
            own = self.names.fresh("c") if self._linear and operand.type.quantisation else None
            name = self._stored[operand.index] = self.constant(operand.value, operand.dtype, own)
        return name

    def real(self, operand: Operand) -> str:
        """An operand's real numbers: a quantised one is dequantised."""
        quant = operand.type.quantisation
        if quant is None:
            return self.stored(operand)
        name = self._real.get(operand.index)
        if name is None:
            if self._linear and self._grid(operand):
                name = self._by_grid("DequantizeLinear", self.stored(operand), operand)
            else:
                name = self.node("Cast", [self.stored(operand)], to=1)
                if quant.zero_point:
                    name = self.node("Sub", [name, self.constant(float(quant.zero_point))])
                name = self.node("Mul", [name, self.constant(channel_scales(operand))])
            self._real[operand.index] = name
        return name

    def _by_grid(self, type: str, name: str, operand: Operand) -> str:
        """QuantizeLinear or its inverse by an operand's scales."""
        quant = operand.type.quantisation
        assert quant is not None
        axis = 1 if quant.channel_axis is None else quant.channel_axis
        return str(self.node(type, [name, *self._grid(operand)], axis=axis))

    def _grid(self, operand: Operand) -> list[str]:
        """Scale and zero point as QuantizeLinear has them; empty where ONNX has no such steps."""
        quant = operand.type.quantisation
        if quant is None or operand.dtype not in (np.int8, np.uint8, np.int32):
            return []
        if operand.dtype == np.int32 and quant.zero_point:
            return []
        scales = np.asarray(quant.scales, np.float32)
        if quant.channel_axis is None:
            scales = scales[0]
        zero = np.full_like(scales, quant.zero_point, operand.dtype)
        return [self.constant(scales), self.constant(zero)]

    def define(self, operand: Operand, name: str) -> None:
        """Sets an operand from its real numbers, in its element type."""
        if operand.type.quantisation is not None:
            name = self._quantise(operand, name)
        self._keep(operand, self.node("Cast", [name], to=element_type(operand.dtype)))

    def _keep(self, operand: Operand, name: str) -> None:
        if operand.shape in ((), (1,)):  # a scalar, with an axis or without
            one = [self.constant(np.ones(1, np.int64))] if operand.shape else []
            name = self.node("Reshape" if one else "Squeeze", [name, *one])
        self._stored[operand.index] = name

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
        function = self.operations.get(op.type)
        if function is None:
            raise Unsupported(f"the {self.library} device has no {op.type}")
        result = function(Emitter(self, op))
        results = result if isinstance(result, tuple | list) else (result,)
        for operand, name in zip(op.outputs, results, strict=False):
            if operand is None:
                continue
            if op.type in self._linear and operand.dtype.itemsize == 1 and self._grid(operand):
                self._keep(operand, self._by_grid("QuantizeLinear", name, operand))
            else:
                self.define(operand, name)

    def try_to_emit(self, op: Operation) -> str | None:
        """Adds an operation, or leaves the graph as it is and says why it cannot be done."""
        nodes, names = self.proto.graph.node, (self._stored, self._real)
        count, known = len(nodes), [len(table) for table in names]
        try:
            self.emit(op)
        except Unsupported as no:
            reason = str(no)
        except (ValueError, TypeError, KeyError) as error:
            reason = f"{op.type} cannot be written as ONNX: {error}"
        else:
            return None
        del nodes[count:]
        for table, length in zip(names, known, strict=True):
            while len(table) > length:
                table.popitem()
        return reason

    def finish(self, outputs: Sequence[Operand]) -> bytes:
        """The model's bytes; output i is named output<i>."""
        for position, operand in enumerate(outputs):
            node = self.proto.graph.node.add(op_type="Identity", output=[f"output{position}"])
            node.input.append(self.stored(operand))
            info = self.proto.graph.output.add(name=f"output{position}")
            describe(info, operand.dtype, operand.shape)
        return bytes(self.proto.SerializeToString())

    def whole(self, model: Model) -> bytes:
        """The bytes of a whole model."""
        self.expect(model.operations, model.outputs)
        for operand in model.inputs:
            self.add_input(operand)
        for op in model.operations:
            self.emit(op)
        return self.finish(model.outputs)

    def alone(self, op: Operation) -> bytes:
        """Those of a model of one operation: its tensors, and its big constants, are inputs."""
        seen: set[int] = set()
        for operand in op.operands:
            if operand is None or operand.index in seen:
                continue
            seen.add(operand.index)
            size = int(np.prod([1 if dim is None else dim for dim in operand.shape]))
            if not operand.is_constant or size > BIG:
                self.add_input(operand)
        self.emit(op)
        return self.finish([operand for operand in op.outputs if operand is not None])


class Emitter:
    """One operation that is being emitted: its operands by name, its constants as numbers."""

    def __init__(self, graph: Graph, op: Operation) -> None:
        self.graph = graph
        self.op = op
        self.type = op.type
        self.number = op.number
        self.numbers = op.numbers
        self.node = graph.node
        self.constant = graph.constant

    def __getitem__(self, name: str) -> str:
        return self.graph.real(self.op[name])

    def get(self, name: str) -> str | None:
        """An operand's real numbers; None where it is absent or empty."""
        operand = self.op.get(name)
        return None if operand is None or 0 in operand.shape else self.graph.real(operand)

    @property
    def repeated(self) -> list[str]:
        """The real numbers of what a repeated operand stands for."""
        return [self.graph.real(operand) for operand in self.op.repeated]

    def shape(self, name: str) -> Shape:
        """An operand's dimensions."""
        return self.op[name].shape

    def rank(self, name: str) -> int:
        """How many dimensions an operand has."""
        return len(self.op[name].shape)

    def dtype(self, name: str) -> np.dtype[Any]:
        """The element type of an operand's real numbers."""
        operand = self.op[name]
        return operand.dtype if operand.type.quantisation is None else np.dtype(np.float32)

    def window(self, kernel: Sequence[int]) -> Window:
        """The window that a kernel (height, width) slides over the input."""
        return window(self.op, kernel, image_size(self.op["input"]))

    def bias(self) -> list[str]:
        """The operand `bias` as a list of its numbers; none where it is absent."""
        bias = self.get("bias")
        if bias is None:
            return []
        flat = self.rank("bias") == 1
        return [bias if flat else str(self.node("Reshape", [bias, self.ints([-1])]))]

    def need_float(self, *names: str) -> None:
        """Refuses operands that are neither float nor quantised."""
        for name in names:
            if self.dtype(name).kind != "f":
                raise Unsupported(f"{self.type} is for float tensors here, not {self.dtype(name)}")

    def shape_value(self, name: str) -> str:
        """A list of numbers as int64: constant where they are known, else computed."""
        numbers = shape_numbers(self.op[name])
        if numbers is not None:
            return self.ints(numbers)
        return str(self.node("Cast", [self.graph.stored(self.op[name])], to=7))

    def dims(self, name: str, start: int = 0, end: int | None = None) -> str:
        """An operand's dimensions [start, end) as int64."""
        shape = self.shape(name)[start:end]
        if None in shape:
            return str(self.node("Shape", [self[name]], start=start, end=end))
        return self.ints([int(dim or 0) for dim in shape])

    def ints(self, values: Sequence[int]) -> str:
        """A constant list of int64."""
        return self.constant(np.asarray(list(values), np.int64))

    def scalar(self, name: str) -> str:
        """An operand of one element without dimensions."""
        rank = self.rank(name)
        return (
            str(self.node("Squeeze", [self[name], self.ints(range(rank))])) if rank else self[name]
        )

    def fused(self, name: str) -> str:
        """The activation that the operation applies to its result."""
        code = int(self.number("fuse_code", 0)) if "fuse_code" in self.op.inputs else 0
        if code == FuseCode.RELU:
            return str(self.node("Relu", [name]))
        if code in (FuseCode.RELU1, FuseCode.RELU6):
            low, high = (-1, 1) if code == FuseCode.RELU1 else (0, 6)
            dtype = self.op.output.dtype if self.op.output.type.quantisation is None else np.float32
            bounds = [self.constant(low, dtype), self.constant(high, dtype)]
            return str(self.node("Clip", [name, *bounds]))
        return name
