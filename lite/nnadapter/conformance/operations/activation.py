"""Functions of each element, and along an axis."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import numpy as np

from ..case import const, quantised, rand, randint, table


def unary(name: str, low: float = -2.0) -> None:
    each = table(name)
    for shape in [(), (3,), (2, 3, 4, 5), (1, 2, 1, 3, 2), (0, 3)]:
        each.case(rand(*shape, low=low))
    each.case(rand(3, 4, low=low).astype(np.float64))
    if name != "FLOOR":  # a quantum decides the floor
        each.case(quantised(rand(2, 3, 4, low=low)), scale=0.05)


for name in ("ABS", "COS", "EXP", "FLOOR"):
    unary(name)
unary("LOG", low=0.1)
ABS, FLOOR = table("ABS"), table("FLOOR")
ABS.case(randint(3, 4))
ABS.case(randint(3, 4, dtype=np.int64))
FLOOR.case(quantised(np.array([-2.0, 0.5, 1.5], np.float32), 0.5), scale=1.0)


GELU = table("GELU")
for approximate in (False, True):
    GELU.case(rand(2, 3, 4), const(approximate))
    GELU.case(quantised(rand(2, 3)), const(approximate), scale=0.02)

LEAKY_RELU = table("LEAKY_RELU")
for alpha in (0.1, 0.0, 1.5, -0.5):
    LEAKY_RELU.case(rand(2, 3, 4), const(alpha))
LEAKY_RELU.case(quantised(rand(2, 3)), const(0.25), scale=0.02)


HARD_SIGMOID = table("HARD_SIGMOID")
HARD_SWISH = table("HARD_SWISH")
for each in (HARD_SIGMOID, HARD_SWISH):
    for alpha, beta in [(0.2, 0.5), (1 / 6, 0.5), (1.0, 0.0), (0.0, 0.3), (-0.4, 0.1), (1e-5, 0.5)]:
        each.case(rand(2, 3, 4) * 4, const(alpha), const(beta))
    each.case(quantised(rand(2, 30)), const(0.2), const(0.5), scale=0.02)

CLIP = table("CLIP")
CLIP.case(rand(2, 3, 4), const(-0.5), const(1.0))
CLIP.case(rand(2, 3, 4), np.array([-0.5], np.float32), np.array([1.0], np.float32), unknown=False)
CLIP.case(randint(2, 9), const(-2), const(3))
CLIP.case(randint(2, 9, dtype=np.int64), const(-2, np.int64), const(3, np.int64))
CLIP.case(rand(9).astype(np.float64), const(-1.0, np.float64), const(1.0, np.float64))
CLIP.case(quantised(rand(2, 30)), const(-0.5), const(1.0), scale=0.01)
CLIP.case(
    *(quantised(rand(30)), quantised(np.array([-1.0], np.float32), 0.1)),
    *(quantised(np.array([0.5], np.float32), 0.1),),
    scale=0.01,
    unknown=False,
)


SOFTMAX, LOG_SOFTMAX = table("SOFTMAX"), table("LOG_SOFTMAX")
CUM_SUM = table("CUM_SUM")
for each in (SOFTMAX, LOG_SOFTMAX):
    for axis in (0, 1, 2, -1, -3):
        each.case(rand(2, 3, 4), const(axis))
    each.case(rand(5), const(0))
    each.case(rand(2, 5).astype(np.float64), const(-1))
    each.case(quantised(rand(2, 5)), const(1), scale=0.04)
for axis in (0, 1, 2, -1, -3):
    for flags in [(False, False), (True, False), (False, True), (True, True)]:
        CUM_SUM.case(rand(2, 3, 4), const(axis), *map(const, flags))
for dtype in (np.int32, np.int64, np.float64):
    CUM_SUM.case(randint(2, 3, dtype=dtype), const(1), const(False), const(True))
CUM_SUM.case(quantised(rand(2, 5)), const(1), const(False), const(False), scale=0.1)


ARG_MAX, ARG_MIN = table("ARG_MAX"), table("ARG_MIN")
for each in (ARG_MAX, ARG_MIN):
    for axis in (0, 1, -1):
        for keepdim in (False, True):
            each.case(rand(2, 3, 4), const(axis), const(keepdim), const(5))
            each.case(randint(2, 3, 4, low=0, high=2), const(axis), const(keepdim), const(7))
    each.case(rand(6), const(0), const(False))
    for dtype in (np.int64, np.int8, np.uint8, np.float64):
        each.case(randint(3, 6, dtype=dtype, low=0), const(1), const(True), const(7))
    each.case(quantised(rand(3, 6)), const(1), const(True), const(7))


SHAPES = [(), (1,), (7,), (2, 3), (2, 3, 4, 5), (0, 3), (1, 1, 1, 1, 2)]


def activation(name: str, low: float = -9.0, scale: float = 0.08) -> None:
    each = table(name)
    for shape in SHAPES:
        each.case(np.asarray(rand(*shape, low=low, high=9)))
    each.case(rand(3, 4, low=low, high=9).astype(np.float64))
    each.case(quantised(rand(2, 3, 5, low=low, high=9)), scale=scale)


activation("RELU")
activation("RELU6")
activation("RSQRT", low=0.5, scale=0.02)
activation("SIGMOID", scale=1 / 127)
activation("SIN", scale=1 / 127)
activation("SQUARE", scale=0.7)
for dtype in (np.int32, np.int64):
    table("SQUARE").case(randint(2, 3, dtype=dtype))
activation("SWISH")
activation("TANH", scale=1 / 127)


SOFTPLUS = table("SOFTPLUS")
for beta, threshold in ((1.0, 20.0), (0.5, 2.0), (3.0, 0.0)):
    SOFTPLUS.case(rand(2, 30, low=-30, high=30), const(beta), const(threshold))
SOFTPLUS.case(quantised(rand(3, 4)), const(1.0), const(20.0), scale=0.02)


PRELU = table("PRELU")
PRELU.case(rand(2, 3, 4, 5), rand(1), unknown=False)
PRELU.case(rand(2, 3, 4, 5), const(rand(3)))
PRELU.case(rand(2, 3, 4, 5), const(rand(1, 3, 1, 1)))
PRELU.case(rand(2, 3, 4, 5), const(rand(3, 4, 5)), unknown=False)
PRELU.case(rand(2, 3), const(rand(3)))
PRELU.case(rand(5), const(rand(1)))
PRELU.case(quantised(rand(2, 3, 4)), const(rand(3)), scale=0.03)
