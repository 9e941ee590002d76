"""Elements in other places and of other types."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Const, Quantised, const, quantised, rand, randint, table

TYPES = (np.int8, np.uint8, np.int16, np.int32, np.int64, np.float64)

ASSIGN = table("ASSIGN")
for shape in [(), (3,), (2, 3, 4), (0, 2)]:
    ASSIGN.case(rand(*shape))
for dtype in TYPES:
    ASSIGN.case(randint(2, 3, dtype=dtype, low=0))
ASSIGN.case(randint(2, 3) > 0)
ASSIGN.case(quantised(rand(2, 3)), scale=0.01)

CODES: dict[Any, int] = {
    **{np.bool_: 0, np.int8: 1, np.uint8: 2, np.int16: 3, np.int32: 5, np.int64: 7},
    **{np.float32: 10, np.float64: 11},
}
CAST = table("CAST")
for source in CODES:
    for target in CODES.values():
        CAST.case(randint(2, 5, low=0, high=3).astype(source), const(target))
for target in (5, 7):
    CAST.case(np.array([-2.7, -0.5, 0.5, 2.7], np.float32), const(target))


CONCAT = table("CONCAT")
for axis in (0, 1, 2, -1, -3):
    shapes = [[2, 3, 4] for _ in range(3)]
    for extra, longer in enumerate(shapes):
        longer[axis] += extra
    CONCAT.case(*(rand(*longer) for longer in shapes), const(axis))
CONCAT.case(rand(2, 3), const(0))
CONCAT.case(rand(2, 3), Const(rand(1, 3)), rand(0, 3), const(0))
for dtype in TYPES:
    CONCAT.case(randint(2, 3, dtype=dtype, low=0), randint(2, 1, dtype=dtype, low=0), const(1))
CONCAT.case(randint(3) > 0, randint(2) > 0, const(0))
CONCAT.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=5) * 3), const(1), scale=0.05)


EXPAND = table("EXPAND")
for shape, wanted in [
    ((2, 3), [2, 3]),
    ((2, 1), [2, 5]),
    ((2, 1), [4, 2, 3]),
    ((1,), [2, 3]),
    ((2, 3), [4, -1, -1]),
    ((2, 3), [1, 1]),
    ((), [2]),
    ((1, 3), [0, 3]),
]:
    EXPAND.case(rand(*shape), const(wanted))
EXPAND.case(rand(2, 1), const([2, 5], np.int64))
EXPAND.case(rand(2, 1), np.array([4, 2, 3]), inferred=[(-1, 2, -1)], unknown=False)
EXPAND.case(randint(2, 1, dtype=np.int64), const([2, 5]))
EXPAND.case(quantised(rand(2, 1)), const([2, 5]), scale=0.02)

FILL = table("FILL")
BIG = 2**40 + 1
for value in (const(1.5), const(-7), const(BIG, np.int64), const(True)):
    FILL.case(const([2, 3]), value)
    FILL.case(const([3, 0, 2], np.int64), value)
    FILL.case(const([4]), value)
FILL.case(np.array([2, 3], np.int32), const(2), inferred=[(-1, -1)], unknown=False)
FILL.case(np.array([2, 3]), const(2.5), inferred=[(-1, -1)], unknown=False)
FILL.case(const([2, 3]), np.array([2.5], np.float32))

FILL_LIKE = table("FILL_LIKE")
for value in (const(1.5), const(-7), const(BIG, np.int64), const(True)):
    FILL_LIKE.case(rand(2, 3), value)
    FILL_LIKE.case(randint(0, 3), value)
FILL_LIKE.case(quantised(rand(2, 3)), const(0.5))
FILL_LIKE.case(rand(2, 3), np.array([2.5], np.float32))


FLATTEN = table("FLATTEN")
for start, end in [(0, 3), (1, 3), (1, 2), (0, -1), (-2, -1), (2, 2)]:
    FLATTEN.case(rand(2, 3, 4, 5), const(start), const(end))
FLATTEN.case(randint(2, 0, 3), const(0), const(1))
FLATTEN.case(quantised(rand(2, 3, 4)), const(1), const(2), scale=0.02)

GATHER = table("GATHER")
for axis in (0, 1, 2, -1):
    for indices in (np.array([2, 0, -1], np.int32), np.array([[0, 1], [-3, 2]]), np.array(1)):
        GATHER.case(rand(3, 4, 5), indices, const(axis))
        if indices.ndim:
            GATHER.case(rand(3, 4, 5), Const(indices), const(axis))
for dtype in TYPES:
    GATHER.case(randint(4, 3, dtype=dtype, low=0), const([1, 3]), const(0))
GATHER.case(rand(3, 4), randint(0), const(1))
GATHER.case(quantised(rand(3, 4)), const([1, 0]), const(1), scale=0.02)


CHANNEL_SHUFFLE = table("CHANNEL_SHUFFLE")
for group in (1, 2, 3, 6):
    CHANNEL_SHUFFLE.case(rand(2, 6, 3, 4), const(group))
CHANNEL_SHUFFLE.case(quantised(rand(2, 6, 3, 4)), const(2), scale=0.02)

DEQUANTIZE = table("DEQUANTIZE")
DEQUANTIZE.case(quantised(rand(2, 3)))
channels = randint(3, 4, low=-127, high=127, dtype=np.int8)
for axis, scales in [(0, (0.1, 0.2, 0.3)), (1, (0.1, 0.2, 0.3, 0.4))]:
    DEQUANTIZE.case(Quantised(channels, scales, axis))
    DEQUANTIZE.case(Quantised(channels, scales, axis, constant=True))

QUANTIZE = table("QUANTIZE")
QUANTIZE.case(rand(2, 3, low=-3, high=3), const(-1), const([0.05]), const(0), scale=0.05)
