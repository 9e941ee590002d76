"""Poolings."""

# mypy: disable-error-code="assignment, arg-type"
from __future__ import annotations

from typing import Any

import numpy as np

from ..case import const, quantised, rand, table


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
