"""NOT, NOT_EQUAL, OR, XOR, WHERE."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint

NOT = Table("NOT", np.logical_not)
for shape in ((), (3,), (2, 3, 4)):
    NOT.case(np.asarray(rand(*shape) > 0))
NOT.bad(rand(3), match="FLOAT32, expected one of BOOL8")
test_not, test_bad_not = NOT.tests(), NOT.bad_tests()

NOT_EQUAL = Table("NOT_EQUAL", np.not_equal)
for dtype in (np.float32, np.float64, np.int32, np.int64, np.int8, np.uint8, np.bool_):
    x, y = randint(3, 4, low=0, high=2, dtype=dtype), randint(4, low=0, high=2, dtype=dtype)
    NOT_EQUAL.case(x, y)
    NOT_EQUAL.case(x[:, :1], y)
NOT_EQUAL.case(quantised(rand(2, 3), 0.1), quantised(rand(2, 3), 0.1))
NOT_EQUAL.bad(rand(3), randint(3), match="one type")
NOT_EQUAL.bad(rand(3), rand(2), match="do not broadcast")
test_not_equal, test_bad_not_equal = NOT_EQUAL.tests(), NOT_EQUAL.bad_tests()

OR, XOR = Table("OR", np.logical_or), Table("XOR", np.logical_xor)
for table in (OR, XOR):
    for left, right in (((2, 3), (2, 3)), ((3, 1), (1, 4)), ((4,), (2, 3, 4))):
        table.case(rand(*left) > 0, rand(*right, seed=4) > 0)
    table.bad(rand(3), rand(3), match="expected one of BOOL8")
    table.bad(rand(3) > 0, rand(2) > 0, match="do not broadcast")
test_or, test_bad_or = OR.tests(), OR.bad_tests()
test_xor, test_bad_xor = XOR.tests(), XOR.bad_tests()

WHERE = Table("WHERE", lambda c, x, y: np.where(c, x, y))
for shapes in (((3,), (3,), (3,)), ((2, 1), (1, 3), (1,)), ((1,), (2, 3, 4), (3, 1)), ((0,),) * 3):
    condition, x, y = (rand(*s, seed=i) for i, s in enumerate(shapes))
    WHERE.case(condition > 0, x, y)
    for dtype in (np.int32, np.int64, np.bool_):
        WHERE.case(condition > 0, (9 * x).astype(dtype), (9 * y).astype(dtype))
WHERE.case(const([True, False]), quantised(rand(3, 2)), quantised(rand(2)), scale=0.03)
WHERE.bad(rand(3), rand(3), rand(3), match="BOOL8")
WHERE.bad(rand(3) > 0, rand(3), randint(3), match="one type")
WHERE.bad(rand(3) > 0, rand(2), rand(3), match="do not broadcast")
test_where, test_bad_where = WHERE.tests(), WHERE.bad_tests()
