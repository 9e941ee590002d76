"""Images at other sizes, quantisation."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import numpy as np

from ..case import const, quantised, rand, randint, table

NEAREST, LINEAR = table("RESIZE_NEAREST"), table("RESIZE_LINEAR")
IMAGES = {1: rand(2, 3, 5), 2: rand(2, 3, 4, 5), 3: rand(1, 2, 3, 4, 5)}
off = const(False)
for axes, image in IMAGES.items():
    for align in (False, True):
        for size in ([8, 7, 9][-axes:], [2, 3, 2][-axes:], [1, 1, 1][-axes:]):
            for dtype in (np.int32, np.int64):
                NEAREST.case(image, const(size, dtype), None, const(align))
            for mode in (0, 1):
                LINEAR.case(image, const(size), None, const(align), const(mode))
        scales = const([2.0, 1.5, 0.5][-axes:])
        NEAREST.case(image, None, scales, const(align))
        NEAREST.case(image, const([], np.int32), scales, const(align))
        LINEAR.case(image, None, scales, const(align), const(1))
        LINEAR.case(image, const([6, 6, 6][-axes:]), scales, const(align), const(0))
NEAREST.case(randint(1, 1, 3, 3), const([5, 2]), None, off)
NEAREST.case(quantised(rand(1, 1, 3, 3)), const([6, 6]), None, off, scale=0.02)
computed = np.array([6, 2], np.int32)
image = rand(1, 2, 3, 4)
for each, rest in ((NEAREST, []), (LINEAR, [const(0)])):
    each.case(image, computed, None, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)
    scales = np.array([2.0, 1.5], np.float32)
    each.case(image, None, scales, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)


QUANTIZE = table("QUANTIZE")
QUANTIZE.case(rand(2, 3, low=-3, high=3), const(-1), const([0.05]), const(0), scale=0.05)
