"""AVERAGE_POOL_2D, ADAPTIVE_AVERAGE_POOL_2D, ADAPTIVE_MAX_POOL_2D."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand
from lite.nnadapter.conformance.operations.windows import pool_settings

AVERAGE_POOL_2D = Refused("AVERAGE_POOL_2D")
x = rand(2, 3, 7, 8)
bad = AVERAGE_POOL_2D.bad
bad(x[0], *pool_settings((2, 2)), match="input has rank 3")
bad(x, *pool_settings((0, 2)), match="kernel_shape has 0")
bad(x, *pool_settings((2,)), match="kernel_shape has 1 numbers")
bad(x, *pool_settings((2, 2), strides=(1, -1)), match="strides has -1")
bad(x, *pool_settings((9, 2)), match="a window of 9 elements")
bad(x, *pool_settings((2**31 - 1, 2)), match="does not fit")
bad(x, *pool_settings((2, 2), pads=(1, 1, 1)), match="pads has 3 numbers")
bad(x, *pool_settings((2, 2), auto_pad=-1), match="auto_pad is -1")
bad(x, *pool_settings((2, 2), code=9), match="fuse_code is 9")


ADAPTIVE_AVERAGE_POOL_2D = Refused("ADAPTIVE_AVERAGE_POOL_2D")
ADAPTIVE_MAX_POOL_2D = Refused("ADAPTIVE_MAX_POOL_2D")
for table in (ADAPTIVE_AVERAGE_POOL_2D, ADAPTIVE_MAX_POOL_2D):
    more = (const(False), const(7)) if table is ADAPTIVE_MAX_POOL_2D else ()
    table.bad(x, const([0, 3]), *more, match="output_shape has 0")
    table.bad(x, const([1, 2, 3]), *more, match="output_shape has 3 numbers")
    table.bad(x[0], const([1, 1]), *more, match="input has rank 3")
    table.bad(rand(1, 2, 0, 3), const([1, 1]), *more, match="which has no elements")
ADAPTIVE_MAX_POOL_2D.bad(x, const([2, 2]), const(True), const(10), match="dtype is 10")

test_refused = refusals(globals())
