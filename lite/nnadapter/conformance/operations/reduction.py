"""Reductions, searches and normalisations along axes."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import numpy as np

from ..case import Const, const, quantised, rand, randint, table


def reduction(name: str) -> None:
    each = table(name)
    for axes in ([0], [-1], [1, 2], [0, 1, 2, 3], [-1, -3], []):
        for keep in (True, False):
            each.case(rand(2, 3, 4, 5), const(axes, np.int32), const(keep))
    each.case(rand(4, 5), None, const(False))
    each.case(rand(4, 5), None, None)
    each.case(rand(4, 5), const([0], np.int64), const(False))
    each.case(quantised(rand(2, 3, 4)), const([1]), const(True), scale=0.03)


reduction("REDUCE_MEAN")
reduction("REDUCE_MAX")
reduction("REDUCE_SUM")
for each in (table("REDUCE_MAX"), table("REDUCE_SUM")):
    for dtype in (np.int32, np.int64):
        each.case(randint(3, 4, dtype=dtype), const([1]), const(False))

SUM = table("SUM")
SUM.case(rand(3))
SUM.case(rand(2, 3), rand(2, 3, seed=1))
SUM.case(rand(2, 3), rand(3), rand(2, 1), rand(1))
SUM.case(randint(2, 3), randint(3))
SUM.case(randint(2, 3, dtype=np.int64), randint(2, 3, dtype=np.int64))
SUM.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=4)), scale=0.04)


TOP_K = table("TOP_K")
for shape, k, axis in (((6,), 2, 0), ((3, 5), 5, -1), ((4, 5), 1, 0), ((2, 3, 4), 2, 1)):
    for largest in (True, False):
        for code in (5, 7):
            TOP_K.case(
                *(rand(*shape), const(k), const(axis), const(largest), const(True), const(code))
            )
flags = (const(-1), const(True), const(True), const(7))
TOP_K.case(rand(3, 5), const(2, np.int64), *flags)
TOP_K.case(rand(3, 5), np.array([2], np.int32), *flags, inferred=[(3, -1)] * 2, unknown=False)
for dtype in (np.int32, np.int64):
    numbers = np.random.default_rng(0).permutation(12).reshape(3, 4).astype(dtype)
    TOP_K.case(numbers, const(3), *flags)

EPSILON = const(1e-3)
BATCH = table("BATCH_NORMALIZATION")
parameters = [Const(rand(3, seed=s, low=0.2)) for s in range(4)]
for shape in [(2, 3), (2, 3, 5), (2, 3, 4, 5), (1, 3, 2, 3, 2), (0, 3, 2, 2)]:
    BATCH.case(rand(*shape), *parameters, EPSILON)
BATCH.case(rand(2, 3, 4, 5), *[p.value for p in parameters], EPSILON)
double = [Const(p.value.astype(np.float64)) for p in parameters]
BATCH.case(rand(2, 3, 4).astype(np.float64), *double, EPSILON)
BATCH.case(quantised(rand(2, 3, 4, 5)), *parameters, EPSILON, scale=0.1)


INSTANCE = table("INSTANCE_NORMALIZATION")
GROUP = table("GROUP_NORMALIZATION")
for each, more in [
    (INSTANCE, ()),
    (GROUP, (const(2),)),
    (GROUP, (const(4),)),
    (GROUP, (const(1),)),
]:
    for shape in [(2, 4, 5), (2, 4, 4, 5), (1, 4, 2, 3, 2)]:
        scale, bias = Const(rand(4)), Const(rand(4, seed=3))
        each.case(rand(*shape), scale, bias, EPSILON, *more)
        each.case(rand(*shape), None, None, EPSILON, *more)
        each.case(rand(*shape), scale, None, EPSILON, *more)
        each.case(rand(*shape), None, bias, EPSILON, *more)
    each.case(quantised(rand(2, 4, 3, 5)), Const(rand(4)), None, EPSILON, *more, scale=0.05)


LAYER = table("LAYER_NORMALIZATION")
x = rand(2, 3, 4)
for begin in (0, 1, 2, -1, -3):
    count = int(np.prod(x.shape[begin:]))
    scale, bias = Const(rand(count)), Const(rand(count, seed=8))
    LAYER.case(x, scale, bias, const(begin), EPSILON)
    LAYER.case(x, None, None, const(begin), EPSILON)
LAYER.case(x, Const(rand(3, 4)), None, const(1), EPSILON)
LAYER.case(rand(5), Const(rand(5)), None, const(0), EPSILON)
LAYER.case(quantised(x), Const(rand(4)), None, const(2), EPSILON, scale=0.05)


LP = table("LP_NORMALIZATION")
for p in (1, 2):
    for axes in ([0], [1], [-1], [0, 2], [-2, -1]):
        LP.case(x, const(axes), const(p), const(1e-10))
    LP.case(x, const(1), const(p), const(0.5))
    LP.case(quantised(x), const([1]), const(p), const(1e-5), scale=0.01)
LP.case(np.zeros((2, 3), np.float32), const([1]), const(2), const(1e-5))


LRN = table("LRN")
for size, bias, alpha, beta in [(5, 1.0, 1e-4, 0.75), (3, 2.0, 0.5, 0.5), (9, 1.0, 1.0, 1.0)]:
    LRN.case(rand(2, 6, 3, 4), const(size), const(bias), const(alpha), const(beta))
LRN.case(quantised(rand(2, 6, 3, 4)), const(1), const(1.0), const(1.0), const(0.5), scale=0.01)
