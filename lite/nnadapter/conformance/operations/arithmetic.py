"""Arithmetic of two tensors."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import numpy as np

from ..case import const, quantised, rand, randint, table

PAIRS = [
    ((2, 3), (2, 3)),
    ((2, 3, 4, 5), (1, 3, 1, 1)),
    ((3, 1), (1, 4)),
    ((4,), (2, 3, 4)),
    ((2, 1, 2, 1, 2), (3, 1, 2, 1)),
    ((0, 3), (1, 3)),
    ((), (2,)),
]


def divided(name: str, low: float) -> None:
    """The second operand is not 0."""
    each = table(name)
    for left, right in PAIRS:
        each.case(rand(*left), rand(*right, seed=9, low=low), const(0))
    for code in (1, 2, 3):
        each.case(rand(2, 9) * 8, rand(9, seed=1, low=low), const(code))
        each.case(randint(3, 7), randint(7, low=1, high=4), const(code))
    each.case(rand(2, 3), const(rand(3, seed=5, low=low)), const(0))
    each.case(const(rand(3, seed=5)), rand(2, 3, low=low), const(0))
    for dtype in (np.int32, np.int64, np.float64):
        each.case(
            randint(4, 5, dtype=dtype, low=-99), randint(5, low=-9, high=-1, dtype=dtype), const(0)
        )
    if name != "FLOOR_DIV":  # a quantum decides what is rounded down
        x, y = quantised(rand(2, 3, 4)), quantised(rand(3, 1, seed=3, low=low))
        for code in (0, 1):
            each.case(x, y, const(code), scale=0.07)


divided("ADD", -2.0)
divided("DIV", 0.5)
divided("FLOOR_DIV", 0.5)


MORE_PAIRS = [*PAIRS[:4], ((1,), (2, 2)), *PAIRS[5:]]


def arithmetic(name: str, low: float = -2.0) -> None:
    """POW has integers of its own: a negative power of one is none."""
    each = table(name)
    for left, right in MORE_PAIRS:
        each.case(rand(*left, low=low), rand(*right, seed=9, low=low), const(0))
    for code in (1, 2, 3):
        each.case(rand(2, 9, low=low), rand(9, seed=1, low=low), const(code))
        if name != "POW":
            each.case(randint(3, 7), randint(7, low=0, high=3), const(code), tolerance=0)
    each.case(rand(2, 3, low=low), const(rand(3, seed=5, low=low)), const(0))
    for dtype in () if name == "POW" else (np.int32, np.int64):
        each.case(randint(2, 5, dtype=dtype), randint(5, low=0, high=4, dtype=dtype), const(0))
    x, y = quantised(rand(2, 3, 4, low=low)), quantised(rand(3, 1, seed=3, low=low))
    for code in (0, 1):
        each.case(x, y, const(code), scale=0.07)
    if name != "POW":
        each.case(np.int32(-3).reshape(()), np.int32(2).reshape(()), const(1))


arithmetic("MAX")
arithmetic("MIN")
arithmetic("MUL")
arithmetic("SUB")
arithmetic("POW", low=0.1)
table("POW").case(const(np.arange(1, 7, dtype=np.int32)), randint(2, 6, low=0, high=4), const(0))
