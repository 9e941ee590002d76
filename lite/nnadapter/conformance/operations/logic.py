"""Comparisons, logic, choice."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import numpy as np

from ..case import const, quantised, rand, randint, table


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
