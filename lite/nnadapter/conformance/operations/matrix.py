"""Products of matrices."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import itertools

import numpy as np

from ..case import Const, Quantised, const, quantised, rand, randint, table

MAT_MUL = table("MAT_MUL")
NO, YES = const(False), const(True)
for left, right in [
    ((3, 4), (4, 5)),
    ((2, 3, 4), (4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((5, 1, 3, 4), (2, 4, 6)),
    ((4,), (4, 5)),
    ((3, 4), (4,)),
    ((4,), (4,)),
    ((2, 3, 4), (4,)),
    ((0, 4), (4, 5)),
]:
    MAT_MUL.case(rand(*left), rand(*right), NO, NO)
    MAT_MUL.case(rand(*left), Const(rand(*right)), NO, NO)
for transpose_x, transpose_y in itertools.product((NO, YES), (NO, YES)):
    left = (2, 4, 3) if transpose_x is YES else (2, 3, 4)
    right = (5, 4) if transpose_y is YES else (4, 5)
    MAT_MUL.case(rand(*left), rand(*right), transpose_x, transpose_y)
    MAT_MUL.case(rand(*left), Const(rand(*right)), transpose_x, transpose_y)
MAT_MUL.case(rand(4), rand(4), YES, YES)
for dtype in (np.int32, np.int64, np.float64):
    MAT_MUL.case(randint(2, 3, dtype=dtype), randint(3, 4, dtype=dtype), NO, NO)
MAT_MUL.case(quantised(rand(3, 4)), quantised(rand(4, 5)), NO, NO, scale=0.1)


FULLY_CONNECTED = table("FULLY_CONNECTED")
w = rand(5, 12)
for shape in [(3, 12), (2, 3, 12), (2, 3, 2, 6)]:
    for bias in (None, Const(rand(5))):
        for code in (0, 1):
            FULLY_CONNECTED.case(rand(*shape), Const(w), bias, const(code))
FULLY_CONNECTED.case(rand(3, 12), w, rand(5), const(0))
per_unit = tuple(map(float, np.abs(w).max(1) / 127))
qw = Quantised(np.round(w / np.reshape(per_unit, (-1, 1))).astype(np.int8), per_unit, 0, True)
qx = quantised(rand(3, 12))
biases = np.round(rand(5) / (qx.scales[0] * np.array(per_unit))).astype(np.int32)
qb = Quantised(biases, tuple(qx.scales[0] * s for s in per_unit), 0, True)
FULLY_CONNECTED.case(qx, qw, qb, const(1), scale=0.1)
FULLY_CONNECTED.case(rand(3, 12), qw, None, const(0))
