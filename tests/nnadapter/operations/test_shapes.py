"""Operations that move elements: RESHAPE, SLICE, SPLIT, SQUEEZE, STACK, TILE, TRANSPOSE, ..."""

import numpy as np
from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)


SHAPE = Refused("SHAPE")
SHAPE.bad(rand(2), const(10), match=r"expected 5 \(INT32\) or 7")


RESHAPE = Refused("RESHAPE")
RESHAPE.bad(rand(2, 3), const([4]), match="does not fit")
RESHAPE.bad(rand(2, 3), const([4, -1]), match="does not fit")
RESHAPE.bad(rand(2, 3), const([-1, -1]), match="at most one -1")
RESHAPE.bad(rand(2, 3), const([-2, 3]), match="expected numbers from 0")
RESHAPE.bad(rand(2, 3), const([2, 3, 0]), match="copies dimension 2")
RESHAPE.bad(rand(2, 3), const([INT_MAX] * 4), match="too many elements")
RESHAPE.bad(rand(0, 3), const([0, -1]), match="can be anything")
RESHAPE.bad(rand(2, 3), const([1.0]), match="FLOAT32")
RESHAPE.bad(rand(2, 3), const([1] * 9), match="at most 8|copies|fit")


SLICE = Refused("SLICE")
one = const([1])
SLICE.bad(rand(4), one, one, one, one, match="an element of axes is 1")
SLICE.bad(rand(4, 4), one, one, one, const([0]), match="a step is 0")
SLICE.bad(rand(4, 4), one, const([1, 2]), one, one, match="as many of each")
SLICE.bad(rand(4, 4), const([1, -1]), *[const([1, 2])] * 3, match="named twice")
SLICE.bad(rand(4, 4), one, one, one, const([-(2**63)], np.int64), match="a step is")


SPLIT = Refused("SPLIT")
SPLIT.bad(rand(4), const(0), const([2, 3]), outputs=2, match="sum to 5, but dimension 0 of input")
SPLIT.bad(rand(4), const(0), const([2, 2]), outputs=3, match="2 numbers for 3 outputs")
SPLIT.bad(rand(4), const(0), const([-2, 6]), outputs=2, match="split holds -2")
SPLIT.bad(rand(4), const(0), const([5, -1]), outputs=2, match="sum to 5")
SPLIT.bad(rand(4), const(1), const([2, 2]), outputs=2, match="axis is 1")


SQUEEZE = Refused("SQUEEZE")
SQUEEZE.bad(rand(1, 3), const([2]), match="an element of axes is 2")


UNSQUEEZE = Refused("UNSQUEEZE")
UNSQUEEZE.bad(rand(3, 4), const([3]), match=r"expected a number in \[-3, 3\)")
UNSQUEEZE.bad(rand(3, 4), const([0] * 7), match="more than 8 dimensions")

STACK = Refused("STACK")
STACK.bad(rand(2, 3), rand(2, 2), const(0), match=r"input1 has shape \[2, 2\]")
STACK.bad(rand(2, 3), randint(2, 3), const(0), match="input1 is INT32")
STACK.bad(rand(2, 3), const(3), match="axis is 3")
STACK.bad(*[rand(1, 1, 1, 1, 1, 1, 1, 1)] * 2, const(0), match="at most 8")
STACK.bad(const(0), match="input")


UNSTACK = Refused("UNSTACK")
UNSTACK.bad(rand(2, 3), const(0), const(3), outputs=3, match="num is 3")
UNSTACK.bad(rand(2, 3), const(0), const(2), outputs=3, match="there are 3 outputs")

TILE = Refused("TILE")
TILE.bad(rand(2, 3), const([0, 1]), match="expected numbers from 1")
TILE.bad(rand(2, 3), const([INT_MAX, 1]), match="a dimension of the output would be")
TILE.bad(rand(2, 3), const([1] * 9), match="8")

TRANSPOSE = Refused("TRANSPOSE")
TRANSPOSE.bad(rand(2, 3), const([0]), match="perm has 1 numbers")
TRANSPOSE.bad(rand(2, 3), const([0, 0]), match="names axis 0 twice")
TRANSPOSE.bad(rand(2, 3), const([0, 2]), match="an element of perm is 2")


ROLL = Refused("ROLL")
ROLL.bad(rand(3, 4), const([1, 2]), const([0]), match="shifts has 2 numbers, expected 1")
ROLL.bad(rand(3, 4), const([1]), const([2]), match="an element of axes is 2")

MESHGRID = Refused("MESHGRID")
MESHGRID.bad(rand(3), rand(2), outputs=3, match="2 inputs and 3 outputs")
MESHGRID.bad(rand(3, 2), match="expected one dimension")


RANGE = Refused("RANGE")
RANGE.bad(const(0), const(5), const(0), match="never lead|steps of 0")
RANGE.bad(const(0), const(5), const(-1), match="never lead")
RANGE.bad(const(0), const(5.0), const(1), match="end is FLOAT32")
RANGE.bad(const([0, 1]), const(5), const(1), match="expected one number")
RANGE.bad(const(0.0), const(3e38), const(1e-3), match="a range of|never")
RANGE.bad(const(float("nan")), const(3.0), const(1.0), match="never lead")


PAD = Refused("PAD")
PAD.bad(rand(3, 4), const([1, 1]), const(1), None, match="pads has 2 numbers")
PAD.bad(rand(3), const([-1, 1]), const(1), None, match="expected numbers from 0")
PAD.bad(rand(3), const([3, 0]), const(2), None, match="cannot be padded by 3")
PAD.bad(rand(3), const([1, 0]), const(5), None, match="mode is 5")
PAD.bad(rand(3), const([1, 0]), const(1), const(1), match="value is INT32, but input is FLOAT32")
PAD.bad(rand(3), const([1, 0]), const(1), const([1.0, 2.0]), match="expected one number")
PAD.bad(rand(3), const([INT_MAX, INT_MAX]), const(1), None, match="dimension of the output")

test_refused = refusals(globals())
