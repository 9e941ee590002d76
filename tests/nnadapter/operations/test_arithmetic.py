"""MAX, MIN, MUL, SUB, POW."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint

FUSED = {
    0: lambda x: x,
    1: lambda x: np.maximum(x, 0),
    2: lambda x: np.clip(x, -1, 1),
    3: lambda x: np.clip(x, 0, 6),
}
SHAPES = [
    ((2, 3), (2, 3)),
    ((2, 3, 4, 5), (1, 3, 1, 1)),
    ((3, 1), (1, 4)),
    ((4,), (2, 3, 4)),
    ((1,), (2, 2)),
    ((0, 3), (1, 3)),
    ((), (2,)),
]


def arithmetic(name, function, low=-2.0):
    def reference(x, y, code):
        return FUSED[int(code[0])](function(x, y)).astype(x.dtype)

    table = Table(name, reference)
    for left, right in SHAPES:
        table.case(rand(*left, low=low), rand(*right, seed=9, low=low), const(0))
    for code in (1, 2, 3):
        table.case(rand(2, 9, low=low), rand(9, seed=1, low=low), const(code))
        table.case(randint(3, 7), randint(7, low=0, high=3), const(code), tolerance=0)
    table.case(rand(2, 3, low=low), const(rand(3, seed=5, low=low)), const(0))
    for dtype in (np.int32, np.int64):
        table.case(randint(2, 5, dtype=dtype), randint(5, low=0, high=4, dtype=dtype), const(0))
    x, y = quantised(rand(2, 3, 4, low=low)), quantised(rand(3, 1, seed=3, low=low))
    for code in (0, 1):
        table.case(x, y, const(code), scale=0.07)
    table.case(np.int32(-3).reshape(()), np.int32(2).reshape(()), const(1))
    table.bad(rand(2, 3), rand(4), const(0), match="do not broadcast")
    table.bad(rand(2, 3), randint(3), const(0), match="one type")
    table.bad(rand(2, 3), rand(3), const(4), match="fuse_code is 4")
    table.bad(rand(2, 3), rand(3), const([0, 1]), match="fuse_code")
    table.bad(rand(2, 3), rand(3), const(1.0), match="fuse_code")
    table.bad(rand(2, 3), rand(3), randint(1), match="expected a constant")
    table.bad(rand(2, 3), None, const(0), match="input1 is missing")
    table.bad(rand(2, 3), rand(3), match="2 input operands")
    table.bad(rand(2) > 0, rand(2) > 0, const(0), match="BOOL8")
    table.bad(rand(2, 3), rand(3), const(0), outputs=2, match="2 output operands")
    return table


MAX = arithmetic("MAX", np.maximum)
MIN = arithmetic("MIN", np.minimum)
MUL = arithmetic("MUL", np.multiply)
SUB = arithmetic("SUB", np.subtract)
POW = arithmetic("POW", np.power, low=0.1)
POW.cases = [
    c for c in POW.cases if c.expected[0].dtype.kind == "f" or (np.asarray(c.operands[0]) > 0).all()
]
POW.case(const(np.arange(1, 7, dtype=np.int32)), randint(2, 6, low=0, high=4), const(0))

test_max, test_bad_max = MAX.tests(), MAX.bad_tests()
test_min, test_bad_min = MIN.tests(), MIN.bad_tests()
test_mul, test_bad_mul = MUL.tests(), MUL.bad_tests()
test_sub, test_bad_sub = SUB.tests(), SUB.bad_tests()
test_pow, test_bad_pow = POW.tests(), POW.bad_tests()
