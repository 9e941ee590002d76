"""REDUCE_MEAN, REDUCE_MAX, REDUCE_SUM, SUM, TOP_K."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand, randint


def reduction(name):
    table = Refused(name)
    table.bad(rand(4, 5), const([2]), const(True), match=r"expected a number in \[-2, 2\)")
    table.bad(rand(4, 5), const([1.0]), const(True), match="axes")
    table.bad(rand(4, 5) > 0, const([1]), const(True), match="BOOL8")
    return table


MEAN = reduction("REDUCE_MEAN")
MAX = reduction("REDUCE_MAX")
SUM_AXES = reduction("REDUCE_SUM")

SUM = Refused("SUM")
SUM.bad(rand(2, 3), rand(4), match="do not broadcast")
SUM.bad(rand(2), randint(2), match="input1 is INT32")
SUM.bad(match="input")


TOP_K = Refused("TOP_K")
flags = (const(-1), const(True), const(True), const(7))
TOP_K.bad(rand(3, 5), const(6), *flags, outputs=2, match="k is 6")
TOP_K.bad(rand(3, 5), const(0), *flags, outputs=2, match="k is 0")
TOP_K.bad(rand(3, 5), const([1, 2]), *flags, outputs=2, match="k has 2 numbers")
TOP_K.bad(rand(3, 5), const(1), const(2), *flags[1:], outputs=2, match="axis is 2")
TOP_K.bad(rand(3, 5), const(1), *flags[:-1], const(10), outputs=2, match="return_indices_dtype")

test_refused = refusals(globals())
