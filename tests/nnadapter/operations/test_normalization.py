"""BATCH_, GROUP_, INSTANCE_, LAYER_, LP_NORMALIZATION, LRN."""

import numpy as np
from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import Const, const, rand

EPSILON = const(1e-3)
BATCH = Refused("BATCH_NORMALIZATION")
parameters = [Const(rand(3, seed=s, low=0.2)) for s in range(4)]
double = [Const(p.value.astype(np.float64)) for p in parameters]
BATCH.bad(rand(3), *parameters, EPSILON, match="expected .N, C, ...")
BATCH.bad(rand(2, 4, 5), *parameters, EPSILON, match="expected 4 elements")
BATCH.bad(rand(2, 3), *parameters, const(-1.0), match="epsilon is -1")
BATCH.bad(rand(2, 3), *parameters, const(float("nan")), match="epsilon is")
BATCH.bad(rand(2, 3), *parameters[:3], None, EPSILON, match="variance is missing")
BATCH.bad(rand(2, 3), *double, EPSILON, match="one type")


INSTANCE = Refused("INSTANCE_NORMALIZATION")
GROUP = Refused("GROUP_NORMALIZATION")
for table, more in [
    (INSTANCE, ()),
    (GROUP, (const(2),)),
    (GROUP, (const(4),)),
    (GROUP, (const(1),)),
]:
    table.bad(rand(2, 4), None, None, EPSILON, *more, match="of rank 3 or more")
    table.bad(rand(2, 4, 3), rand(3), None, EPSILON, *more, match="expected 4 elements")
    table.bad(rand(2, 4, 3), None, None, const(-0.5), *more, match="epsilon is -0.5")
GROUP.bad(rand(2, 4, 3), None, None, EPSILON, const(3), match="a divisor of the 4 channels")
GROUP.bad(rand(2, 4, 3), None, None, EPSILON, const(0), match="groups is 0")


LAYER = Refused("LAYER_NORMALIZATION")
x = rand(2, 3, 4)
LAYER.bad(x, None, None, const(3), EPSILON, match="begin_norm_axis is 3")
LAYER.bad(x, rand(5), None, const(1), EPSILON, match="expected 12 elements")


LP = Refused("LP_NORMALIZATION")
LP.bad(x, const([3]), const(2), const(1e-5), match="axis is 3")
LP.bad(x, const([], np.int32), const(2), const(1e-5), match="axis is empty")
LP.bad(x, const([1]), const(3), const(1e-5), match="p is 3")
LP.bad(x, const([1]), const(2), const(-1.0), match="epsilon is -1")


LRN = Refused("LRN")
LRN.bad(rand(2, 6, 3), const(5), const(1.0), const(1.0), const(0.5), match="rank 3")
LRN.bad(rand(2, 6, 3, 4), const(0), const(1.0), const(1.0), const(0.5), match="size is 0")

test_refused = refusals(globals())
