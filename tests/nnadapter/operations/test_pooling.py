"""AVERAGE_POOL_2D, ADAPTIVE_AVERAGE_POOL_2D, ADAPTIVE_MAX_POOL_2D."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand
from nnadapter.operations.windows import adaptive_windows, average_pool


def average_pool_2d(x, auto_pad, pads, kernel, strides, ceil_mode, counts, code):
    out = average_pool(x, auto_pad, pads, kernel, strides, ceil_mode, counts)
    out = np.maximum(out, 0) if code[0] else out
    return out.astype(x.dtype)


def settings(
    kernel, strides=(1, 1), pads=(0, 0, 0, 0), ceil=False, counts=False, auto_pad=0, code=0
):
    return (
        *(const(auto_pad), const(list(pads), np.int32), const(list(kernel))),
        *(const(list(strides)), const(ceil), const(counts), const(code)),
    )


AVERAGE_POOL_2D = Table("AVERAGE_POOL_2D", average_pool_2d)
x = rand(2, 3, 7, 8)
for ceil in (False, True):
    for counts in (False, True):
        for change in [
            {"kernel": (3, 2)},
            {"kernel": (3, 3), "strides": (2, 2), "pads": (1, 1, 1, 1)},
            {"kernel": (3, 2), "strides": (2, 3), "pads": (0, 2, 1, 0)},
            {"kernel": (2, 3), "strides": (3, 3), "pads": (1, 0, 0, 2)},
            {"kernel": (2, 2), "strides": (3, 3)},
            {"kernel": (7, 8)},
            {"kernel": (3, 3), "strides": (2, 2), "pads": (5, 5, 5, 5), "auto_pad": 2},
        ]:
            AVERAGE_POOL_2D.case(x, *settings(ceil=ceil, counts=counts, **change))
for counts in (False, True):
    for kernel, strides in [((3, 3), (1, 1)), ((2, 3), (2, 2)), ((4, 4), (3, 1))]:
        same = settings(kernel, strides, counts=counts, auto_pad=1)
        AVERAGE_POOL_2D.case(x, *same, unknown=not counts)
AVERAGE_POOL_2D.case(x, *settings((3, 3), pads=(), code=1))
AVERAGE_POOL_2D.case(x, const(0), None, *settings((3, 3))[2:])
AVERAGE_POOL_2D.case(x.astype(np.float64), *settings((3, 2)))
for counts in (False, True):
    pads = (1, 0, 1, 1)
    AVERAGE_POOL_2D.case(quantised(x), *settings((3, 3), pads=pads, counts=counts), scale=0.02)
bad = AVERAGE_POOL_2D.bad
bad(x[0], *settings((2, 2)), match="input has rank 3")
bad(x, *settings((0, 2)), match="kernel_shape has 0")
bad(x, *settings((2,)), match="kernel_shape has 1 numbers")
bad(x, *settings((2, 2), strides=(1, -1)), match="strides has -1")
bad(x, *settings((9, 2)), match="a window of 9 elements")
bad(x, *settings((2**31 - 1, 2)), match="does not fit")
bad(x, *settings((2, 2), pads=(1, 1, 1)), match="pads has 3 numbers")
bad(x, *settings((2, 2), auto_pad=-1), match="auto_pad is -1")
bad(x, *settings((2, 2), code=9), match="fuse_code is 9")
test_average_pool_2d, test_bad_average_pool_2d = (
    AVERAGE_POOL_2D.tests(),
    AVERAGE_POOL_2D.bad_tests(),
)


def adaptive_average(x, wanted):
    out = np.zeros((*x.shape[:2], *wanted), x.dtype)
    for (oy, ox), (rows, columns) in adaptive_windows(x.shape[2:], wanted):
        out[:, :, oy, ox] = x[:, :, rows, columns].mean((2, 3))
    return out


def adaptive_max(x, wanted, return_indices=None, dtype=None):
    out = np.zeros((*x.shape[:2], *wanted), x.dtype)
    indices = np.zeros(out.shape, np.int32 if dtype is not None and dtype[0] == 5 else np.int64)
    positions = np.arange(x.shape[2] * x.shape[3]).reshape(x.shape[2:])
    for (oy, ox), (rows, columns) in adaptive_windows(x.shape[2:], wanted):
        window = x[:, :, rows, columns].reshape(*x.shape[:2], -1)
        out[:, :, oy, ox] = window.max(2)
        indices[:, :, oy, ox] = positions[rows, columns].ravel()[window.argmax(2)]
    return [out, indices]


ADAPTIVE_AVERAGE_POOL_2D = Table("ADAPTIVE_AVERAGE_POOL_2D", adaptive_average)
ADAPTIVE_MAX_POOL_2D = Table("ADAPTIVE_MAX_POOL_2D", adaptive_max)
for wanted in [(1, 1), (7, 8), (3, 5), (2, 3), (9, 16)]:
    ADAPTIVE_AVERAGE_POOL_2D.case(x, const(list(wanted)))
    for dtype in (5, 7):
        ADAPTIVE_MAX_POOL_2D.case(x, const(list(wanted)), const(True), const(dtype))
ADAPTIVE_AVERAGE_POOL_2D.case(x, const([2, 3], np.int64))
ADAPTIVE_AVERAGE_POOL_2D.case(quantised(x), const([2, 3]), scale=0.02)
ADAPTIVE_MAX_POOL_2D.case(quantised(x), const([2, 3]), const(True), const(7), scale=0.02)
ADAPTIVE_MAX_POOL_2D.case(  # without indices
    x, const([2, 3]), const(False), const(7), expected=[adaptive_max(x, (2, 3))[0]]
)
ADAPTIVE_MAX_POOL_2D.case(
    x, const([2, 3]), const(False), const(7), expected=[adaptive_max(x, (2, 3))[0], None]
)
for table in (ADAPTIVE_AVERAGE_POOL_2D, ADAPTIVE_MAX_POOL_2D):
    more = (const(False), const(7)) if table is ADAPTIVE_MAX_POOL_2D else ()
    table.bad(x, const([0, 3]), *more, match="output_shape has 0")
    table.bad(x, const([1, 2, 3]), *more, match="output_shape has 3 numbers")
    table.bad(x[0], const([1, 1]), *more, match="input has rank 3")
    table.bad(rand(1, 2, 0, 3), const([1, 1]), *more, match="which has no elements")
ADAPTIVE_MAX_POOL_2D.bad(x, const([2, 2]), const(True), const(10), match="dtype is 10")
test_adaptive_average_pool_2d = ADAPTIVE_AVERAGE_POOL_2D.tests()
test_bad_adaptive_average_pool_2d = ADAPTIVE_AVERAGE_POOL_2D.bad_tests()
test_adaptive_max_pool_2d = ADAPTIVE_MAX_POOL_2D.tests()
test_bad_adaptive_max_pool_2d = ADAPTIVE_MAX_POOL_2D.bad_tests()
