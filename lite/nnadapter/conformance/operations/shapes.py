"""Other shapes for the same elements, and parts of tensors."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from ..case import const, quantised, rand, randint, table

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
ALL = (np.float32, np.float64, np.int32, np.int64, np.int8, np.uint8, np.bool_)


def numbers(*shape: Any, dtype: Any) -> Any:
    return randint(*shape, low=0, high=2, dtype=dtype)


SHAPE = table("SHAPE")
for shape in ((3,), (2, 3, 4), (0, 2)):
    for code in (5, 7):
        SHAPE.case(rand(*shape), const(code))
for dtype in ALL:
    SHAPE.case(numbers(2, 3, dtype=dtype), const(5))
SHAPE.case(quantised(rand(2, 3)), const(5))


RESHAPE = table("RESHAPE")
for wanted in ([24], [4, 6], [-1, 2], [0, -1], [2, 0, 2, -1], [0, 0, 0], [1, 24, 1, 1]):
    RESHAPE.case(rand(2, 3, 4), const(wanted))
    RESHAPE.case(rand(2, 3, 4), const(wanted, np.int64))
for dtype in ALL:
    RESHAPE.case(numbers(2, 3, dtype=dtype), const([3, -1]))
RESHAPE.case(quantised(rand(2, 3)), const([6]), scale=0.02)
shape = np.array([4, -1], np.int32)
RESHAPE.case(rand(2, 3, 4), shape, inferred=[(-1, -1)], unknown=False)


SLICE = table("SLICE")
for axes, starts, ends, steps in (
    ([0], [1], [3], [1]),
    ([1], [-3], [-1], [1]),
    ([0, 2], [1, 0], [INT_MAX, 3], [1, 2]),
    ([-1], [INT_MAX], [INT_MIN], [-1]),
    ([1], [4], [0], [-2]),
    ([1], [-1], [-6], [-1]),
    ([1], [3], [-1], [-1]),
    ([1], [3], [2], [1]),
    ([0], [9], [10], [1]),
    ([2], [0], [7], [INT_MAX]),
):
    SLICE.case(rand(4, 5, 6), *(const(v, np.int32) for v in (axes, starts, ends, steps)))
SLICE.case(rand(4, 5), None, const([1, 2]), const([3, 4]), None)
SLICE.case(rand(4, 5), const([], np.int32), const([1]), const([3]), const([], np.int32))
SLICE.case(rand(4, 5), const([1]), const([1], np.int64), const([2**40], np.int64), const([2]))
for dtype in ALL:
    SLICE.case(numbers(4, 3, dtype=dtype), const([0]), const([1]), const([3]), const([1]))
SLICE.case(quantised(rand(4, 5)), const([1]), const([1]), const([4]), const([1]), scale=0.02)
computed = (np.array([1], np.int32), np.array([3], np.int32))
SLICE.case(rand(4, 5), const([1]), *computed, const([1]), inferred=[(4, -1)], unknown=False)
one = const([1])


SPLIT = table("SPLIT")
for dtype in ALL:
    SPLIT.case(numbers(2, 6, dtype=dtype), const(-1), const([1, 2, 3]))
SPLIT.case(rand(4, 3), const(0), const([4]))
SPLIT.case(rand(4, 3), const(0), const([1, -1]))
SPLIT.case(rand(4, 3), const(0), const([4, 0]))
SPLIT.case(quantised(rand(4, 3)), const(0), const([4]), scale=0.02)


SQUEEZE = table("SQUEEZE")
SQUEEZE.case(rand(1, 3, 1, 2), const([0]))
SQUEEZE.case(rand(1, 3, 1, 2), const([0, -2]))
SQUEEZE.case(rand(1, 3, 1, 2), None, unknown=False)
SQUEEZE.case(rand(1, 3, 1, 2), const([], np.int32), unknown=False)
SQUEEZE.case(rand(2, 3), const([0]), unknown=False)
SQUEEZE.case(rand(1), const([0]))
SQUEEZE.case(quantised(rand(1, 3)), const([0]), scale=0.02)


UNSQUEEZE = table("UNSQUEEZE")
for axes in ([0], [-1], [1], [0, 2], [2, 0], [0, 0, 0]):
    UNSQUEEZE.case(rand(3, 4), const(axes))
UNSQUEEZE.case(np.float32(3).reshape(()), const([0]))
UNSQUEEZE.case(quantised(rand(1, 3)), const([0]), scale=0.02)

STACK = table("STACK")
for dtype in ALL:
    STACK.case(numbers(2, 3, dtype=dtype), numbers(2, 3, dtype=dtype), const(1))
for axis in (0, 2, -1, -3):
    STACK.case(rand(2, 3), rand(2, 3, seed=1), rand(2, 3, seed=2), const(axis))
STACK.case(rand(3), const(0))
STACK.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=1)), const(0), scale=0.02)


UNSTACK = table("UNSTACK")
for axis, count in ((0, 2), (1, 3), (-1, 4)):
    UNSTACK.case(rand(2, 3, 4), const(axis), const(count))
UNSTACK.case(rand(2), const(0), const(2))

TILE = table("TILE")
for repeats in ([1, 2, 3], [2, 1, 1], [2], [2, 1, 1, 3]):
    TILE.case(rand(2, 3, 2), const(repeats))
for dtype in ALL:
    TILE.case(numbers(2, 3, dtype=dtype), const([2, 2]))
TILE.case(quantised(rand(2, 3)), const([2, 2]), scale=0.02)
TILE.case(rand(2, 3), np.array([2, 3], np.int32), inferred=[(-1, -1)], unknown=False)

TRANSPOSE = table("TRANSPOSE")
for perm in ([0, 2, 1], [2, 0, 1], [-1, 0, 1]):
    TRANSPOSE.case(rand(2, 3, 4), const(perm))
TRANSPOSE.case(rand(2, 3, 4), None)
TRANSPOSE.case(rand(2, 3, 4), const([], np.int32))
TRANSPOSE.case(np.float32(1.5).reshape(()), None)
TRANSPOSE.case(quantised(np.float32(1.5).reshape(())), None, scale=0.02)
for dtype in ALL:
    TRANSPOSE.case(numbers(2, 3, dtype=dtype), const([1, 0]))
TRANSPOSE.case(quantised(rand(2, 3)), const([1, 0]), scale=0.02)


ROLL = table("ROLL")
ROLL.case(rand(3, 4), const([1]), const([0]))
ROLL.case(rand(3, 4), const([-5, 2]), const([0, -1]))
ROLL.case(rand(3, 4), const([5]), None)
ROLL.case(rand(3, 4), const([5]), const([], np.int32))
ROLL.case(randint(3, 4, dtype=np.int64), const([1], np.int64), const([1]))

MESHGRID = table("MESHGRID")
MESHGRID.case(rand(3), rand(2))
MESHGRID.case(rand(3))
MESHGRID.case(randint(3), randint(2), randint(4))


RANGE = table("RANGE")
RANGE.case(const(0), const(5), const(1))
RANGE.case(const(9), const(-3), const(-4))
RANGE.case(const(0.5), const(3.0), const(0.75))
RANGE.case(const([0], np.int64), const([2**40 + 3], np.int64), const([2**40], np.int64))
RANGE.case(const(3), const(3), const(1))
computed = (np.array([5], np.int32), np.array([2], np.int32))
RANGE.case(const(0), *computed, inferred=[(-1,)], unknown=False)


PAD = table("PAD")
for mode in range(5):
    PAD.case(rand(2, 3, 4, 5), const([0, 0, 0, 0, 1, 2, 3, 1]), const(mode), const(1.5))
    PAD.case(rand(3, 4), const([1, 2, 0, 3]), const(mode), None)
    PAD.case(rand(5), const([2, 0]), const(mode), None)
PAD.case(rand(2, 1, 3, 4, 2), const([1, 0, 0, 2, 1, 1, 0, 0, 1, 0]), const(1), const(-1.0))
PAD.case(randint(3, 4), const([1, 0, 0, 1]), const(1), const(2**30 + 1))
PAD.case(randint(3, dtype=np.int64), const([1, 1]), const(1), const([2**60 + 1], np.int64))
PAD.case(rand(3) > 0, const([1, 1]), const(1), const([True]))
PAD.case(quantised(rand(3, 4)), const([1, 0, 0, 1]), const(1), const(0.5), scale=0.02)
for value in (None, const(0.5), const(1.0)):
    picture = quantised(rand(1, 2, 3, 4), 0.02)
    PAD.case(picture, const([0, 0, 0, 0, 1, 2, 0, 1]), const(1), value, scale=0.02)
PAD.case(rand(3), np.array([1, 2], np.int32), const(1), None, inferred=[(-1,)], unknown=False)
