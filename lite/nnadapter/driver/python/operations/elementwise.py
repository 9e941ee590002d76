"""Of each element: arithmetic with broadcasting, comparisons, activations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])

FUSED: dict[int, Callable[[Any], Any]] = {
    0: lambda x: x,
    1: lambda x: np.maximum(x, 0),
    2: lambda x: np.clip(x, -1, 1),
    3: lambda x: np.clip(x, 0, 6),
}


def fused(x: Any, code: Any) -> Any:
    """What a fuse_code operand makes of a result."""
    return FUSED[int(code[0])](x)


def unary(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """Of each element, in the element's type."""
    return lambda x: np.asarray(function(x), x.dtype)


def arithmetic(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Of two tensors and a fuse_code."""
    return lambda x, y, code: np.asarray(fused(function(x, y), code), x.dtype)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def quotient(x: Any, y: Any) -> Any:
    return x / y if x.dtype.kind == "f" else np.trunc(x / y).astype(x.dtype)


def gelu(x: Any, approximate: Any) -> Any:
    if approximate[0]:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return (0.5 * x * (1 + np.tanh(inner))).astype(x.dtype)
    return (0.5 * x * (1 + erf(x / math.sqrt(2)))).astype(x.dtype)


def hard_sigmoid(x: Any, alpha: Any, beta: Any) -> Any:
    return np.clip(alpha * x + beta, 0, 1).astype(x.dtype)


def softplus(x: Any, beta: Any, threshold: Any) -> Any:
    return np.where(beta * x > threshold, x, np.logaddexp(0, beta * x) / beta).astype(x.dtype)


def prelu(x: Any, slope: Any) -> Any:
    if slope.size == 1:
        shaped = slope.reshape(())
    elif x.ndim > 1 and slope.size == x.shape[1]:
        shaped = slope.reshape([1, -1] + [1] * (x.ndim - 2))
    else:
        shaped = slope.reshape(x.shape[1:])
    return np.where(x > 0, x, x * shaped).astype(x.dtype)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "ADD": arithmetic(np.add),
    "DIV": arithmetic(quotient),
    "FLOOR_DIV": arithmetic(np.floor_divide),
    "MAX": arithmetic(np.maximum),
    "MIN": arithmetic(np.minimum),
    "MUL": arithmetic(np.multiply),
    "POW": arithmetic(np.power),
    "SUB": arithmetic(np.subtract),
    "ABS": unary(np.abs),
    "COS": unary(np.cos),
    "EXP": unary(np.exp),
    "FLOOR": unary(np.floor),
    "LOG": unary(np.log),
    "RELU": unary(lambda x: np.maximum(x, 0)),
    "RELU6": unary(lambda x: np.clip(x, 0, 6)),
    "RSQRT": unary(lambda x: 1 / np.sqrt(x)),
    "SIGMOID": unary(sigmoid),
    "SIN": unary(np.sin),
    "SQUARE": unary(np.square),
    "SWISH": unary(lambda x: x * sigmoid(x)),
    "TANH": unary(np.tanh),
    "AND": np.logical_and,
    "OR": np.logical_or,
    "XOR": np.logical_xor,
    "NOT": np.logical_not,
    "EQUAL": np.equal,
    "NOT_EQUAL": np.not_equal,
    "GREATER": np.greater,
    "GREATER_EQUAL": np.greater_equal,
    "LESS": np.less,
    "LESS_EQUAL": np.less_equal,
    "WHERE": np.where,
    "GELU": gelu,
    "HARD_SIGMOID": hard_sigmoid,
    "HARD_SWISH": lambda x, a, b: (x * hard_sigmoid(x, a, b)).astype(x.dtype),
    "LEAKY_RELU": lambda x, alpha: np.where(x >= 0, x, alpha * x).astype(x.dtype),
    "CLIP": lambda x, low, high: np.clip(x, low, high).astype(x.dtype),
    "SOFTPLUS": softplus,
    "PRELU": prelu,
    "SUM": lambda *xs: np.asarray(sum(xs[1:], xs[0])),
}
