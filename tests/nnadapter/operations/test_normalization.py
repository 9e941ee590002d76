"""BATCH_, GROUP_, INSTANCE_, LAYER_, LP_NORMALIZATION, LRN."""

import numpy as np
from nnadapter.operations.tables import Const, Table, const, quantised, rand


def normalised(x, axes, epsilon):
    x = x.astype(np.float64)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def affine(y, scale, bias, dtype):
    """By channel."""
    shape = (1, -1, *[1] * (y.ndim - 2))
    y = y if scale is None else y * scale.reshape(shape)
    return (y if bias is None else y + bias.reshape(shape)).astype(dtype)


def batch(x, scale, bias, mean, variance, epsilon):
    shape = (1, -1, *[1] * (x.ndim - 2))
    y = (x.astype(np.float64) - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + epsilon)
    return affine(y, scale, bias, x.dtype)


EPSILON = const(1e-3)
BATCH = Table("BATCH_NORMALIZATION", batch)
parameters = [Const(rand(3, seed=s, low=0.2)) for s in range(4)]
for shape in [(2, 3), (2, 3, 5), (2, 3, 4, 5), (1, 3, 2, 3, 2), (0, 3, 2, 2)]:
    BATCH.case(rand(*shape), *parameters, EPSILON)
BATCH.case(rand(2, 3, 4, 5), *[p.value for p in parameters], EPSILON)
double = [Const(p.value.astype(np.float64)) for p in parameters]
BATCH.case(rand(2, 3, 4).astype(np.float64), *double, EPSILON)
BATCH.case(quantised(rand(2, 3, 4, 5)), *parameters, EPSILON, scale=0.1)
BATCH.bad(rand(3), *parameters, EPSILON, match="expected .N, C, ...")
BATCH.bad(rand(2, 4, 5), *parameters, EPSILON, match="expected 4 elements")
BATCH.bad(rand(2, 3), *parameters, const(-1.0), match="epsilon is -1")
BATCH.bad(rand(2, 3), *parameters, const(float("nan")), match="epsilon is")
BATCH.bad(rand(2, 3), *parameters[:3], None, EPSILON, match="variance is missing")
BATCH.bad(rand(2, 3), *double, EPSILON, match="one type")
test_batch, test_bad_batch = BATCH.tests(), BATCH.bad_tests()


def instance(x, scale, bias, epsilon):
    return affine(normalised(x, tuple(range(2, x.ndim)), epsilon), scale, bias, x.dtype)


def group(x, scale, bias, epsilon, groups):
    parts = x.reshape(len(x), int(groups[0]), -1)
    return affine(normalised(parts, (2,), epsilon).reshape(x.shape), scale, bias, x.dtype)


INSTANCE = Table("INSTANCE_NORMALIZATION", instance)
GROUP = Table("GROUP_NORMALIZATION", group)
for table, more in [
    (INSTANCE, ()),
    (GROUP, (const(2),)),
    (GROUP, (const(4),)),
    (GROUP, (const(1),)),
]:
    for shape in [(2, 4, 5), (2, 4, 4, 5), (1, 4, 2, 3, 2)]:
        scale, bias = Const(rand(4)), Const(rand(4, seed=3))
        table.case(rand(*shape), scale, bias, EPSILON, *more)
        table.case(rand(*shape), None, None, EPSILON, *more)
        table.case(rand(*shape), scale, None, EPSILON, *more)
        table.case(rand(*shape), None, bias, EPSILON, *more)
    table.case(quantised(rand(2, 4, 3, 5)), Const(rand(4)), None, EPSILON, *more, scale=0.05)
    table.bad(rand(2, 4), None, None, EPSILON, *more, match="of rank 3 or more")
    table.bad(rand(2, 4, 3), rand(3), None, EPSILON, *more, match="expected 4 elements")
    table.bad(rand(2, 4, 3), None, None, const(-0.5), *more, match="epsilon is -0.5")
GROUP.bad(rand(2, 4, 3), None, None, EPSILON, const(3), match="a divisor of the 4 channels")
GROUP.bad(rand(2, 4, 3), None, None, EPSILON, const(0), match="groups is 0")
test_instance, test_bad_instance = INSTANCE.tests(), INSTANCE.bad_tests()
test_group, test_bad_group = GROUP.tests(), GROUP.bad_tests()


def layer(x, scale, bias, begin, epsilon):
    begin = int(begin[0]) % x.ndim
    y = normalised(x, tuple(range(begin, x.ndim)), epsilon)
    y = y if scale is None else y * scale.reshape(x.shape[begin:])
    return (y if bias is None else y + bias.reshape(x.shape[begin:])).astype(x.dtype)


LAYER = Table("LAYER_NORMALIZATION", layer)
x = rand(2, 3, 4)
for begin in (0, 1, 2, -1, -3):
    count = int(np.prod(x.shape[begin:]))
    scale, bias = Const(rand(count)), Const(rand(count, seed=8))
    LAYER.case(x, scale, bias, const(begin), EPSILON)
    LAYER.case(x, None, None, const(begin), EPSILON)
LAYER.case(x, Const(rand(3, 4)), None, const(1), EPSILON)
LAYER.case(rand(5), Const(rand(5)), None, const(0), EPSILON)
LAYER.case(quantised(x), Const(rand(4)), None, const(2), EPSILON, scale=0.05)
LAYER.bad(x, None, None, const(3), EPSILON, match="begin_norm_axis is 3")
LAYER.bad(x, rand(5), None, const(1), EPSILON, match="expected 12 elements")
test_layer, test_bad_layer = LAYER.tests(), LAYER.bad_tests()


def lp(x, axis, p, epsilon):
    axes = tuple(int(a) for a in axis)
    power = np.abs(x.astype(np.float64)) ** int(p[0])
    norm = power.sum(axes, keepdims=True) ** (1 / int(p[0]))
    return (x / (norm + epsilon)).astype(x.dtype)


LP = Table("LP_NORMALIZATION", lp)
for p in (1, 2):
    for axes in ([0], [1], [-1], [0, 2], [-2, -1]):
        LP.case(x, const(axes), const(p), const(1e-10))
    LP.case(x, const(1), const(p), const(0.5))
    LP.case(quantised(x), const([1]), const(p), const(1e-5), scale=0.01)
LP.case(np.zeros((2, 3), np.float32), const([1]), const(2), const(1e-5))
LP.bad(x, const([3]), const(2), const(1e-5), match="axis is 3")
LP.bad(x, const([], np.int32), const(2), const(1e-5), match="axis is empty")
LP.bad(x, const([1]), const(3), const(1e-5), match="p is 3")
LP.bad(x, const([1]), const(2), const(-1.0), match="epsilon is -1")
test_lp, test_bad_lp = LP.tests(), LP.bad_tests()


def lrn(x, size, bias, alpha, beta):
    base, n = np.full(x.shape, bias, np.float64), int(size[0])
    for i in range(x.shape[1]):
        first = i - (n - 1) // 2
        base[:, i] += alpha * (x[:, max(first, 0) : max(first + n, 0)] ** 2).sum(1)
    return (x / base**beta).astype(x.dtype)


LRN = Table("LRN", lrn)
for size, bias, alpha, beta in [(5, 1.0, 1e-4, 0.75), (3, 2.0, 0.5, 0.5), (9, 1.0, 1.0, 1.0)]:
    LRN.case(rand(2, 6, 3, 4), const(size), const(bias), const(alpha), const(beta))
LRN.case(quantised(rand(2, 6, 3, 4)), const(1), const(1.0), const(1.0), const(0.5), scale=0.01)
LRN.bad(rand(2, 6, 3), const(5), const(1.0), const(1.0), const(0.5), match="rank 3")
LRN.bad(rand(2, 6, 3, 4), const(0), const(1.0), const(1.0), const(0.5), match="size is 0")
test_lrn, test_bad_lrn = LRN.tests(), LRN.bad_tests()
