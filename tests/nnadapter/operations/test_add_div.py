"""ADD, DIV, FLOOR_DIV."""

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
    ((2, 1, 2, 1, 2), (3, 1, 2, 1)),
    ((0, 3), (1, 3)),
    ((), (2,)),
]


def quotient(x, y):
    return x / y if x.dtype.kind == "f" else np.trunc(x / y).astype(x.dtype)


def arithmetic(name, function, low):
    def reference(x, y, code):
        return FUSED[int(code[0])](function(x, y)).astype(x.dtype)

    table = Table(name, reference)
    for left, right in SHAPES:
        table.case(rand(*left), rand(*right, seed=9, low=low), const(0))
    for code in (1, 2, 3):
        table.case(rand(2, 9) * 8, rand(9, seed=1, low=low), const(code))
        table.case(randint(3, 7), randint(7, low=1, high=4), const(code))
    table.case(rand(2, 3), const(rand(3, seed=5, low=low)), const(0))
    table.case(const(rand(3, seed=5)), rand(2, 3, low=low), const(0))
    for dtype in (np.int32, np.int64, np.float64):
        table.case(
            randint(4, 5, dtype=dtype, low=-99), randint(5, low=-9, high=-1, dtype=dtype), const(0)
        )
    if name != "FLOOR_DIV":  # a quantum decides what is rounded down
        x, y = quantised(rand(2, 3, 4)), quantised(rand(3, 1, seed=3, low=low))
        for code in (0, 1):
            table.case(x, y, const(code), scale=0.07)
    table.bad(rand(2, 3), rand(4), const(0), match="do not broadcast")
    table.bad(rand(2, 3), randint(3), const(0), match="one type")
    table.bad(rand(2, 3), rand(3), const(-1), match="fuse_code is -1")
    table.bad(rand(2, 3), rand(3), match="2 input operands")
    table.bad(None, rand(3), const(0), match="input0 is missing")
    table.bad(rand(2) > 0, rand(2) > 0, const(0), match="BOOL8")
    return table


ADD = arithmetic("ADD", np.add, -2.0)
DIV = arithmetic("DIV", quotient, 0.5)
FLOOR_DIV = arithmetic("FLOOR_DIV", np.floor_divide, 0.5)

test_add, test_bad_add = ADD.tests(), ADD.bad_tests()
test_div, test_bad_div = DIV.tests(), DIV.bad_tests()
test_floor_div, test_bad_floor_div = FLOOR_DIV.tests(), FLOOR_DIV.bad_tests()
