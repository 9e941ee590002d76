"""Operations element by element, and those along one axis that keep the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common import Operation, activated


def _divide(a: Any, b: Any, act: int) -> Any:
    return activated(a // b if a.dtype.kind == "i" else a / b, act)


def _elu(x: Any, alpha: float) -> Any:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def _prelu(x: Any, slope: Any) -> Any:
    return np.where(x >= 0, x, x * slope)


def _softmax(x: Any, beta: float, axis: int = -1) -> Any:
    powers = np.exp(beta * (x - x.max(axis, keepdims=True)))
    return powers / powers.sum(axis, keepdims=True)


def _log_softmax(x: Any, beta: float, axis: int) -> Any:
    scaled = beta * (x - x.max(axis, keepdims=True))
    return scaled - np.log(np.exp(scaled).sum(axis, keepdims=True))


def _l2_normalization(x: Any, axis: int = -1) -> Any:
    return x / np.maximum(np.sqrt((x * x).sum(axis, keepdims=True)), 1e-6)


def _local_response(
    x: Any, radius: int, bias: float, alpha: float, beta: float, axis: int = -1
) -> Any:
    moved = np.moveaxis(x, axis, -1)
    sums = np.zeros_like(moved)
    for channel in range(moved.shape[-1]):
        near = moved[..., max(channel - radius, 0) : channel + radius + 1]
        sums[..., channel] = (near * near).sum(-1)
    return np.moveaxis(moved / (bias + alpha * sums) ** beta, -1, axis)


def _quantize(x: Any) -> Any:  # the output's scale is applied as to any quantised result
    return x


OPERATIONS: dict[str, Operation] = {
    "ADD": lambda a, b, act: activated(a + b, act),
    "SUB": lambda a, b, act: activated(a - b, act),
    "MUL": lambda a, b, act: activated(a * b, act),
    "DIV": _divide,
    "MAXIMUM": np.maximum,
    "MINIMUM": np.minimum,
    "POW": np.power,
    "FLOOR": np.floor,
    "RELU": lambda x: np.maximum(x, 0),
    "RELU1": lambda x: np.clip(x, -1, 1),
    "RELU6": lambda x: np.clip(x, 0, 6),
    "TANH": np.tanh,
    "ABS": np.abs,
    "EXP": np.exp,
    "LOG": np.log,
    "RSQRT": lambda x: 1 / np.sqrt(x),
    "SQRT": np.sqrt,
    "SIN": np.sin,
    "NEG": np.negative,
    "LOGISTIC": lambda x: 1 / (1 + np.exp(-x)),
    "HARD_SWISH": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "ELU": _elu,
    "PRELU": _prelu,
    "LOGICAL_NOT": np.logical_not,
    "LOGICAL_AND": np.logical_and,
    "LOGICAL_OR": np.logical_or,
    "EQUAL": np.equal,
    "NOT_EQUAL": np.not_equal,
    "GREATER": np.greater,
    "GREATER_EQUAL": np.greater_equal,
    "LESS": np.less,
    "LESS_EQUAL": np.less_equal,
    "SELECT": np.where,
    "SOFTMAX": _softmax,
    "LOG_SOFTMAX": _log_softmax,
    "L2_NORMALIZATION": _l2_normalization,
    "LOCAL_RESPONSE_NORMALIZATION": _local_response,
    "QUANTIZE": _quantize,
    "DEQUANTIZE": lambda x: x,
}
