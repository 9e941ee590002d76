"""From NNAdapter operations to nodes of an openvino.Model: a function of an Emitter each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import channel_scales, quantised_limits, shape_numbers
from lite.nnadapter.driver.emitter import OperationEmitter, registrar
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Model, Operand, Operation
from lite.nnadapter.types import FuseCode

Value = Any  # an openvino.Output
Function = Callable[["Emitter"], Any]

OPERATIONS: dict[str, Function] = {}
operation = registrar(OPERATIONS)


def element_type(operand: Operand) -> ov.Type:
    """OpenVINO's element type of an operand's memory."""
    if operand.precision is None:
        raise Unsupported(f"the element type of {operand} is not known")
    if operand.dtype == np.float64:
        raise Unsupported("OpenVINO computes float64 in lower precision")
    return ov.Type(operand.dtype)


def constant(value: Any, dtype: Any = None) -> Value:
    """A constant; Python's numbers become int64 or float32."""
    array = np.asarray(value, dtype)
    if dtype is None and array.dtype == np.float64:
        array = array.astype(np.float32)
    return ops.constant(array).output(0)


def quantised(operand: Operand) -> bool:
    """Whether an operand's elements stand for real numbers by a scale."""
    return operand.type.quantisation is not None


def fits(elements: np.ndarray[Any, Any]) -> bool:
    """Whether OpenVINO's 32 bits hold integers of 64."""
    if not elements.size:
        return True
    return elements.min() >= -(2**31) and elements.max() < 2**31


class Graph:
    """Values of a model's operands while it becomes an openvino.Model."""

    def __init__(self) -> None:
        self.parameters: list[Any] = []
        self._stored: dict[int, Value] = {}
        self._real: dict[int, Value] = {}

    def add_parameter(self, operand: Operand) -> None:
        """Makes an operand an input."""
        shape = ov.PartialShape([-1 if dim is None else dim for dim in operand.shape])
        parameter = ops.parameter(shape, element_type(operand))
        self.parameters.append(parameter)
        self._stored[operand.index] = parameter.output(0)

    def stored(self, operand: Operand) -> Value:
        """An operand's elements as its memory holds them."""
        value = self._stored.get(operand.index)
        if value is None:
            if not operand.is_constant:
                raise Unsupported(f"{operand} is not computed before it is used")
            element_type(operand)
            elements = operand.value
            if elements.dtype == np.int64 and elements.size and not fits(elements):
                raise Unsupported("OpenVINO computes int64 in 32 bits, which a constant is beyond")
            value = self._stored[operand.index] = constant(elements, operand.dtype)
        return value

    def real(self, operand: Operand) -> Value:
        """An operand's real numbers: a quantised one is dequantised."""
        if not quantised(operand):
            return self.stored(operand)
        value = self._real.get(operand.index)
        if value is None:
            quant = operand.type.quantisation
            assert quant is not None
            value = ops.convert(self.stored(operand), ov.Type.f32)
            if quant.zero_point:
                value = ops.subtract(value, constant(np.float32(quant.zero_point)))
            value = ops.multiply(value, constant(channel_scales(operand))).output(0)
            self._real[operand.index] = value
        return value

    def define(self, operand: Operand, value: Value) -> None:
        """Sets an operand from its real numbers, in its element type and with its shape."""
        value = value.output(0) if isinstance(value, ov.Node) else value
        if quantised(operand):
            value = self._quantise(operand, value)
        elif value.get_element_type() != element_type(operand):
            value = ops.convert(value, element_type(operand)).output(0)
        shape = value.get_partial_shape()
        scalar = operand.shape in ((), (1,)) and shape.rank.is_static
        if scalar and len(shape) != len(operand.shape):  # with an axis or without
            target = np.ones(len(operand.shape), np.int64)
            value = ops.reshape(value, constant(target), False).output(0)
            shape = value.get_partial_shape()
        declared = ov.PartialShape([-1 if dim is None else dim for dim in operand.shape])
        if not shape.compatible(declared):
            raise Unsupported(f"OpenVINO computes the shape {shape}, not {declared}")
        self._stored[operand.index] = value

    def _quantise(self, operand: Operand, value: Value) -> Value:
        quant = operand.type.quantisation
        assert quant is not None
        low, high = quantised_limits(operand)
        scaled = ops.divide(value, constant(channel_scales(operand)))
        rounded = ops.round(scaled, "half_away_from_zero")
        if quant.zero_point:
            rounded = ops.add(rounded, constant(np.float32(quant.zero_point)))
        return ops.convert(ops.clamp(rounded, low, high), ov.Type(operand.dtype)).output(0)

    def emit(self, op: Operation) -> None:
        """Adds an operation. Raises Unsupported with the reason where it cannot be done."""
        function = OPERATIONS.get(op.type)
        if function is None:
            raise Unsupported(f"the OpenVINO device has no {op.type}")
        if any(operand is not None and 0 in operand.shape for operand in op.outputs):
            raise Unsupported("OpenVINO does not compute tensors without elements")
        try:
            result = function(Emitter(self, op))
            results = result if isinstance(result, tuple | list) else (result,)
            for operand, value in zip(op.outputs, results, strict=False):
                if operand is not None:
                    self.define(operand, value)
        except RuntimeError as error:
            text = str(error).strip().splitlines()[-1]
            raise Unsupported(f"OpenVINO refuses {op.type}: {text}") from error

    def model(self, outputs: Sequence[Operand]) -> ov.Model:
        """The finished model."""
        results = [ops.result(self.stored(operand)) for operand in outputs]
        return ov.Model(results, self.parameters, "nnadapter")


def convert(model: Model) -> ov.Model:
    """The whole model."""
    graph = Graph()
    for operand in model.inputs:
        graph.add_parameter(operand)
    for op in model.operations:
        graph.emit(op)
    return graph.model(model.outputs)


def refusal(op: Operation) -> str | None:
    """Why an operation cannot be emitted: it is emitted alone, its tensors being parameters."""
    graph = Graph()
    try:
        seen: set[int] = set()
        for operand in op.operands:
            if operand is not None and not operand.is_constant and operand.index not in seen:
                seen.add(operand.index)
                graph.add_parameter(operand)
        graph.emit(op)
    except Unsupported as no:
        return str(no)
    except (ValueError, TypeError, KeyError) as error:
        return f"the OpenVINO device cannot read {op.type}: {error}"
    return None


class Emitter(OperationEmitter[Value]):
    """One operation that is being emitted."""

    def __init__(self, graph: Graph, op: Operation) -> None:
        super().__init__(op, graph.real)
        self.graph = graph

    def shape_value(self, name: str) -> Value:
        """A list of numbers as int64: constant where they are known, else computed."""
        numbers = shape_numbers(self.op[name])
        if numbers is not None:
            return constant(np.asarray(numbers, np.int64))
        return ops.convert(self.graph.stored(self.op[name]), ov.Type.i64).output(0)

    def refuse_int64(self, *names: str) -> None:
        """Refuses sums and products of int64: OpenVINO's 32 bits would overflow unnoticed."""
        operands = [self.op[name] for name in names] if names else self.op.repeated
        if any(operand.dtype == np.int64 for operand in operands):
            raise Unsupported(f"OpenVINO computes int64 in 32 bits, where {self.type} may overflow")

    def like(self, number: float, value: Value) -> Value:
        """A number of a value's element type."""
        return constant(np.asarray(number), value.get_element_type().to_dtype())

    def fused(self, value: Any) -> Any:
        """The activation that the operation applies to its result."""
        if self.fuse_code == FuseCode.RELU:
            return ops.relu(value)
        if self.fuse_code == FuseCode.RELU1:
            return ops.clamp(value, -1.0, 1.0)
        if self.fuse_code == FuseCode.RELU6:
            return ops.clamp(value, 0.0, 6.0)
        return value
