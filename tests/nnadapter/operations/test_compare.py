"""AND, EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint


def comparison(name, function):
    table = Table(name, function)
    for left, right in [((2, 3), (2, 3)), ((2, 3, 4), (3, 1)), ((4,), (2, 4)), ((1,), (0, 2))]:
        table.case(randint(*left, low=0, high=3), randint(*right, low=0, high=3))
        table.case(np.round(rand(*left)), np.round(rand(*right, seed=4)))
    for dtype in (np.int64, np.int8, np.uint8, np.int16, np.float64):
        table.case(
            randint(5, 4, low=0, high=3, dtype=dtype), randint(4, low=0, high=3, dtype=dtype)
        )
    table.case(randint(5, 4) > 0, randint(4) > 0)
    table.case(randint(2, 3), const(1))
    x = np.array([-3.0, 0.0, 2.0, 5.0], np.float32)
    table.case(quantised(x, 1.0), quantised(x[::-1].copy(), 1.0))
    table.bad(rand(2, 3), rand(4), match="do not broadcast")
    table.bad(rand(2, 3), randint(3), match="one type")
    table.bad(rand(2, 3), None, match="input1 is missing")
    table.bad(rand(2, 3), match="1 input operands")
    return table


EQUAL = comparison("EQUAL", np.equal)
GREATER = comparison("GREATER", np.greater)
GREATER_EQUAL = comparison("GREATER_EQUAL", np.greater_equal)
LESS = comparison("LESS", np.less)
LESS_EQUAL = comparison("LESS_EQUAL", np.less_equal)

test_equal, test_bad_equal = EQUAL.tests(), EQUAL.bad_tests()
test_greater, test_bad_greater = GREATER.tests(), GREATER.bad_tests()
test_greater_equal, test_bad_greater_equal = GREATER_EQUAL.tests(), GREATER_EQUAL.bad_tests()
test_less, test_bad_less = LESS.tests(), LESS.bad_tests()
test_less_equal, test_bad_less_equal = LESS_EQUAL.tests(), LESS_EQUAL.bad_tests()

AND = Table("AND", np.logical_and)
for left, right in [((4, 5), (4, 5)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((1,), (0, 2))]:
    AND.case(randint(*left) > 0, randint(*right) > 2)
AND.case(randint(4, 5) > 0, const(True))
AND.bad(randint(2, 3), randint(2, 3), match="INT32")
AND.bad(rand(2) > 0, rand(3) > 0, match="do not broadcast")
test_and, test_bad_and = AND.tests(), AND.bad_tests()
