"""Activations, arithmetic, comparisons and logic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lite.nnadapter.driver.python.registry import OPERATIONS, Call, operation
from lite.nnadapter.model import Array
from lite.nnadapter.types import FuseCode


def fused(value: Array, code: int) -> Array:
    """The activation that an operation applies to its result."""
    if code == FuseCode.RELU:
        return np.maximum(value, 0)
    if code == FuseCode.RELU1:
        return np.clip(value, -1, 1)
    if code == FuseCode.RELU6:
        return np.clip(value, 0, 6)
    return value


def _float(value: Array) -> Array:
    """float16 is computed in float32."""
    return value.astype(np.float32) if value.dtype == np.float16 else value


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), without an overflow."""
    return np.exp(-np.logaddexp(0, -x)).astype(x.dtype)


_erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x: Array, approximate: bool) -> Array:
    """x times the normal distribution's cumulative function, or its form with tanh."""
    if approximate:
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return (0.5 * x * (1 + _erf(x / math.sqrt(2)))).astype(x.dtype)


def _softplus(c: Call) -> Array:
    x, beta, threshold = _float(c["input"]), c.number("beta", 1.0), c.number("threshold", 20.0)
    return np.where(beta * x > threshold, x, np.logaddexp(0, beta * x) / beta)


def _prelu(c: Call) -> Array:
    x, slope = c["input"], c["slope"]
    if slope.size > 1 and slope.ndim == 1 and x.ndim > 1:
        slope = slope.reshape([-1] + [1] * (x.ndim - 2))
    return np.where(x >= 0, x, x * slope)


_UNARY: dict[str, Any] = {
    "ABS": np.abs,
    "ASSIGN": np.array,
    "COS": np.cos,
    "EXP": np.exp,
    "FLOOR": np.floor,
    "LOG": np.log,
    "NOT": np.logical_not,
    "RELU": lambda x: np.maximum(x, 0),
    "RELU6": lambda x: np.clip(x, 0, 6),
    "RSQRT": lambda x: 1 / np.sqrt(x),
    "SIGMOID": sigmoid,
    "SIN": np.sin,
    "SQUARE": np.square,
    "SWISH": lambda x: x * sigmoid(x),
    "TANH": np.tanh,
}

_WITH_NUMBERS: dict[str, Any] = {
    "GELU": lambda c: gelu(_float(c["input"]), c.number("approximate", False)),
    "HARD_SIGMOID": lambda c: _gate(c),
    "HARD_SWISH": lambda c: c["input"] * _gate(c),
    "LEAKY_RELU": lambda c: np.where(c["input"] >= 0, c["input"], c["input"] * c.number("alpha")),
    "PRELU": _prelu,
    "SOFTPLUS": _softplus,
    "CLIP": lambda c: np.minimum(np.maximum(c["input"], c["min"]), c["max"]),
}


def _gate(c: Call) -> Array:
    return np.clip(c["input"] * c.number("alpha", 0.2) + c.number("beta", 0.5), 0, 1)


def _floor_div(a: Array, b: Array) -> Array:
    return np.floor(a / b) if a.dtype.kind == "f" else np.floor_divide(a, b)


def _div(a: Array, b: Array) -> Array:
    """Integers truncate, as in C."""
    return a / b if a.dtype.kind == "f" else np.trunc(a / b)


_BINARY: dict[str, Any] = {
    "ADD": np.add,
    "DIV": _div,
    "FLOOR_DIV": _floor_div,
    "MAX": np.maximum,
    "MIN": np.minimum,
    "MUL": np.multiply,
    "POW": np.power,
    "SUB": np.subtract,
    "AND": np.logical_and,
    "OR": np.logical_or,
    "XOR": np.logical_xor,
    "EQUAL": np.equal,
    "NOT_EQUAL": np.not_equal,
    "GREATER": np.greater,
    "GREATER_EQUAL": np.greater_equal,
    "LESS": np.less,
    "LESS_EQUAL": np.less_equal,
}


@operation(*_UNARY)
def unary(c: Call) -> Array:
    """One input, element by element."""
    return _UNARY[c.type](_float(c["input"]))


@operation(*_BINARY)
def binary(c: Call) -> Array:
    """Two inputs that broadcast as in numpy, and an activation."""
    result = _BINARY[c.type](c["input0"], c["input1"])
    return fused(result, c.number("fuse_code", 0) if "fuse_code" in c.op.inputs else 0)


OPERATIONS.update(_WITH_NUMBERS)


@operation("SUM")
def sum_all(c: Call) -> Array:
    """All inputs added."""
    first, *rest = c.repeated
    return sum(rest, start=first)


@operation("WHERE")
def where(c: Call) -> Array:
    """input0 where the condition holds, else input1."""
    return np.where(c["condition"], c["input0"], c["input1"])


@operation("CAST", "QUANTIZE", "DEQUANTIZE")
def cast(c: Call) -> Array:
    """Storing the result converts it: quantised operands are read and written as real numbers."""
    return c["input"]


@operation("FILL")
def fill(c: Call) -> Array:
    """A shape filled with one value."""
    return np.full(c.numbers("shape"), c["value"].reshape(-1)[0])


@operation("FILL_LIKE")
def fill_like(c: Call) -> Array:
    """An input's shape filled with one value."""
    return np.full(c["input"].shape, c["value"].reshape(-1)[0])


@operation("RANGE")
def range_(c: Call) -> Array:
    """start, start + step, ... before end."""
    return np.arange(c.number("start"), c.number("end"), c.number("step"))
