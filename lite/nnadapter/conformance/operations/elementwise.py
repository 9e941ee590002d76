"""Arithmetic, comparisons, logic, choice: element by element."""

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
volumes, neutral = rand(1, 2, 3, 4, 5), np.zeros((1, 2, 1, 1, 1), np.float32)
table("ADD").case(volumes, const(neutral), const(0))
table("MUL").case(volumes, const(neutral + 1), const(0))
table("POW").case(const(np.arange(1, 7, dtype=np.int32)), randint(2, 6, low=0, high=4), const(0))


def comparison(name: str) -> None:
    each = table(name)
    for left, right in [((2, 3), (2, 3)), ((2, 3, 4), (3, 1)), ((4,), (2, 4)), ((1,), (0, 2))]:
        each.case(randint(*left, low=0, high=3), randint(*right, low=0, high=3))
        each.case(np.round(rand(*left)), np.round(rand(*right, seed=4)))
    for dtype in (np.int64, np.int8, np.uint8, np.int16, np.float64):
        each.case(randint(5, 4, low=0, high=3, dtype=dtype), randint(4, low=0, high=3, dtype=dtype))
    each.case(randint(5, 4) > 0, randint(4) > 0)
    each.case(randint(2, 3), const(1))
    x = np.array([-3.0, 0.0, 2.0, 5.0], np.float32)
    each.case(quantised(x, 1.0), quantised(x[::-1].copy(), 1.0))


comparison("EQUAL")
comparison("GREATER")
comparison("GREATER_EQUAL")
comparison("LESS")
comparison("LESS_EQUAL")


AND = table("AND")
for left, right in [((4, 5), (4, 5)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((1,), (0, 2))]:
    AND.case(randint(*left) > 0, randint(*right) > 2)
AND.case(randint(4, 5) > 0, const(True))

NOT = table("NOT")
for shape in ((), (3,), (2, 3, 4)):
    NOT.case(np.asarray(rand(*shape) > 0))

NOT_EQUAL = table("NOT_EQUAL")
for dtype in (np.float32, np.float64, np.int32, np.int64, np.int8, np.uint8, np.bool_):
    x, y = randint(3, 4, low=0, high=2, dtype=dtype), randint(4, low=0, high=2, dtype=dtype)
    NOT_EQUAL.case(x, y)
    NOT_EQUAL.case(x[:, :1], y)
NOT_EQUAL.case(quantised(rand(2, 3), 0.1), quantised(rand(2, 3), 0.1))

OR, XOR = table("OR"), table("XOR")
for each in (OR, XOR):
    for left, right in (((2, 3), (2, 3)), ((3, 1), (1, 4)), ((4,), (2, 3, 4))):
        each.case(rand(*left) > 0, rand(*right, seed=4) > 0)

WHERE = table("WHERE")
for shapes in (((3,), (3,), (3,)), ((2, 1), (1, 3), (1,)), ((1,), (2, 3, 4), (3, 1)), ((0,),) * 3):
    condition, x, y = (rand(*s, seed=i) for i, s in enumerate(shapes))
    WHERE.case(condition > 0, x, y)
    for dtype in (np.int32, np.int64, np.bool_):
        WHERE.case(condition > 0, (9 * x).astype(dtype), (9 * y).astype(dtype))
WHERE.case(const([True, False]), quantised(rand(3, 2)), quantised(rand(2)), scale=0.03)
