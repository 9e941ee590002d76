"""REDUCE_MEAN, REDUCE_MAX, REDUCE_SUM, SUM, TOP_K."""

import numpy as np
from nnadapter.operations.tables import Table, const, quantised, rand, randint


def reduction(name, function):
    def reference(x, axes=None, keep=None):
        axis = tuple(axes.tolist()) if axes is not None and axes.size else None
        keepdims = True if keep is None else bool(keep[0])
        return np.asarray(function(x, axis=axis, keepdims=keepdims), x.dtype)

    table = Table(name, reference)
    for axes in ([0], [-1], [1, 2], [0, 1, 2, 3], [-1, -3], []):
        for keep in (True, False):
            table.case(rand(2, 3, 4, 5), const(axes, np.int32), const(keep))
    table.case(rand(4, 5), None, const(False))
    table.case(rand(4, 5), None, None)
    table.case(rand(4, 5), const([0], np.int64), const(False))
    table.case(quantised(rand(2, 3, 4)), const([1]), const(True), scale=0.03)
    table.bad(rand(4, 5), const([2]), const(True), match=r"expected a number in \[-2, 2\)")
    table.bad(rand(4, 5), const([1.0]), const(True), match="axes")
    table.bad(rand(4, 5) > 0, const([1]), const(True), match="BOOL8")
    return table


MEAN = reduction("REDUCE_MEAN", np.mean)
MAX = reduction("REDUCE_MAX", np.max)
SUM_AXES = reduction("REDUCE_SUM", np.sum)
for table in (MAX, SUM_AXES):
    for dtype in (np.int32, np.int64):
        table.case(randint(3, 4, dtype=dtype), const([1]), const(False))
test_reduce_mean, test_bad_reduce_mean = MEAN.tests(), MEAN.bad_tests()
test_reduce_max, test_bad_reduce_max = MAX.tests(), MAX.bad_tests()
test_reduce_sum, test_bad_reduce_sum = SUM_AXES.tests(), SUM_AXES.bad_tests()

SUM = Table("SUM", lambda *xs: np.asarray(sum(xs[1:], xs[0])))
SUM.case(rand(3))
SUM.case(rand(2, 3), rand(2, 3, seed=1))
SUM.case(rand(2, 3), rand(3), rand(2, 1), rand(1))
SUM.case(randint(2, 3), randint(3))
SUM.case(randint(2, 3, dtype=np.int64), randint(2, 3, dtype=np.int64))
SUM.case(quantised(rand(2, 3)), quantised(rand(2, 3, seed=4)), scale=0.04)
SUM.bad(rand(2, 3), rand(4), match="do not broadcast")
SUM.bad(rand(2), randint(2), match="input1 is INT32")
SUM.bad(match="input")
test_sum, test_bad_sum = SUM.tests(), SUM.bad_tests()


def top_k(x, k, axis, largest, _sorted, dtype):
    k, axis = int(k.reshape(-1)[0]), int(axis[0])
    order = np.argsort(-x if largest[0] else x, axis=axis, kind="stable")
    order = np.take(order, range(k), axis=axis)
    index = np.int32 if dtype[0] == 5 else np.int64
    return [np.take_along_axis(x, order, axis), order.astype(index)]


TOP_K = Table("TOP_K", top_k)
for shape, k, axis in (((6,), 2, 0), ((3, 5), 5, -1), ((4, 5), 1, 0), ((2, 3, 4), 2, 1)):
    for largest in (True, False):
        for code in (5, 7):
            TOP_K.case(
                *(rand(*shape), const(k), const(axis), const(largest), const(True), const(code))
            )
flags = (const(-1), const(True), const(True), const(7))
TOP_K.case(rand(3, 5), const(2, np.int64), *flags)
TOP_K.case(rand(3, 5), np.array([2], np.int32), *flags, inferred=[(3, -1)] * 2, unknown=False)
for dtype in (np.int32, np.int64):
    numbers = np.random.default_rng(0).permutation(12).reshape(3, 4).astype(dtype)
    TOP_K.case(numbers, const(3), *flags)
TOP_K.bad(rand(3, 5), const(6), *flags, outputs=2, match="k is 6")
TOP_K.bad(rand(3, 5), const(0), *flags, outputs=2, match="k is 0")
TOP_K.bad(rand(3, 5), const([1, 2]), *flags, outputs=2, match="k has 2 numbers")
TOP_K.bad(rand(3, 5), const(1), const(2), *flags[1:], outputs=2, match="axis is 2")
TOP_K.bad(rand(3, 5), const(1), *flags[:-1], const(10), outputs=2, match="return_indices_dtype")
test_top_k, test_bad_top_k = TOP_K.tests(), TOP_K.bad_tests()
