"""Operations on one tensor, element by element, and those along an axis of it."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint


def unary(name):
    table = Refused(name)
    table.bad(randint(3) > 0, match="BOOL8")
    table.bad(None, match="input is missing")
    table.bad(rand(2), rand(2), match="2 input operands")
    return table


ABS, COS, EXP, FLOOR, LOG = map(unary, ("ABS", "COS", "EXP", "FLOOR", "LOG"))


GELU = Refused("GELU")
GELU.bad(rand(2), const(1.0), match="bool8|BOOL8")

LEAKY_RELU = Refused("LEAKY_RELU")
LEAKY_RELU.bad(rand(2), const(1), match="FLOAT32")
LEAKY_RELU.bad(rand(2), rand(1), match="is computed, expected a constant")
LEAKY_RELU.bad(rand(2), const([0.1, 0.2]), match="one float32")


HARD_SIGMOID = Refused("HARD_SIGMOID")
HARD_SWISH = Refused("HARD_SWISH")
for table in (HARD_SIGMOID, HARD_SWISH):
    table.bad(rand(2), const(1.0), match="2 input operands")

CLIP = Refused("CLIP")
CLIP.bad(rand(2), const(2.0), const(1.0), match="min <= max")
CLIP.bad(randint(2), const(2), const(1), match="min is 2 and max is 1")
CLIP.bad(rand(2), const(float("nan")), const(1.0), match="min <= max")
CLIP.bad(rand(2), const(1), const(2), match="one type")
CLIP.bad(rand(2), const([1.0, 2.0]), const(3.0), match="expected 1 elements")


SOFTMAX, LOG_SOFTMAX = Refused("SOFTMAX"), Refused("LOG_SOFTMAX")
CUM_SUM = Refused("CUM_SUM")
for table in (SOFTMAX, LOG_SOFTMAX):
    table.bad(rand(2, 3), const(2), match=r"axis is 2, expected a number in \[-2, 2\)")
    table.bad(rand(), const(0), match="axis is 0")
CUM_SUM.bad(rand(2, 3), const(-3), const(False), const(False), match="axis is -3")


ARG_MAX, ARG_MIN = Refused("ARG_MAX"), Refused("ARG_MIN")
for table in (ARG_MAX, ARG_MIN):
    table.bad(rand(2, 3), const(2), const(True), const(7), match="axis is 2")
    table.bad(rand(2, 0), const(1), const(True), const(7), match="nothing along axis 1")
    table.bad(rand(2, 3), const(1), const(True), const(10), match="dtype is 10")
    table.bad(rand(2) > 0, const(0), const(True), const(7), match="BOOL8")

test_refused = refusals(globals())
