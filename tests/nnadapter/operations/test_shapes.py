"""Operations that move elements: RESHAPE, SLICE, SPLIT, SQUEEZE, STACK, TILE, TRANSPOSE, ..."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
ALL = (np.float32, np.float64, np.int32, np.int64, np.int8, np.uint8, np.bool_)


def numbers(*shape, dtype):
    return randint(*shape, low=0, high=2, dtype=dtype)


SHAPE = Table("SHAPE", lambda x, code: np.asarray(x.shape, np.int32 if code[0] == 5 else np.int64))
for shape in ((3,), (2, 3, 4), (0, 2)):
    for code in (5, 7):
        SHAPE.case(rand(*shape), const(code))
for dtype in ALL:
    SHAPE.case(numbers(2, 3, dtype=dtype), const(5))
SHAPE.case(quantised(rand(2, 3)), const(5))
SHAPE.bad(rand(2), const(10), match=r"expected 5 \(INT32\) or 7")
test_shape, test_bad_shape = SHAPE.tests(), SHAPE.bad_tests()


def reshape(x, shape):
    return x.reshape([x.shape[i] if d == 0 else int(d) for i, d in enumerate(shape)])


RESHAPE = Table("RESHAPE", reshape)
for wanted in ([24], [4, 6], [-1, 2], [0, -1], [2, 0, 2, -1], [0, 0, 0], [1, 24, 1, 1]):
    RESHAPE.case(rand(2, 3, 4), const(wanted))
    RESHAPE.case(rand(2, 3, 4), const(wanted, np.int64))
for dtype in ALL:
    RESHAPE.case(numbers(2, 3, dtype=dtype), const([3, -1]))
RESHAPE.case(quantised(rand(2, 3)), const([6]), scale=0.02)
shape = np.array([4, -1], np.int32)
RESHAPE.case(rand(2, 3, 4), shape, inferred=[(-1, -1)], unknown=False)
RESHAPE.bad(rand(2, 3), const([4]), match="does not fit")
RESHAPE.bad(rand(2, 3), const([4, -1]), match="does not fit")
RESHAPE.bad(rand(2, 3), const([-1, -1]), match="at most one -1")
RESHAPE.bad(rand(2, 3), const([-2, 3]), match="expected numbers from 0")
RESHAPE.bad(rand(2, 3), const([2, 3, 0]), match="copies dimension 2")
RESHAPE.bad(rand(2, 3), const([INT_MAX] * 4), match="too many elements")
RESHAPE.bad(rand(0, 3), const([0, -1]), match="can be anything")
RESHAPE.bad(rand(2, 3), const([1.0]), match="FLOAT32")
RESHAPE.bad(rand(2, 3), const([1] * 9), match="at most 8|copies|fit")
test_reshape, test_bad_reshape = RESHAPE.tests(), RESHAPE.bad_tests()


def numpy_slice(x, axes, starts, ends, steps=None):
    axes = range(len(starts)) if axes is None or not len(axes) else axes
    steps = [1] * len(starts) if steps is None or not len(steps) else steps
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        # numpy has no number for "before the first element"
        stop = None if end < -x.shape[axis] and step < 0 else int(end)
        index[axis] = slice(int(start), stop, int(step))
    return x[tuple(index)]


SLICE = Table("SLICE", numpy_slice)
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
SLICE.bad(rand(4), one, one, one, one, match="an element of axes is 1")
SLICE.bad(rand(4, 4), one, one, one, const([0]), match="a step is 0")
SLICE.bad(rand(4, 4), one, const([1, 2]), one, one, match="as many of each")
SLICE.bad(rand(4, 4), const([1, -1]), *[const([1, 2])] * 3, match="named twice")
SLICE.bad(rand(4, 4), one, one, one, const([-(2**63)], np.int64), match="a step is")
test_slice, test_bad_slice = SLICE.tests(), SLICE.bad_tests()


def split(x, axis, lengths):
    lengths = [x.shape[int(axis[0])] - sum(lengths) - 1 if n == -1 else n for n in lengths]
    return np.split(x, np.cumsum(lengths)[:-1], int(axis[0]))


SPLIT = Table("SPLIT", split)
for dtype in ALL:
    SPLIT.case(numbers(2, 6, dtype=dtype), const(-1), const([1, 2, 3]))
SPLIT.case(rand(4, 3), const(0), const([4]))
SPLIT.case(rand(4, 3), const(0), const([1, -1]))
SPLIT.case(rand(4, 3), const(0), const([4, 0]))
SPLIT.case(quantised(rand(4, 3)), const(0), const([4]), scale=0.02)
SPLIT.bad(rand(4), const(0), const([2, 3]), outputs=2, match="sum to 5, but dimension 0 of input")
SPLIT.bad(rand(4), const(0), const([2, 2]), outputs=3, match="2 numbers for 3 outputs")
SPLIT.bad(rand(4), const(0), const([-2, 6]), outputs=2, match="split holds -2")
SPLIT.bad(rand(4), const(0), const([5, -1]), outputs=2, match="sum to 5")
SPLIT.bad(rand(4), const(1), const([2, 2]), outputs=2, match="axis is 1")
test_split, test_bad_split = SPLIT.tests(), SPLIT.bad_tests()


def squeeze(x, axes=None):
    axes = [] if axes is None else [a % x.ndim for a in axes]
    drop = [i for i, d in enumerate(x.shape) if d == 1 and (not axes or i in axes)]
    return x.reshape([d for i, d in enumerate(x.shape) if i not in drop])


SQUEEZE = Table("SQUEEZE", squeeze)
SQUEEZE.case(rand(1, 3, 1, 2), const([0]))
SQUEEZE.case(rand(1, 3, 1, 2), const([0, -2]))
SQUEEZE.case(rand(1, 3, 1, 2), None, unknown=False)
SQUEEZE.case(rand(1, 3, 1, 2), const([], np.int32), unknown=False)
SQUEEZE.case(rand(2, 3), const([0]), unknown=False)
SQUEEZE.case(rand(1), const([0]))
SQUEEZE.case(quantised(rand(1, 3)), const([0]), scale=0.02)
SQUEEZE.bad(rand(1, 3), const([2]), match="an element of axes is 2")
test_squeeze, test_bad_squeeze = SQUEEZE.tests(), SQUEEZE.bad_tests()


def unsqueeze(x, axes):
    for axis in axes:
        x = np.expand_dims(x, int(axis))
    return x


UNSQUEEZE = Table("UNSQUEEZE", unsqueeze)
for axes in ([0], [-1], [1], [0, 2], [2, 0], [0, 0, 0]):
    UNSQUEEZE.case(rand(3, 4), const(axes))
UNSQUEEZE.case(np.float32(3).reshape(()), const([0]))
UNSQUEEZE.case(quantised(rand(1, 3)), const([0]), scale=0.02)
UNSQUEEZE.bad(rand(3, 4), const([3]), match=r"expected a number in \[-3, 3\)")
UNSQUEEZE.bad(rand(3, 4), const([0] * 7), match="more than 8 dimensions")
test_unsqueeze, test_bad_unsqueeze = UNSQUEEZE.tests(), UNSQUEEZE.bad_tests()

STACK = Table("STACK", lambda *xs: np.stack(xs[:-1], int(xs[-1][0])))
for dtype in ALL:
    STACK.case(numbers(2, 3, dtype=dtype), numbers(2, 3, dtype=dtype), const(1))
for axis in (0, 2, -1, -3):
    STACK.case(rand(2, 3), rand(2, 3, seed=1), rand(2, 3, seed=2), const(axis))
STACK.case(rand(3), const(0))
STACK.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=1)), const(0), scale=0.02)
STACK.bad(rand(2, 3), rand(2, 2), const(0), match=r"input1 has shape \[2, 2\]")
STACK.bad(rand(2, 3), randint(2, 3), const(0), match="input1 is INT32")
STACK.bad(rand(2, 3), const(3), match="axis is 3")
STACK.bad(*[rand(1, 1, 1, 1, 1, 1, 1, 1)] * 2, const(0), match="at most 8")
STACK.bad(const(0), match="input")
test_stack, test_bad_stack = STACK.tests(), STACK.bad_tests()


def unstack(x, axis, num):
    return [np.take(x, i, int(axis[0])) for i in range(int(num[0]))]


UNSTACK = Table("UNSTACK", unstack)
for axis, count in ((0, 2), (1, 3), (-1, 4)):
    UNSTACK.case(rand(2, 3, 4), const(axis), const(count))
UNSTACK.case(rand(2), const(0), const(2))
UNSTACK.bad(rand(2, 3), const(0), const(3), outputs=3, match="num is 3")
UNSTACK.bad(rand(2, 3), const(0), const(2), outputs=3, match="there are 3 outputs")
test_unstack, test_bad_unstack = UNSTACK.tests(), UNSTACK.bad_tests()

TILE = Table("TILE", np.tile)
for repeats in ([1, 2, 3], [2, 1, 1], [2], [2, 1, 1, 3]):
    TILE.case(rand(2, 3, 2), const(repeats))
for dtype in ALL:
    TILE.case(numbers(2, 3, dtype=dtype), const([2, 2]))
TILE.case(quantised(rand(2, 3)), const([2, 2]), scale=0.02)
TILE.case(rand(2, 3), np.array([2, 3], np.int32), inferred=[(-1, -1)], unknown=False)
TILE.bad(rand(2, 3), const([0, 1]), match="expected numbers from 1")
TILE.bad(rand(2, 3), const([INT_MAX, 1]), match="a dimension of the output would be")
TILE.bad(rand(2, 3), const([1] * 9), match="8")
test_tile, test_bad_tile = TILE.tests(), TILE.bad_tests()

TRANSPOSE = Table("TRANSPOSE", lambda x, perm=None: np.transpose(x, perm))
for perm in ([0, 2, 1], [2, 0, 1], [-1, 0, 1]):
    TRANSPOSE.case(rand(2, 3, 4), const(perm))
TRANSPOSE.case(rand(2, 3, 4), None)
TRANSPOSE.case(np.float32(1.5).reshape(()), None)
TRANSPOSE.case(quantised(np.float32(1.5).reshape(())), None, scale=0.02)
for dtype in ALL:
    TRANSPOSE.case(numbers(2, 3, dtype=dtype), const([1, 0]))
TRANSPOSE.case(quantised(rand(2, 3)), const([1, 0]), scale=0.02)
TRANSPOSE.bad(rand(2, 3), const([0]), match="perm has 1 numbers")
TRANSPOSE.bad(rand(2, 3), const([0, 0]), match="names axis 0 twice")
TRANSPOSE.bad(rand(2, 3), const([0, 2]), match="an element of perm is 2")
test_transpose, test_bad_transpose = TRANSPOSE.tests(), TRANSPOSE.bad_tests()


def roll(x, shifts, axes=None):
    return np.roll(x, shifts.tolist() if axes is not None else int(shifts[0]), axes)


ROLL = Table("ROLL", roll)
ROLL.case(rand(3, 4), const([1]), const([0]))
ROLL.case(rand(3, 4), const([-5, 2]), const([0, -1]))
ROLL.case(rand(3, 4), const([5]), None)
ROLL.case(randint(3, 4, dtype=np.int64), const([1], np.int64), const([1]))
ROLL.bad(rand(3, 4), const([1, 2]), const([0]), match="shifts has 2 numbers, expected 1")
ROLL.bad(rand(3, 4), const([1]), const([2]), match="an element of axes is 2")
test_roll, test_bad_roll = ROLL.tests(), ROLL.bad_tests()

MESHGRID = Table("MESHGRID", lambda *xs: list(np.meshgrid(*xs, indexing="ij")))
MESHGRID.case(rand(3), rand(2))
MESHGRID.case(rand(3))
MESHGRID.case(randint(3), randint(2), randint(4))
MESHGRID.bad(rand(3), rand(2), outputs=3, match="2 inputs and 3 outputs")
MESHGRID.bad(rand(3, 2), match="expected one dimension")
test_meshgrid, test_bad_meshgrid = MESHGRID.tests(), MESHGRID.bad_tests()


def arange(start, end, step):
    return np.arange(start[0], end[0], step[0], dtype=start.dtype)


RANGE = Table("RANGE", arange)
RANGE.case(const(0), const(5), const(1))
RANGE.case(const(9), const(-3), const(-4))
RANGE.case(const(0.5), const(3.0), const(0.75))
RANGE.case(const([0], np.int64), const([2**40 + 3], np.int64), const([2**40], np.int64))
RANGE.case(const(3), const(3), const(1))
computed = (np.array([5], np.int32), np.array([2], np.int32))
RANGE.case(const(0), *computed, inferred=[(-1,)], unknown=False)
RANGE.bad(const(0), const(5), const(0), match="never lead|steps of 0")
RANGE.bad(const(0), const(5), const(-1), match="never lead")
RANGE.bad(const(0), const(5.0), const(1), match="end is FLOAT32")
RANGE.bad(const([0, 1]), const(5), const(1), match="expected one number")
RANGE.bad(const(0.0), const(3e38), const(1e-3), match="a range of|never")
RANGE.bad(const(float("nan")), const(3.0), const(1.0), match="never lead")
test_range, test_bad_range = RANGE.tests(), RANGE.bad_tests()

MODES = {0: "constant", 1: "constant", 2: "reflect", 3: "edge", 4: "edge"}


def pad(x, pads, mode, value=None):
    mode = MODES[int(mode[0])]
    pairs = pads.reshape(-1, 2).tolist()
    if mode == "constant":
        return np.pad(x, pairs, mode, constant_values=0 if value is None else value[0])
    return np.pad(x, pairs, mode)


PAD = Table("PAD", pad)
for mode in range(5):
    PAD.case(rand(2, 3, 4, 5), const([0, 0, 0, 0, 1, 2, 3, 1]), const(mode), const(1.5))
    PAD.case(rand(3, 4), const([1, 2, 0, 3]), const(mode), None)
    PAD.case(rand(5), const([2, 0]), const(mode), None)
PAD.case(rand(2, 1, 3, 4, 2), const([1, 0, 0, 2, 1, 1, 0, 0, 1, 0]), const(1), const(-1.0))
PAD.case(randint(3, 4), const([1, 0, 0, 1]), const(1), const(2**30 + 1))
PAD.case(randint(3, dtype=np.int64), const([1, 1]), const(1), const([2**60 + 1], np.int64))
PAD.case(rand(3) > 0, const([1, 1]), const(1), const([True]))
PAD.case(quantised(rand(3, 4)), const([1, 0, 0, 1]), const(1), const(0.5), scale=0.02)
PAD.case(rand(3), np.array([1, 2], np.int32), const(1), None, inferred=[(-1,)], unknown=False)
PAD.bad(rand(3, 4), const([1, 1]), const(1), None, match="pads has 2 numbers")
PAD.bad(rand(3), const([-1, 1]), const(1), None, match="expected numbers from 0")
PAD.bad(rand(3), const([3, 0]), const(2), None, match="cannot be padded by 3")
PAD.bad(rand(3), const([1, 0]), const(5), None, match="mode is 5")
PAD.bad(rand(3), const([1, 0]), const(1), const(1), match="value is INT32, but input is FLOAT32")
PAD.bad(rand(3), const([1, 0]), const(1), const([1.0, 2.0]), match="expected one number")
PAD.bad(rand(3), const([INT_MAX, INT_MAX]), const(1), None, match="dimension of the output")
test_pad, test_bad_pad = PAD.tests(), PAD.bad_tests()
