"""ADD, DIV, FLOOR_DIV."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint


def arithmetic(name):
    table = Refused(name)
    table.bad(rand(2, 3), rand(4), const(0), match="do not broadcast")
    table.bad(rand(2, 3), randint(3), const(0), match="one type")
    table.bad(rand(2, 3), rand(3), const(-1), match="fuse_code is -1")
    table.bad(rand(2, 3), rand(3), match="2 input operands")
    table.bad(None, rand(3), const(0), match="input0 is missing")
    table.bad(rand(2) > 0, rand(2) > 0, const(0), match="BOOL8")
    return table


ADD = arithmetic("ADD")
DIV = arithmetic("DIV")
FLOOR_DIV = arithmetic("FLOOR_DIV")

test_refused = refusals(globals())
