"""AND, EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import rand, randint


def comparison(name):
    table = Refused(name)
    table.bad(rand(2, 3), rand(4), match="do not broadcast")
    table.bad(rand(2, 3), randint(3), match="one type")
    table.bad(rand(2, 3), None, match="input1 is missing")
    table.bad(rand(2, 3), match="1 input operands")
    return table


EQUAL = comparison("EQUAL")
GREATER = comparison("GREATER")
GREATER_EQUAL = comparison("GREATER_EQUAL")
LESS = comparison("LESS")
LESS_EQUAL = comparison("LESS_EQUAL")


AND = Refused("AND")
AND.bad(randint(2, 3), randint(2, 3), match="INT32")
AND.bad(rand(2) > 0, rand(3) > 0, match="do not broadcast")

test_refused = refusals(globals())
