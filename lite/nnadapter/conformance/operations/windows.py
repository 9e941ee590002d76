"""Convolutions and poolings."""

# mypy: disable-error-code="assignment, arg-type"
from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Const, Quantised, const, quantised, rand, table


def settings(
    pads: Any = (0, 0, 0, 0),
    strides: Any = (1, 1),
    group: Any = 1,
    dilations: Any = (1, 1),
    code: Any = 0,
    auto_pad: Any = 0,
) -> Any:
    return (
        *(const(auto_pad), const(list(pads), np.int32), const(list(strides)), const(group)),
        *(const(list(dilations)), const(code)),
    )


def int8_filter(w: Any, per_channel: Any, axis: Any = 0) -> Any:
    """A constant filter and its scales, one or one for each output channel."""
    others = tuple(i for i in range(4) if i != axis or not per_channel)
    spread = np.abs(w).max(others, keepdims=True) / 127
    scales = spread.ravel()
    values = np.clip(np.round(w / spread), -127, 127).astype(np.int8)
    return Quantised(
        values, tuple(map(float, scales)), axis if per_channel else None, constant=True
    )


def int32_bias(bias: Any, x: Any, w: Any) -> Any:
    """A constant bias whose scale is that of input times that of filter."""
    scales = tuple(x.scales[0] * s for s in w.scales)
    values = np.round(bias / np.asarray(scales)).astype(np.int32)
    return Quantised(values, scales, 0 if len(scales) > 1 else None, constant=True)


CONV_2D = table("CONV_2D")
x = rand(2, 4, 7, 9)
CONV_2D.case(x, Const(rand(6, 4, 3, 3)), Const(rand(6)), *settings())
CONV_2D.case(x, rand(6, 4, 3, 3), rand(6), *settings())
CONV_2D.case(x, Const(rand(6, 4, 1, 1)), None, *settings())
for change in [
    {"pads": (1, 1, 1, 1)},
    {"pads": (0, 1, 2, 3)},
    {"pads": ()},
    {"strides": (2, 1), "pads": (1, 0, 0, 1)},
    {"dilations": (2, 3), "pads": (2, 2, 3, 3)},
    {"auto_pad": 1},
    {"auto_pad": 1, "strides": (2, 3), "dilations": (2, 2), "pads": (5, 5, 5, 5)},
    {"auto_pad": 2, "pads": (5, 5, 5, 5)},
    {"code": 1},
    {"code": 2},
    {"code": 3, "pads": (1, 1, 1, 1)},
]:
    CONV_2D.case(x, Const(rand(6, 4, 3, 3)), Const(rand(6)), *settings(**change))
CONV_2D.case(x, Const(rand(4, 1, 3, 3)), Const(rand(4)), *settings(group=4, pads=(1,) * 4))
CONV_2D.case(x, Const(rand(8, 1, 3, 3)), None, *settings(group=4, strides=(2, 2)))
CONV_2D.case(x, Const(rand(6, 2, 3, 3)), Const(rand(6)), *settings(group=2, code=1))
row = rand(1, 4, 1, 16)  # a sequence
CONV_2D.case(row, Const(rand(4, 4, 1, 7)), Const(rand(4)), *settings(pads=(0, 0, 3, 3)))
CONV_2D.case(row, Const(rand(4, 4, 1, 3)), None, *settings(dilations=(1, 5), pads=(0, 0, 5, 5)))
double = np.float64
CONV_2D.case(x.astype(double), Const(rand(3, 4, 2, 2).astype(double)), None, *settings())
CONV_2D.case(rand(0, 4, 5, 5), Const(rand(3, 4, 2, 2)), None, *settings(), unknown=False)
for per_channel in (False, True):
    for group, channels in [(1, 4), (4, 1), (2, 2)]:
        qx = quantised(x)
        qw = int8_filter(rand(8, channels, 3, 3, seed=group), per_channel)
        qb = int32_bias(rand(8), qx, qw)
        CONV_2D.case(qx, qw, qb, *settings(group=group, pads=(1,) * 4, code=1), scale=0.2)
        CONV_2D.case(qx, qw, None, *settings(group=group, strides=(2, 2)), scale=0.2)
CONV_2D.case(x, int8_filter(rand(6, 4, 3, 3), True), Const(rand(6)), *settings())  # weights only
w = rand(6, 4, 3, 3)


def transposed(extra: Any = (), wanted: Any = (), code: Any = 0, **others: Any) -> Any:
    given = settings(code=code, **others)
    sizes = const(list(wanted), np.int32)
    return (*given[:-1], const(list(extra), np.int32), sizes, given[-1])


CONV_2D_TRANSPOSE = table("CONV_2D_TRANSPOSE")
x = rand(2, 4, 5, 6)
for change in [
    {},
    {"pads": (1, 1, 1, 1)},
    {"pads": (0, 1, 2, 1)},
    {"strides": (2, 3)},
    {"strides": (2, 2), "pads": (1, 1, 1, 1), "extra": (1, 0)},
    {"strides": (2, 3), "wanted": (12, 19)},
    {"strides": (2, 3), "pads": (1, 1, 1, 1), "wanted": (10, 17), "extra": (1, 1)},
    {"dilations": (2, 1)},
    {"auto_pad": 1, "strides": (2, 2)},
    {"auto_pad": 2, "pads": (1, 1, 1, 1)},
    {"code": 1},
    {"code": 3},
]:
    CONV_2D_TRANSPOSE.case(x, Const(rand(4, 3, 3, 3)), Const(rand(3)), *transposed(**change))
CONV_2D_TRANSPOSE.case(x, rand(4, 3, 3, 3), None, *transposed(strides=(2, 2)))
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 2, 3, 3)), Const(rand(4)), *transposed(group=2))
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 1, 2, 2)), None, *transposed(group=4, strides=(2, 2)))
given = transposed(strides=(2, 2))
CONV_2D_TRANSPOSE.case(  # a computed output_shape
    *(x, Const(rand(4, 3, 3, 3)), None, *given[:-2], np.array([12, 14], np.int32), given[-1]),
    inferred=[(2, 3, -1, -1)],
    unknown=False,
)
absent = (*given[:-3], None, None, given[-1])
CONV_2D_TRANSPOSE.case(x, Const(rand(4, 3, 3, 3)), None, *absent)
qx, qw = quantised(x), int8_filter(rand(4, 3, 3, 3), False)
CONV_2D_TRANSPOSE.case(qx, qw, Const(rand(3)), *transposed(strides=(2, 2)), scale=0.2)
for per_channel in [False, True]:
    qw = int8_filter(rand(4, 3, 3, 3), per_channel, axis=1)
    qb = int32_bias(rand(3), qx, qw)
    CONV_2D_TRANSPOSE.case(qx, qw, qb, *transposed(strides=(2, 2)), scale=0.2)
    given = transposed(strides=(2, 2), pads=(1, 1, 1, 1), extra=(1, 0))
    CONV_2D_TRANSPOSE.case(qx, qw, None, *given, scale=0.2)
w = rand(4, 3, 3, 3)


def deformed(
    pads: Any = (0, 0, 0, 0),
    strides: Any = (1, 1),
    group: Any = 1,
    parts: Any = 1,
    dilations: Any = (1, 1),
    code: Any = 0,
) -> Any:
    return (
        *(const(list(pads), np.int32), const(list(strides)), const(group), const(parts)),
        *(const(list(dilations)), const(code)),
    )


DEFORMABLE_CONV_2D = table("DEFORMABLE_CONV_2D")
case = DEFORMABLE_CONV_2D.case
x, w = rand(2, 4, 5, 6), Const(rand(2, 4, 3, 3))
case(x, rand(2, 18, 3, 4), rand(2, 9, 3, 4), w, Const(rand(2)), *deformed())
case(x, rand(2, 18, 3, 4), None, w, None, *deformed())
case(x, rand(2, 18, 5, 6), None, w, None, *deformed(pads=(1, 1, 1, 1), code=1))
case(x, rand(2, 18, 3, 3), rand(2, 9, 3, 3), w, Const(rand(2)), *deformed((1, 1, 1, 1), (2, 2)))
case(x, rand(2, 36, 3, 4), rand(2, 18, 3, 4), w, None, *deformed(parts=2, code=3))
grouped = Const(rand(2, 2, 3, 3))
case(x, rand(2, 18, 3, 4), rand(2, 9, 3, 4), grouped, Const(rand(2)), *deformed(group=2, code=2))
case(x, rand(2, 18, 1, 2), None, w, None, *deformed(dilations=(2, 2)))
case(quantised(x), rand(2, 18, 3, 4), rand(2, 9, 3, 4), w, None, *deformed(), scale=0.2)


def pool_settings(
    kernel: Any,
    strides: Any = (1, 1),
    pads: Any = (0, 0, 0, 0),
    ceil: Any = False,
    counts: Any = False,
    auto_pad: Any = 0,
    code: Any = 0,
) -> Any:
    return (
        *(const(auto_pad), const(list(pads), np.int32), const(list(kernel))),
        *(const(list(strides)), const(ceil), const(counts), const(code)),
    )


AVERAGE_POOL_2D = table("AVERAGE_POOL_2D")
x = rand(2, 3, 7, 8)
for ceil in (False, True):
    for counts in (False, True):
        for change in [
            {"kernel": (3, 2)},
            {"kernel": (3, 3), "strides": (2, 2), "pads": (1, 1, 1, 1)},
            {"kernel": (3, 2), "strides": (2, 3), "pads": (0, 2, 1, 0)},
            {"kernel": (2, 3), "strides": (3, 3), "pads": (1, 0, 0, 2)},
            {"kernel": (2, 2), "strides": (3, 3)},
            {"kernel": (7, 8)},
            {"kernel": (3, 3), "strides": (2, 2), "pads": (5, 5, 5, 5), "auto_pad": 2},
        ]:
            AVERAGE_POOL_2D.case(x, *pool_settings(ceil=ceil, counts=counts, **change))
for counts in (False, True):
    for kernel, strides in [((3, 3), (1, 1)), ((2, 3), (2, 2)), ((4, 4), (3, 1))]:
        same = pool_settings(kernel, strides, counts=counts, auto_pad=1)
        AVERAGE_POOL_2D.case(x, *same, unknown=not counts)
AVERAGE_POOL_2D.case(x, *pool_settings((3, 3), pads=(), code=1))
AVERAGE_POOL_2D.case(x, const(0), None, *pool_settings((3, 3))[2:])
AVERAGE_POOL_2D.case(x.astype(np.float64), *pool_settings((3, 2)))
for counts in (False, True):
    pads = (1, 0, 1, 1)
    AVERAGE_POOL_2D.case(quantised(x), *pool_settings((3, 3), pads=pads, counts=counts), scale=0.02)


ADAPTIVE_AVERAGE_POOL_2D = table("ADAPTIVE_AVERAGE_POOL_2D")
ADAPTIVE_MAX_POOL_2D = table("ADAPTIVE_MAX_POOL_2D")
for wanted in [(1, 1), (7, 8), (3, 5), (2, 3), (9, 16)]:
    ADAPTIVE_AVERAGE_POOL_2D.case(x, const(list(wanted)))
    for dtype in (5, 7):
        ADAPTIVE_MAX_POOL_2D.case(x, const(list(wanted)), const(True), const(dtype))
ADAPTIVE_AVERAGE_POOL_2D.case(x, const([2, 3], np.int64))
ADAPTIVE_AVERAGE_POOL_2D.case(quantised(x), const([2, 3]), scale=0.02)
ADAPTIVE_MAX_POOL_2D.case(quantised(x), const([2, 3]), const(True), const(7), scale=0.02)
ADAPTIVE_MAX_POOL_2D.case(  # without indices
    x, const([2, 3]), const(False), const(7), outputs=1
)
ADAPTIVE_MAX_POOL_2D.case(x, const([2, 3]), const(False), const(7), optional=False)


MAX_POOL = table("MAX_POOL_2D")
for auto_pad, pads, kernel, strides, ceil in (
    (0, [0, 0, 0, 0], [2, 2], [2, 2], False),
    (0, [1, 1, 1, 1], [3, 3], [2, 2], False),
    (0, [1, 1, 1, 1], [3, 3], [2, 2], True),
    (0, [0, 1, 1, 0], [2, 3], [1, 2], False),
    (0, None, [3, 2], [2, 3], True),
    (1, None, [3, 3], [2, 2], False),
    (1, None, [2, 2], [1, 1], False),
    (2, [5, 5, 5, 5], [2, 2], [2, 1], False),
):
    for indices, code in ((False, 0), (True, 0), (True, 1)):
        known = [const(auto_pad), const(pads) if pads else None, const(kernel), const(strides)]
        for dtype in (5, 7) if indices else (0,):
            MAX_POOL.case(
                *(rand(2, 3, 6, 7), *known, const(ceil)),
                *(const(indices), const(dtype), const(code)),
                unknown=not (indices and auto_pad == 1),
            )
two, off, none = const([2, 2]), const(False), const(0)
MAX_POOL.case(quantised(rand(1, 2, 4, 4)), none, None, two, two, off, off, none, none, scale=0.02)
