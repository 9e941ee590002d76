"""Operations on each element, with broadcasting, comparison and choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import erf, sqrt
from typing import Any

import numpy as np

from ..case import Array, Case, Var, cases, random

SHAPES = [(7,), (3, 5), (2, 3, 4), (1, 3, 8, 9), (2, 1, 3, 2, 2)]


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def _gelu(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + np.vectorize(erf)(x / sqrt(2))))


def _gelu_tanh(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + np.tanh(sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


# Operation -> (attributes, function, range of the inputs).
Row = tuple[list[Any], Callable[[Array], Any], tuple[float, float]]
UNARY: dict[str, list[Row]] = {
    "ABS": [([], np.abs, (-3, 3))],
    "ASSIGN": [([], lambda x: x, (-3, 3))],
    "CLIP": [([-0.5, 1.0], lambda x: np.clip(x, -0.5, 1), (-3, 3))],
    "COS": [([], np.cos, (-3, 3))],
    "EXP": [([], np.exp, (-3, 3))],
    "FLOOR": [([], np.floor, (-3, 3))],
    "GELU": [([False], _gelu, (-3, 3)), ([True], _gelu_tanh, (-3, 3))],
    "HARD_SIGMOID": [([0.2, 0.5], lambda x: np.clip(0.2 * x + 0.5, 0, 1), (-4, 4))],
    "HARD_SWISH": [([1 / 6, 0.5], lambda x: x * np.clip(x / 6 + 0.5, 0, 1), (-4, 4))],
    "LEAKY_RELU": [([0.1], lambda x: np.where(x > 0, x, 0.1 * x), (-3, 3))],
    "LOG": [([], np.log, (0.1, 5))],
    "RELU": [([], lambda x: np.maximum(x, 0), (-3, 3))],
    "RELU6": [([], lambda x: np.clip(x, 0, 6), (-9, 9))],
    "RSQRT": [([], lambda x: 1 / np.sqrt(x), (0.1, 5))],
    "SIGMOID": [([], _sigmoid, (-5, 5))],
    "SIN": [([], np.sin, (-3, 3))],
    "SOFTPLUS": [
        ([1.0, 20.0], lambda x: np.log1p(np.exp(x)), (-5, 5)),
        ([2.0, 3.0], lambda x: np.where(2 * x > 3, x, np.log1p(np.exp(2 * x)) / 2), (-5, 5)),
    ],
    "SQUARE": [([], np.square, (-3, 3))],
    "SWISH": [([], lambda x: x * _sigmoid(x), (-5, 5))],
    "TANH": [([], np.tanh, (-3, 3))],
}
BINARY: dict[str, tuple[Callable[[Array, Array], Any], tuple[float, float]]] = {
    "ADD": (np.add, (-3, 3)),
    "DIV": (np.divide, (0.5, 3)),
    "FLOOR_DIV": (np.floor_divide, (1, 9)),
    "MAX": (np.maximum, (-3, 3)),
    "MIN": (np.minimum, (-3, 3)),
    "MUL": (np.multiply, (-3, 3)),
    "POW": (np.power, (0.5, 2)),
    "SUB": (np.subtract, (-3, 3)),
}
PAIRS = [
    ((5,), (5,)),
    ((2, 3), (3,)),
    ((2, 3), (1,)),
    ((2, 3, 4), (3, 1)),
    ((1, 4, 1, 5), (2, 1, 3, 1)),
    ((1, 3, 4, 4), (1, 3, 1, 1)),
]
COMPARISONS: dict[str, Callable[[Array, Array], Any]] = {
    "EQUAL": np.equal,
    "GREATER": np.greater,
    "GREATER_EQUAL": np.greater_equal,
    "LESS": np.less,
    "LESS_EQUAL": np.less_equal,
    "NOT_EQUAL": np.not_equal,
}
FUSED: list[Callable[[Array], Any]] = [
    lambda x: x,
    lambda x: np.maximum(x, 0),
    lambda x: np.clip(x, -1, 1),
    lambda x: np.clip(x, 0, 6),
]


def _add_unary(name: str) -> None:
    @cases(name)
    def rows() -> Iterator[Case]:
        for attributes, function, (low, high) in UNARY[name]:
            for shape in SHAPES:
                x = random(*shape, low=low, high=high)
                yield Case(
                    name, f"{list(shape)} {attributes or ''}", [Var(x), *attributes], function
                )


def _add_binary(name: str) -> None:
    function, (low, high) = BINARY[name]

    @cases(name)
    def rows() -> Iterator[Case]:
        for dtype in (np.float32, np.int32, np.int64):
            if np.issubdtype(dtype, np.integer) and name in ("DIV", "POW"):
                continue  # rounding is not defined
            for left, right in PAIRS:
                x = random(*left, low=low, high=high, dtype=dtype)
                y = random(*right, low=low, high=high, dtype=dtype, salt=1)
                label = f"{list(left)} and {list(right)}"
                yield Case(name, label, [Var(x), Var(y), 0], function)
                yield Case(name, f"{label} constant", [Var(x), y, 0], lambda x, y=y: function(x, y))
        x, y = random(2, 5, low=low, high=high), random(2, 5, low=low, high=high + 1)
        for code in (1, 2, 3):
            yield Case(
                *(name, f"fuse_code {code}", [Var(x), Var(y), code]),
                lambda x, y, code=code: FUSED[code](function(x, y)),
            )


def _add_comparison(name: str) -> None:
    @cases(name)
    def rows() -> Iterator[Case]:
        for dtype in (np.float32, np.int32, np.int64):
            for left, right in PAIRS[:4]:
                x = random(*left, low=-1, high=1, dtype=dtype).round()
                y = random(*right, low=-1, high=1, dtype=dtype, salt=1).round()
                label = f"{list(left)} and {list(right)}"
                yield Case(name, label, [Var(x), Var(y)], COMPARISONS[name])


for _name in UNARY:
    _add_unary(_name)
for _name in BINARY:
    _add_binary(_name)
for _name in COMPARISONS:
    _add_comparison(_name)


def _logical(name: str, function: Callable[..., Any]) -> None:
    @cases(name)
    def rows() -> Iterator[Case]:
        for left, right in PAIRS[:4]:
            inputs = [Var(random(*left, dtype=np.bool_))]
            if name != "NOT":
                inputs.append(Var(random(*right, dtype=np.bool_, salt=1)))
            yield Case(name, f"{list(left)} and {list(right)}", inputs, function)


_logical("AND", np.logical_and)
_logical("OR", np.logical_or)
_logical("XOR", np.logical_xor)
_logical("NOT", np.logical_not)


@cases("WHERE")
def _where() -> Iterator[Case]:
    for dtype in (np.float32, np.int64):
        condition = random(3, 4, dtype=np.bool_)
        x, y = random(3, 4, dtype=dtype), random(3, 4, low=5, high=9, dtype=dtype)
        yield Case("WHERE", f"[3, 4] {np.dtype(dtype)}", [Var(condition), Var(x), Var(y)], np.where)


@cases("CAST")
def _cast() -> Iterator[Case]:
    codes = {np.float32: 10, np.int32: 5, np.int64: 7, np.bool_: 0}
    for source in codes:
        for target, code in codes.items():
            x = random(2, 3, low=-4, high=4, dtype=source)
            yield Case(
                *("CAST", f"to {np.dtype(target)}", [Var(x), code]),
                lambda x, target=target: x.astype(target),
            )


@cases("PRELU")
def _prelu() -> Iterator[Case]:
    for shape in [(2, 3, 4, 5), (2, 3)]:
        x, slope = random(*shape), random(3, low=0.1, high=0.5)
        along = slope.reshape([-1] + [1] * (len(shape) - 2))
        yield Case(
            *("PRELU", f"{list(shape)} a slope a channel", [Var(x), slope]),
            lambda x, s=along: np.where(x > 0, x, s * x),
        )


@cases("SUM")
def _sum() -> Iterator[Case]:
    for count in (1, 2, 4):
        arrays = [random(2, 3, low=-i - 1) for i in range(count)]
        yield Case("SUM", f"of {count}", [Var(a) for a in arrays], lambda *a: sum(a))
