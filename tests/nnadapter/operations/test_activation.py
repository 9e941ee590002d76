"""Operations on one tensor, element by element, and those along an axis of it."""

import math

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint

erf = np.vectorize(math.erf)


def unary(name, function, low=-2.0):
    """Cases of an operation without further operands."""
    table = Table(name, lambda x: function(x).astype(x.dtype))
    for shape in [(), (3,), (2, 3, 4, 5), (1, 2, 1, 3, 2), (0, 3)]:
        table.case(rand(*shape, low=low))
    table.case(rand(3, 4, low=low).astype(np.float64))
    table.case(quantised(rand(2, 3, 4, low=low)), scale=0.05)
    table.bad(randint(3) > 0, match="BOOL8")
    table.bad(None, match="input is missing")
    table.bad(rand(2), rand(2), match="2 input operands")
    return table


ABS, COS = unary("ABS", np.abs), unary("COS", np.cos)
EXP, FLOOR = unary("EXP", np.exp), unary("FLOOR", np.floor)
LOG = unary("LOG", np.log, low=0.1)
ABS.case(randint(3, 4))
ABS.case(randint(3, 4, dtype=np.int64))
FLOOR.cases = [c for c in FLOOR.cases if c.scales == [None]]  # a quantum decides the floor
FLOOR.case(quantised(np.array([-2.0, 0.5, 1.5], np.float32), 0.5), scale=1.0)

test_abs, test_bad_abs = ABS.tests(), ABS.bad_tests()
test_cos, test_bad_cos = COS.tests(), COS.bad_tests()
test_exp, test_bad_exp = EXP.tests(), EXP.bad_tests()
test_floor, test_bad_floor = FLOOR.tests(), FLOOR.bad_tests()
test_log, test_bad_log = LOG.tests(), LOG.bad_tests()


def gelu(x, approximate):
    if approximate[0]:
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return (0.5 * x * (1 + erf(x / math.sqrt(2)))).astype(x.dtype)


GELU = Table("GELU", gelu)
for approximate in (False, True):
    GELU.case(rand(2, 3, 4), const(approximate))
    GELU.case(quantised(rand(2, 3)), const(approximate), scale=0.02)
GELU.bad(rand(2), const(1.0), match="bool8|BOOL8")
test_gelu, test_bad_gelu = GELU.tests(), GELU.bad_tests()

LEAKY_RELU = Table("LEAKY_RELU", lambda x, a: np.where(x >= 0, x, a * x).astype(x.dtype))
for alpha in (0.1, 0.0, 1.5, -0.5):
    LEAKY_RELU.case(rand(2, 3, 4), const(alpha))
LEAKY_RELU.case(quantised(rand(2, 3)), const(0.25), scale=0.02)
LEAKY_RELU.bad(rand(2), const(1), match="FLOAT32")
LEAKY_RELU.bad(rand(2), rand(1), match="is computed, expected a constant")
LEAKY_RELU.bad(rand(2), const([0.1, 0.2]), match="one float32")
test_leaky_relu, test_bad_leaky_relu = LEAKY_RELU.tests(), LEAKY_RELU.bad_tests()


def hard_sigmoid(x, alpha, beta):
    return np.clip(alpha * x + beta, 0, 1).astype(x.dtype)


HARD_SIGMOID = Table("HARD_SIGMOID", hard_sigmoid)
HARD_SWISH = Table("HARD_SWISH", lambda x, a, b: (x * hard_sigmoid(x, a, b)).astype(x.dtype))
for table in (HARD_SIGMOID, HARD_SWISH):
    for alpha, beta in [(0.2, 0.5), (1 / 6, 0.5), (1.0, 0.0), (0.0, 0.3), (-0.4, 0.1), (1e-5, 0.5)]:
        table.case(rand(2, 3, 4) * 4, const(alpha), const(beta))
    table.case(quantised(rand(2, 30)), const(0.2), const(0.5), scale=0.02)
    table.bad(rand(2), const(1.0), match="2 input operands")
test_hard_sigmoid, test_bad_hard_sigmoid = HARD_SIGMOID.tests(), HARD_SIGMOID.bad_tests()
test_hard_swish, test_bad_hard_swish = HARD_SWISH.tests(), HARD_SWISH.bad_tests()

CLIP = Table("CLIP", lambda x, low, high: np.clip(x, low, high).astype(x.dtype))
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
CLIP.bad(rand(2), const(2.0), const(1.0), match="min <= max")
CLIP.bad(randint(2), const(2), const(1), match="min is 2 and max is 1")
CLIP.bad(rand(2), const(float("nan")), const(1.0), match="min <= max")
CLIP.bad(rand(2), const(1), const(2), match="one type")
CLIP.bad(rand(2), const([1.0, 2.0]), const(3.0), match="expected 1 elements")
test_clip, test_bad_clip = CLIP.tests(), CLIP.bad_tests()


def log_softmax(x, axis):
    shifted = x - x.max(int(axis[0]), keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(int(axis[0]), keepdims=True))


def softmax(x, axis):
    exponents = np.exp(x - x.max(int(axis[0]), keepdims=True))
    return exponents / exponents.sum(int(axis[0]), keepdims=True)


def cum_sum(x, axis, exclusive, reverse):
    axis = int(axis[0])
    x = np.flip(x, axis) if reverse[0] else x
    sums = np.cumsum(x, axis, dtype=x.dtype)
    sums = sums - x if exclusive[0] else sums
    return np.flip(sums, axis) if reverse[0] else sums


SOFTMAX, LOG_SOFTMAX = Table("SOFTMAX", softmax), Table("LOG_SOFTMAX", log_softmax)
CUM_SUM = Table("CUM_SUM", cum_sum)
for table in (SOFTMAX, LOG_SOFTMAX):
    for axis in (0, 1, 2, -1, -3):
        table.case(rand(2, 3, 4), const(axis))
    table.case(rand(5), const(0))
    table.case(rand(2, 5).astype(np.float64), const(-1))
    table.case(quantised(rand(2, 5)), const(1), scale=0.04)
    table.bad(rand(2, 3), const(2), match=r"axis is 2, expected a number in \[-2, 2\)")
    table.bad(rand(), const(0), match="axis is 0")
for axis in (0, 1, 2, -1, -3):
    for flags in [(False, False), (True, False), (False, True), (True, True)]:
        CUM_SUM.case(rand(2, 3, 4), const(axis), *map(const, flags))
for dtype in (np.int32, np.int64, np.float64):
    CUM_SUM.case(randint(2, 3, dtype=dtype), const(1), const(False), const(True))
CUM_SUM.case(quantised(rand(2, 5)), const(1), const(False), const(False), scale=0.1)
CUM_SUM.bad(rand(2, 3), const(-3), const(False), const(False), match="axis is -3")
test_softmax, test_bad_softmax = SOFTMAX.tests(), SOFTMAX.bad_tests()
test_log_softmax, test_bad_log_softmax = LOG_SOFTMAX.tests(), LOG_SOFTMAX.bad_tests()
test_cum_sum, test_bad_cum_sum = CUM_SUM.tests(), CUM_SUM.bad_tests()


def arg(function):
    def reference(x, axis, keepdim, dtype=None):
        found = function(x, int(axis[0]))
        found = np.expand_dims(found, int(axis[0])) if keepdim[0] else found
        return found.astype(np.int32 if dtype is not None and dtype[0] == 5 else np.int64)

    return reference


ARG_MAX, ARG_MIN = Table("ARG_MAX", arg(np.argmax)), Table("ARG_MIN", arg(np.argmin))
for table in (ARG_MAX, ARG_MIN):
    for axis in (0, 1, -1):
        for keepdim in (False, True):
            table.case(rand(2, 3, 4), const(axis), const(keepdim), const(5))
            table.case(randint(2, 3, 4, low=0, high=2), const(axis), const(keepdim), const(7))
    table.case(rand(6), const(0), const(False))
    for dtype in (np.int64, np.int8, np.uint8, np.float64):
        table.case(randint(3, 6, dtype=dtype, low=0), const(1), const(True), const(7))
    table.case(quantised(rand(3, 6)), const(1), const(True), const(7))
    table.bad(rand(2, 3), const(2), const(True), const(7), match="axis is 2")
    table.bad(rand(2, 0), const(1), const(True), const(7), match="nothing along axis 1")
    table.bad(rand(2, 3), const(1), const(True), const(10), match="dtype is 10")
    table.bad(rand(2) > 0, const(0), const(True), const(7), match="BOOL8")
test_arg_max, test_bad_arg_max = ARG_MAX.tests(), ARG_MAX.bad_tests()
test_arg_min, test_bad_arg_min = ARG_MIN.tests(), ARG_MIN.bad_tests()
