"""Operations that move, make and convert elements."""

import numpy as np
from nnadapter.operations.tables import Const, Quantised, Table, const, quantised, rand, randint

TYPES = (np.int8, np.uint8, np.int16, np.int32, np.int64, np.float64)

ASSIGN = Table("ASSIGN", lambda x: x)
for shape in [(), (3,), (2, 3, 4), (0, 2)]:
    ASSIGN.case(rand(*shape))
for dtype in TYPES:
    ASSIGN.case(randint(2, 3, dtype=dtype, low=0))
ASSIGN.case(randint(2, 3) > 0)
ASSIGN.case(quantised(rand(2, 3)), scale=0.01)
ASSIGN.bad(None, match="input is missing")
test_assign, test_bad_assign = ASSIGN.tests(), ASSIGN.bad_tests()

CODES = {
    **{np.bool_: 0, np.int8: 1, np.uint8: 2, np.int16: 3, np.int32: 5, np.int64: 7},
    **{np.float32: 10, np.float64: 11},
}
CAST = Table("CAST", lambda x, code: x.astype({v: k for k, v in CODES.items()}[int(code[0])]))
for source in CODES:
    for target in CODES.values():
        CAST.case(randint(2, 5, low=0, high=3).astype(source), const(target))
for target in (5, 7):
    CAST.case(np.array([-2.7, -0.5, 0.5, 2.7], np.float32), const(target))
CAST.bad(rand(2), const(12), match="dtype is 12")
CAST.bad(rand(2), const(24), match="dtype is 24")
CAST.bad(rand(2), const(-1), match="dtype is -1")
CAST.bad(quantised(rand(2)), const(10), match="QUANT_INT8_SYMM_PER_LAYER, expected")
test_cast, test_bad_cast = CAST.tests(), CAST.bad_tests()


def concat(*operands):
    return np.concatenate(operands[:-1], int(operands[-1][0]))


CONCAT = Table("CONCAT", concat)
for axis in (0, 1, 2, -1, -3):
    shapes = [[2, 3, 4] for _ in range(3)]
    for extra, shape in enumerate(shapes):
        shape[axis] += extra
    CONCAT.case(*(rand(*shape) for shape in shapes), const(axis))
CONCAT.case(rand(2, 3), const(0))
CONCAT.case(rand(2, 3), Const(rand(1, 3)), rand(0, 3), const(0))
for dtype in TYPES:
    CONCAT.case(randint(2, 3, dtype=dtype, low=0), randint(2, 1, dtype=dtype, low=0), const(1))
CONCAT.case(randint(3) > 0, randint(2) > 0, const(0))
CONCAT.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=5) * 3), const(1), scale=0.05)
CONCAT.bad(rand(2, 3), rand(2, 3), const(2), match="axis is 2")
CONCAT.bad(rand(2, 3), rand(3, 3), const(1), match="expected the same but for axis 1")
CONCAT.bad(rand(2, 3), rand(2), const(0), match="one rank")
CONCAT.bad(rand(2, 3), randint(2, 3), const(0), match="one type")
CONCAT.bad(const(0), match="1 input operands, expected 2 or more")
CONCAT.bad(rand(2), None, const(0), match="input is missing")
test_concat, test_bad_concat = CONCAT.tests(), CONCAT.bad_tests()


def expand(x, shape):
    added = len(shape) - x.ndim
    wanted = [
        x.shape[i - added] if i >= added and s in (1, -1) else int(s) for i, s in enumerate(shape)
    ]
    return np.broadcast_to(x, wanted)


EXPAND = Table("EXPAND", expand)
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
EXPAND.bad(rand(2, 3), const([3]), match="fewer numbers than input has axes")
EXPAND.bad(rand(2, 3), const([2, 4]), match="does not expand")
EXPAND.bad(rand(2, 3), const([-1, 2, 3]), match="no dimension for its -1")
EXPAND.bad(rand(2, 3), const([2, -3]), match="expected numbers from -1")
EXPAND.bad(rand(2, 3), const([1.0, 2.0]), match="FLOAT32, expected one of INT32, INT64")
EXPAND.bad(rand(1), const([1] * 8 + [2]), match="at most 8")
test_expand, test_bad_expand = EXPAND.tests(), EXPAND.bad_tests()

FILL = Table("FILL", lambda shape, value: np.full([int(s) for s in shape], value[0], value.dtype))
BIG = 2**40 + 1
for value in (const(1.5), const(-7), const(BIG, np.int64), const(True)):
    FILL.case(const([2, 3]), value)
    FILL.case(const([3, 0, 2], np.int64), value)
    FILL.case(const([4]), value)
FILL.case(np.array([2, 3], np.int32), const(2), inferred=[(-1, -1)], unknown=False)
FILL.case(np.array([2, 3]), const(2.5), inferred=[(-1, -1)], unknown=False)
FILL.case(const([2, 3]), np.array([2.5], np.float32))
FILL.bad(const([2, -1]), const(1.0), match="shape")
FILL.bad(const([2]), const([1.0, 2.0]), match="expected one number")
FILL.bad(const([1] * 9), const(1.0), match="at most 8")
test_fill, test_bad_fill = FILL.tests(), FILL.bad_tests()

FILL_LIKE = Table("FILL_LIKE", lambda x, value: np.full(x.shape, value[0], value.dtype))
for value in (const(1.5), const(-7), const(BIG, np.int64), const(True)):
    FILL_LIKE.case(rand(2, 3), value)
    FILL_LIKE.case(randint(0, 3), value)
FILL_LIKE.case(quantised(rand(2, 3)), const(0.5))
FILL_LIKE.case(rand(2, 3), np.array([2.5], np.float32))
FILL_LIKE.bad(rand(2), const([1.0, 2.0]), match="expected 1 elements")
test_fill_like, test_bad_fill_like = FILL_LIKE.tests(), FILL_LIKE.bad_tests()


def flatten(x, start, end):
    start, end = int(start[0]) % x.ndim, int(end[0]) % x.ndim
    size = int(np.prod(x.shape[start : end + 1]))
    return x.reshape(*x.shape[:start], size, *x.shape[end + 1 :])


FLATTEN = Table("FLATTEN", flatten)
for start, end in [(0, 3), (1, 3), (1, 2), (0, -1), (-2, -1), (2, 2)]:
    FLATTEN.case(rand(2, 3, 4, 5), const(start), const(end))
FLATTEN.case(randint(2, 0, 3), const(0), const(1))
FLATTEN.case(quantised(rand(2, 3, 4)), const(1), const(2), scale=0.02)
FLATTEN.bad(rand(2, 3), const(1), const(0), match="start_axis 1 is after end_axis 0")
FLATTEN.bad(rand(2, 3), const(0), const(2), match="end_axis is 2")
FLATTEN.bad(rand(2, 3), const(-3), const(1), match="start_axis is -3")
test_flatten, test_bad_flatten = FLATTEN.tests(), FLATTEN.bad_tests()

GATHER = Table("GATHER", lambda x, indices, axis: np.take(x, indices, int(axis[0])))
for axis in (0, 1, 2, -1):
    for indices in (np.array([2, 0, -1], np.int32), np.array([[0, 1], [-3, 2]]), np.array(1)):
        GATHER.case(rand(3, 4, 5), indices, const(axis))
        if indices.ndim:
            GATHER.case(rand(3, 4, 5), Const(indices), const(axis))
for dtype in TYPES:
    GATHER.case(randint(4, 3, dtype=dtype, low=0), const([1, 3]), const(0))
GATHER.case(rand(3, 4), randint(0), const(1))
GATHER.case(quantised(rand(3, 4)), const([1, 0]), const(1), scale=0.02)
GATHER.bad(rand(3, 4), const([0]), const(2), match="axis is 2")
GATHER.bad(rand(3, 4), const([0.0]), const(0), match="FLOAT32, expected")
GATHER.bad(rand(1, 1, 1, 1, 1), randint(1, 1, 1, 1, 1, 1), const(0), match="at most 8")
test_gather, test_bad_gather = GATHER.tests(), GATHER.bad_tests()


def channel_shuffle(x, group):
    n, _, h, w = x.shape
    return x.reshape(n, int(group[0]), -1, h, w).swapaxes(1, 2).reshape(x.shape)


CHANNEL_SHUFFLE = Table("CHANNEL_SHUFFLE", channel_shuffle)
for group in (1, 2, 3, 6):
    CHANNEL_SHUFFLE.case(rand(2, 6, 3, 4), const(group))
CHANNEL_SHUFFLE.case(quantised(rand(2, 6, 3, 4)), const(2), scale=0.02)
CHANNEL_SHUFFLE.bad(rand(2, 6, 3, 4), const(4), match="a divisor of the 6 channels")
CHANNEL_SHUFFLE.bad(rand(2, 6, 3, 4), const(0), match="group is 0")
CHANNEL_SHUFFLE.bad(rand(2, 6, 3), const(2), match="rank 3")
test_channel_shuffle = CHANNEL_SHUFFLE.tests()
test_bad_channel_shuffle = CHANNEL_SHUFFLE.bad_tests()

DEQUANTIZE = Table("DEQUANTIZE", lambda x: x)
DEQUANTIZE.case(quantised(rand(2, 3)))
channels = randint(3, 4, low=-127, high=127, dtype=np.int8)
for axis, scales in [(0, (0.1, 0.2, 0.3)), (1, (0.1, 0.2, 0.3, 0.4))]:
    DEQUANTIZE.case(Quantised(channels, scales, axis))
    DEQUANTIZE.case(Quantised(channels, scales, axis, constant=True))
DEQUANTIZE.bad(rand(2), match="FLOAT32, expected one of QUANT_INT8")
test_dequantize, test_bad_dequantize = DEQUANTIZE.tests(), DEQUANTIZE.bad_tests()
