"""Operations that move, make and convert elements."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, quantised, rand, randint

ASSIGN = Refused("ASSIGN")
ASSIGN.bad(None, match="input is missing")

CAST = Refused("CAST")
CAST.bad(rand(2), const(12), match="dtype is 12")
CAST.bad(rand(2), const(24), match="dtype is 24")
CAST.bad(rand(2), const(-1), match="dtype is -1")
CAST.bad(quantised(rand(2)), const(10), match="QUANT_INT8_SYMM_PER_LAYER, expected")


CONCAT = Refused("CONCAT")
CONCAT.bad(rand(2, 3), rand(2, 3), const(2), match="axis is 2")
CONCAT.bad(rand(2, 3), rand(3, 3), const(1), match="expected the same but for axis 1")
CONCAT.bad(rand(2, 3), rand(2), const(0), match="one rank")
CONCAT.bad(rand(2, 3), randint(2, 3), const(0), match="one type")
CONCAT.bad(const(0), match="1 input operands, expected 2 or more")
CONCAT.bad(rand(2), None, const(0), match="input is missing")


EXPAND = Refused("EXPAND")
EXPAND.bad(rand(2, 3), const([3]), match="fewer numbers than input has axes")
EXPAND.bad(rand(2, 3), const([2, 4]), match="does not expand")
EXPAND.bad(rand(2, 3), const([-1, 2, 3]), match="no dimension for its -1")
EXPAND.bad(rand(2, 3), const([2, -3]), match="expected numbers from -1")
EXPAND.bad(rand(2, 3), const([1.0, 2.0]), match="FLOAT32, expected one of INT32, INT64")
EXPAND.bad(rand(1), const([1] * 8 + [2]), match="at most 8")

FILL = Refused("FILL")
FILL.bad(const([2, -1]), const(1.0), match="shape")
FILL.bad(const([2]), const([1.0, 2.0]), match="expected one number")
FILL.bad(const([1] * 9), const(1.0), match="at most 8")

FILL_LIKE = Refused("FILL_LIKE")
FILL_LIKE.bad(rand(2), const([1.0, 2.0]), match="expected 1 elements")


FLATTEN = Refused("FLATTEN")
FLATTEN.bad(rand(2, 3), const(1), const(0), match="start_axis 1 is after end_axis 0")
FLATTEN.bad(rand(2, 3), const(0), const(2), match="end_axis is 2")
FLATTEN.bad(rand(2, 3), const(-3), const(1), match="start_axis is -3")

GATHER = Refused("GATHER")
GATHER.bad(rand(3, 4), const([0]), const(2), match="axis is 2")
GATHER.bad(rand(3, 4), const([0.0]), const(0), match="FLOAT32, expected")
GATHER.bad(rand(1, 1, 1, 1, 1), randint(1, 1, 1, 1, 1, 1), const(0), match="at most 8")


CHANNEL_SHUFFLE = Refused("CHANNEL_SHUFFLE")
CHANNEL_SHUFFLE.bad(rand(2, 6, 3, 4), const(4), match="a divisor of the 6 channels")
CHANNEL_SHUFFLE.bad(rand(2, 6, 3, 4), const(0), match="group is 0")
CHANNEL_SHUFFLE.bad(rand(2, 6, 3), const(2), match="rank 3")

DEQUANTIZE = Refused("DEQUANTIZE")
DEQUANTIZE.bad(rand(2), match="FLOAT32, expected one of QUANT_INT8")

test_refused = refusals(globals())
