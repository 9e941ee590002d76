"""MAX, MIN, MUL, SUB, POW."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint


def arithmetic(name):
    table = Refused(name)
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


MAX = arithmetic("MAX")
MIN = arithmetic("MIN")
MUL = arithmetic("MUL")
SUB = arithmetic("SUB")
POW = arithmetic("POW")

test_refused = refusals(globals())
