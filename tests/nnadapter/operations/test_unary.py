"""RELU, RELU6, RSQRT, SIGMOID, SIN, SOFTPLUS, SQUARE, SWISH, TANH, PRELU, QUANTIZE."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint

SHAPES = [(), (1,), (7,), (2, 3), (2, 3, 4, 5), (0, 3), (1, 1, 1, 1, 2)]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def unary(name, function, low=-9.0, scale=0.08):
    table = Table(name, lambda x: np.asarray(function(x), x.dtype))
    for shape in SHAPES:
        table.case(np.asarray(rand(*shape, low=low, high=9)))
    table.case(rand(3, 4, low=low, high=9).astype(np.float64))
    table.case(quantised(rand(2, 3, 5, low=low, high=9)), scale=scale)
    table.bad(rand(3) > 0, match="BOOL8")
    table.bad(rand(3), rand(3), match="2 input operands, expected 1")
    return table


RELU = unary("RELU", lambda x: np.maximum(x, 0))
RELU6 = unary("RELU6", lambda x: np.clip(x, 0, 6))
RSQRT = unary("RSQRT", lambda x: 1 / np.sqrt(x), low=0.5, scale=0.02)
SIGMOID = unary("SIGMOID", sigmoid, scale=1 / 127)
SIN = unary("SIN", np.sin, scale=1 / 127)
SQUARE = unary("SQUARE", np.square, scale=0.7)
for dtype in (np.int32, np.int64):
    SQUARE.case(randint(2, 3, dtype=dtype))
SWISH = unary("SWISH", lambda x: x * sigmoid(x))
TANH = unary("TANH", np.tanh, scale=1 / 127)

test_relu, test_bad_relu = RELU.tests(), RELU.bad_tests()
test_relu6, test_bad_relu6 = RELU6.tests(), RELU6.bad_tests()
test_rsqrt, test_bad_rsqrt = RSQRT.tests(), RSQRT.bad_tests()
test_sigmoid, test_bad_sigmoid = SIGMOID.tests(), SIGMOID.bad_tests()
test_sin, test_bad_sin = SIN.tests(), SIN.bad_tests()
test_square, test_bad_square = SQUARE.tests(), SQUARE.bad_tests()
test_swish, test_bad_swish = SWISH.tests(), SWISH.bad_tests()
test_tanh, test_bad_tanh = TANH.tests(), TANH.bad_tests()


def softplus(x, beta, threshold):
    with np.errstate(over="ignore"):
        soft = np.log1p(np.exp(beta * x)) / beta
    return np.where(beta * x > threshold, x, soft).astype(x.dtype)


SOFTPLUS = Table("SOFTPLUS", softplus)
for beta, threshold in ((1.0, 20.0), (0.5, 2.0), (3.0, 0.0)):
    SOFTPLUS.case(rand(2, 30, low=-30, high=30), const(beta), const(threshold))
SOFTPLUS.case(quantised(rand(3, 4)), const(1.0), const(20.0), scale=0.02)
SOFTPLUS.bad(rand(2), const(0.0), const(20.0), match="beta is 0")
SOFTPLUS.bad(rand(2), const(1), const(20.0), match="beta")
test_softplus, test_bad_softplus = SOFTPLUS.tests(), SOFTPLUS.bad_tests()


def prelu(x, slope):
    if slope.size == 1:
        shaped = slope.reshape(())
    elif x.ndim > 1 and slope.size == x.shape[1]:
        shaped = slope.reshape([1, -1] + [1] * (x.ndim - 2))
    else:
        shaped = slope.reshape(x.shape[1:])
    return np.where(x > 0, x, x * shaped).astype(x.dtype)


PRELU = Table("PRELU", prelu)
PRELU.case(rand(2, 3, 4, 5), rand(1), unknown=False)
PRELU.case(rand(2, 3, 4, 5), const(rand(3)))
PRELU.case(rand(2, 3, 4, 5), const(rand(1, 3, 1, 1)))
PRELU.case(rand(2, 3, 4, 5), const(rand(3, 4, 5)), unknown=False)
PRELU.case(rand(2, 3), const(rand(3)))
PRELU.case(rand(5), const(rand(1)))
PRELU.case(quantised(rand(2, 3, 4)), const(rand(3)), scale=0.03)
PRELU.bad(rand(2, 3, 4, 5), const(rand(4)), match="expected 1, 3 or 60 slopes")
test_prelu, test_bad_prelu = PRELU.tests(), PRELU.bad_tests()
