"""Activations, arithmetic, comparisons and logic."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino as ov
import openvino.opset13 as ops

from lite.nnadapter.driver.intel_openvino.graph import OPERATIONS, Emitter, constant, operation
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.types import Precision, dtype_of

_UNARY: dict[str, Any] = {
    "COS": ops.cos,
    "EXP": ops.exp,
    "FLOOR": ops.floor,
    "LOG": ops.log,
    "RELU": ops.relu,
    "RELU6": lambda x: ops.clamp(x, 0.0, 6.0),
    "RSQRT": lambda x: ops.divide(constant(1.0), ops.sqrt(x)),
    "SIGMOID": ops.sigmoid,
    "SIN": ops.sin,
    "SWISH": ops.swish,
    "TANH": ops.tanh,
}


@operation(*_UNARY)
def unary(c: Emitter) -> Any:
    """One float input, element by element."""
    c.need_float("input")
    return _UNARY[c.type](c["input"])


OPERATIONS["ABS"] = lambda c: ops.abs(c["input"])
OPERATIONS["ASSIGN"] = lambda c: c["input"]


@operation("SQUARE")
def square(c: Emitter) -> Any:
    """The input times itself."""
    c.refuse_int64("input")
    return ops.multiply(c["input"], c["input"])


@operation("GELU")
def gelu(c: Emitter) -> Any:
    """By erf, or its form with tanh."""
    c.need_float("input")
    return ops.gelu(c["input"], "TANH" if c.number("approximate", False) else "ERF")


@operation("HARD_SIGMOID", "HARD_SWISH")
def hard_sigmoid(c: Emitter) -> Any:
    """clip(alpha * input + beta, 0, 1), times the input for HARD_SWISH."""
    c.need_float("input")
    alpha, beta = c.number("alpha", 0.2), c.number("beta", 0.5)
    scaled = ops.add(ops.multiply(c["input"], constant(alpha)), constant(beta))
    gate = ops.clamp(scaled, 0.0, 1.0)
    return gate if c.type == "HARD_SIGMOID" else ops.multiply(c["input"], gate)


@operation("LEAKY_RELU")
def leaky_relu(c: Emitter) -> Any:
    """alpha times what is below zero."""
    c.need_float("input")
    return ops.prelu(c["input"], constant(np.asarray([c.number("alpha")], np.float32)))


@operation("PRELU")
def prelu(c: Emitter) -> Any:
    """A slope, or one a channel."""
    c.need_float("input")
    slope, shape, rank = c["slope"], c.shape("slope"), c.rank("input")
    if shape != (1,) and len(shape) == 1 and rank > 1:
        slope = ops.reshape(slope, constant([-1] + [1] * (rank - 2)), False)
    x = c["input"]
    zero = constant(0.0)
    return ops.add(ops.relu(x), ops.multiply(ops.minimum(x, zero), slope))


@operation("SOFTPLUS")
def softplus(c: Emitter) -> Any:
    """log(1 + exp(beta * input)) / beta; the input beyond the threshold."""
    c.need_float("input")
    beta, threshold = c.number("beta", 1.0), c.number("threshold", 20.0)
    scaled = ops.multiply(c["input"], constant(beta))
    soft = ops.divide(ops.softplus(scaled), constant(beta))
    return ops.select(ops.greater(scaled, constant(threshold)), c["input"], soft)


@operation("CLIP")
def clip(c: Emitter) -> Any:
    """min(max(input, min), max)."""
    return ops.minimum(ops.maximum(c["input"], c["min"]), c["max"])


_ARITHMETIC: dict[str, Any] = {
    "ADD": ops.add,
    "MAX": ops.maximum,
    "MIN": ops.minimum,
    "MUL": ops.multiply,
    "SUB": ops.subtract,
}
_FLOAT_ARITHMETIC: dict[str, Any] = {
    "DIV": ops.divide,
    "FLOOR_DIV": lambda a, b: ops.floor(ops.divide(a, b)),
    "POW": ops.power,
}
_COMPARISONS: dict[str, Any] = {
    "EQUAL": ops.equal,
    "NOT_EQUAL": ops.not_equal,
    "GREATER": ops.greater,
    "GREATER_EQUAL": ops.greater_equal,
    "LESS": ops.less,
    "LESS_EQUAL": ops.less_equal,
}
_LOGIC: dict[str, Any] = {
    "AND": ops.logical_and,
    "OR": ops.logical_or,
    "XOR": ops.logical_xor,
}


@operation(*_ARITHMETIC, *_FLOAT_ARITHMETIC)
def arithmetic(c: Emitter) -> Any:
    """Two inputs that broadcast as in numpy, and an activation."""
    if c.type in _FLOAT_ARITHMETIC:
        c.need_float("input0", "input1")
    if c.type in ("ADD", "MUL", "SUB"):
        c.refuse_int64("input0", "input1")
    function = _ARITHMETIC.get(c.type) or _FLOAT_ARITHMETIC[c.type]
    return c.fused(function(c["input0"], c["input1"]))


@operation(*_COMPARISONS)
def comparison(c: Emitter) -> Any:
    """Two inputs that broadcast as in numpy."""
    a, b = c["input0"], c["input1"]
    if a.get_element_type() == ov.Type.boolean:
        a, b = ops.convert(a, ov.Type.i32), ops.convert(b, ov.Type.i32)
    return _COMPARISONS[c.type](a, b)


@operation(*_LOGIC, "NOT")
def logic(c: Emitter) -> Any:
    """On truth values."""
    values = [c.graph.real(operand) for operand in c.op.operands if operand is not None]
    if any(value.get_element_type() != ov.Type.boolean for value in values):
        raise Unsupported(f"{c.type} is for bool tensors here")
    return ops.logical_not(values[0]) if c.type == "NOT" else _LOGIC[c.type](*values)


@operation("SUM")
def sum_all(c: Emitter) -> Any:
    """All inputs added."""
    c.refuse_int64()
    total, *rest = c.repeated
    for value in rest:
        total = ops.add(total, value)
    return total


@operation("WHERE")
def where(c: Emitter) -> Any:
    """input0 where the condition holds, else input1."""
    return ops.select(c["condition"], c["input0"], c["input1"])


@operation("CAST")
def cast(c: Emitter) -> Any:
    """To another element type; to bool by a comparison with zero."""
    wanted = dtype_of(Precision(c.number("dtype")))
    value = c["input"]
    if wanted == np.bool_:
        return ops.not_equal(value, c.like(0, value))
    if wanted.kind != "f" and c.op["input"].dtype.kind == "f" and wanted.itemsize < 4:
        raise Unsupported(f"casts from float to {wanted} overflow differently")
    return ops.convert(value, ov.Type(wanted))


@operation("QUANTIZE", "DEQUANTIZE")
def quantize(c: Emitter) -> Any:
    """Operands are read and written as real numbers."""
    return c["input"]


@operation("FILL")
def fill(c: Emitter) -> Any:
    """A shape filled with one value."""
    value = ops.reshape(c["value"], constant(np.zeros(0, np.int64)), False)
    return ops.broadcast(value, c.shape_value("shape"))


@operation("FILL_LIKE")
def fill_like(c: Emitter) -> Any:
    """An input's shape filled with one value."""
    value = ops.reshape(c["value"], constant(np.zeros(0, np.int64)), False)
    return ops.broadcast(value, ops.shape_of(c["input"]))


@operation("RANGE")
def range_(c: Emitter) -> Any:
    """start, start + step, ... before end."""
    empty = constant(np.zeros(0, np.int64))
    parts = [ops.reshape(c[name], empty, False) for name in ("start", "end", "step")]
    return ops.range(*parts, c["start"].get_element_type().get_type_name())
