"""RELU, RELU6, RSQRT, SIGMOID, SIN, SOFTPLUS, SQUARE, SWISH, TANH, PRELU, QUANTIZE."""

from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand


def unary(name):
    table = Refused(name)
    table.bad(rand(3) > 0, match="BOOL8")
    table.bad(rand(3), rand(3), match="2 input operands, expected 1")
    return table


RELU = unary("RELU")
RELU6 = unary("RELU6")
RSQRT = unary("RSQRT")
SIGMOID = unary("SIGMOID")
SIN = unary("SIN")
SQUARE = unary("SQUARE")
SWISH = unary("SWISH")
TANH = unary("TANH")


SOFTPLUS = Refused("SOFTPLUS")
SOFTPLUS.bad(rand(2), const(0.0), const(20.0), match="beta is 0")
SOFTPLUS.bad(rand(2), const(1), const(20.0), match="beta")


PRELU = Refused("PRELU")
PRELU.bad(rand(2, 3, 4, 5), const(rand(4)), match="expected 1, 3 or 60 slopes")

test_refused = refusals(globals())
