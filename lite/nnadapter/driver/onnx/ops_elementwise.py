"""Activations, arithmetic, comparisons and logic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lite.model.onnx.writer import element_type
from lite.nnadapter.driver.onnx.graph import OPERATIONS, Emitter, operation
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.types import Precision, dtype_of

_UNARY = {
    "COS": "Cos",
    "EXP": "Exp",
    "FLOOR": "Floor",
    "LOG": "Log",
    "RELU": "Relu",
    "SIGMOID": "Sigmoid",
    "SIN": "Sin",
    "TANH": "Tanh",
}


@operation(*_UNARY)
def unary(c: Emitter) -> Any:
    """One float input, element by element."""
    c.need_float("input")
    return c.node(_UNARY[c.type], [c["input"]])


OPERATIONS["ABS"] = lambda c: c.node("Abs", [c["input"]])
OPERATIONS["ASSIGN"] = lambda c: c["input"]
OPERATIONS["SQUARE"] = lambda c: c.node("Mul", [c["input"], c["input"]])
OPERATIONS["RSQRT"] = lambda c: c.node("Reciprocal", [c.node("Sqrt", [c["input"]])])


@operation("SWISH")
def swish(c: Emitter) -> Any:
    """The input times its sigmoid."""
    c.need_float("input")
    return c.node("Mul", [c["input"], c.node("Sigmoid", [c["input"]])])


@operation("RELU6")
def relu6(c: Emitter) -> Any:
    """min(6, max(0, input))."""
    dtype = c.dtype("input")
    return c.node("Clip", [c["input"], c.constant(0, dtype), c.constant(6, dtype)])


@operation("GELU")
def gelu(c: Emitter) -> Any:
    """By erf, or its form with tanh."""
    c.need_float("input")
    x, tanh = c["input"], bool(c.number("approximate", False))
    if c.graph.opset >= 20:
        return c.node("Gelu", [x], approximate="tanh" if tanh else "none")

    def number(value: float) -> str:
        return c.constant(value, c.dtype("input"))

    if tanh:
        cube = c.node("Mul", [c.node("Mul", [x, x]), x])
        inner = c.node("Add", [x, c.node("Mul", [cube, number(0.044715)])])
        inner = c.node("Tanh", [c.node("Mul", [inner, number(math.sqrt(2 / math.pi))])])
    else:
        inner = c.node("Erf", [c.node("Div", [x, number(math.sqrt(2))])])
    gate = c.node("Add", [inner, number(1)])
    return c.node("Mul", [c.node("Mul", [x, gate]), number(0.5)])


@operation("HARD_SIGMOID", "HARD_SWISH")
def hard_sigmoid(c: Emitter) -> Any:
    """clip(alpha * input + beta, 0, 1), times the input for HARD_SWISH."""
    c.need_float("input")
    alpha, beta = float(c.number("alpha", 0.2)), float(c.number("beta", 0.5))
    gate = c.node("HardSigmoid", [c["input"]], alpha=alpha, beta=beta)
    return gate if c.type == "HARD_SIGMOID" else c.node("Mul", [c["input"], gate])


@operation("LEAKY_RELU")
def leaky_relu(c: Emitter) -> Any:
    """alpha times what is below zero."""
    c.need_float("input")
    return c.node("LeakyRelu", [c["input"]], alpha=float(c.number("alpha")))


@operation("PRELU")
def prelu(c: Emitter) -> Any:
    """A slope, or one a channel."""
    c.need_float("input")
    slope, shape, rank = c["slope"], c.shape("slope"), c.rank("input")
    if shape != (1,) and len(shape) == 1 and rank > 1:
        slope = c.node("Reshape", [slope, c.ints([-1] + [1] * (rank - 2))])
    return c.node("PRelu", [c["input"], slope])


@operation("SOFTPLUS")
def softplus(c: Emitter) -> Any:
    """log(1 + exp(beta * input)) / beta; the input beyond the threshold."""
    c.need_float("input")
    beta = c.constant(float(c.number("beta", 1.0)))
    scaled = c.node("Mul", [c["input"], beta])
    soft = c.node("Div", [c.node("Softplus", [scaled]), beta])
    beyond = c.node("Greater", [scaled, c.constant(float(c.number("threshold", 20.0)))])
    return c.node("Where", [beyond, c["input"], soft])


@operation("CLIP")
def clip(c: Emitter) -> Any:
    """min(max(input, min), max)."""
    return c.node("Min", [c.node("Max", [c["input"], c["min"]]), c["max"]])


_ARITHMETIC = {"ADD": "Add", "MAX": "Max", "MIN": "Min", "MUL": "Mul", "SUB": "Sub"}
_COMPARISONS = {
    "EQUAL": ("Equal", False),
    "NOT_EQUAL": ("Equal", True),
    "GREATER": ("Greater", False),
    "GREATER_EQUAL": ("GreaterOrEqual", False),
    "LESS": ("Less", False),
    "LESS_EQUAL": ("LessOrEqual", False),
}
_LOGIC = {"AND": "And", "OR": "Or", "XOR": "Xor"}


@operation(*_ARITHMETIC)
def arithmetic(c: Emitter) -> Any:
    """Two inputs that broadcast as in numpy, and an activation."""
    return c.fused(c.node(_ARITHMETIC[c.type], [c["input0"], c["input1"]]))


@operation("DIV", "POW", "FLOOR_DIV")
def float_arithmetic(c: Emitter) -> Any:
    """Of float tensors."""
    c.need_float("input0", "input1")
    value = c.node("Pow" if c.type == "POW" else "Div", [c["input0"], c["input1"]])
    return c.fused(c.node("Floor", [value]) if c.type == "FLOOR_DIV" else value)


@operation(*_COMPARISONS)
def comparison(c: Emitter) -> Any:
    """Two inputs that broadcast as in numpy."""
    name, inverted = _COMPARISONS[c.type]
    values = [c["input0"], c["input1"]]
    if c.dtype("input0") == np.bool_:
        values = [c.node("Cast", [value], to=6) for value in values]
    result = c.node(name, values)
    return c.node("Not", [result]) if inverted else result


@operation(*_LOGIC)
def logic(c: Emitter) -> Any:
    """On truth values."""
    return c.node(_LOGIC[c.type], [c["input0"], c["input1"]])


@operation("NOT")
def logical_not(c: Emitter) -> Any:
    """On truth values."""
    return c.node("Not", [c["input"]])


@operation("SUM")
def sum_all(c: Emitter) -> Any:
    """All inputs added."""
    total, *rest = c.repeated
    for value in rest:
        total = c.node("Add", [total, value])
    return total


@operation("WHERE")
def where(c: Emitter) -> Any:
    """input0 where the condition holds, else input1."""
    return c.node("Where", [c["condition"], c["input0"], c["input1"]])


@operation("CAST")
def cast(c: Emitter) -> Any:
    """To another element type."""
    wanted = dtype_of(Precision(c.number("dtype")))
    if wanted.kind in "iu" and c.dtype("input").kind == "f" and wanted.itemsize < 4:
        raise Unsupported(f"casts from float to {wanted} overflow differently")
    return c.node("Cast", [c["input"]], to=element_type(wanted))


@operation("QUANTIZE", "DEQUANTIZE")
def quantize(c: Emitter) -> Any:
    """Operands are read and written as real numbers."""
    return c["input"]


@operation("FILL")
def fill(c: Emitter) -> Any:
    """A shape filled with one value."""
    return c.node("Expand", [c.scalar("value"), c.shape_value("shape")])


@operation("FILL_LIKE")
def fill_like(c: Emitter) -> Any:
    """An input's shape filled with one value."""
    return c.node("Expand", [c.scalar("value"), c.node("Shape", [c["input"]])])


@operation("RANGE")
def range_(c: Emitter) -> Any:
    """start, start + step, ... before end."""
    return c.node("Range", [c.scalar("start"), c.scalar("end"), c.scalar("step")])
