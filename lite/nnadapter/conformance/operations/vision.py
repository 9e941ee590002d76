"""Operations on images and boxes; builtin_device is the reference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..case import Case, Var, cases, random


@cases("RESIZE_NEAREST")
def _nearest() -> Iterator[Case]:
    for align in (False, True):
        for size in ([8, 10], [3, 2]):
            inputs = [Var(random(1, 2, 4, 5)), size, None, align]
            yield Case("RESIZE_NEAREST", f"to {size} align_corners {align}", inputs)


@cases("RESIZE_LINEAR")
def _linear() -> Iterator[Case]:
    for align, mode in ((False, 0), (False, 1), (True, 1)):
        for size in ([8, 10], [3, 2]):
            inputs = [Var(random(1, 2, 4, 5)), size, None, align, mode]
            label = f"to {size} align_corners {align} align_mode {mode}"
            yield Case("RESIZE_LINEAR", label, inputs)


@cases("GRID_SAMPLE")
def _grid_sample() -> Iterator[Case]:
    for align in (False, True):
        inputs = [Var(random(1, 2, 5, 6)), Var(random(1, 3, 4, 2, low=-1.2, high=1.2)), align, 1, 1]
        yield Case("GRID_SAMPLE", f"bilinear align_corners {align}", inputs)


@cases("DEFORMABLE_CONV_2D")
def _deformable() -> Iterator[Case]:
    inputs = [
        *(Var(random(1, 2, 5, 5)), Var(random(1, 18, 5, 5, low=-1, high=1))),
        *(Var(random(1, 9, 5, 5, low=0, high=1)), random(3, 2, 3, 3), random(3)),
        *([1, 1, 1, 1], [1, 1], 1, 1, [1, 1], 0),
    ]
    yield Case("DEFORMABLE_CONV_2D", "3 by 3 with mask", inputs)


@cases("LRN")
def _lrn() -> Iterator[Case]:
    yield Case("LRN", "size 5", [Var(random(1, 7, 3, 4)), 5, 1.0, 1e-2, 0.75])


@cases("LP_NORMALIZATION")
def _lp() -> Iterator[Case]:
    yield Case(
        *("LP_NORMALIZATION", "axis 1 p 2", [Var(random(2, 3, 4)), 1, 2, 1e-6]),
        lambda x: x / np.sqrt((x * x).sum(1, keepdims=True) + 1e-6),
    )


@cases("ROI_ALIGN")
def _roi_align() -> Iterator[Case]:
    rois = np.array([[0, 0, 4, 4], [1, 1, 6, 5]], np.float32)
    for aligned in (False, True):
        inputs = [
            *(Var(random(1, 2, 8, 8)), Var(rois), Var(np.zeros(2, np.int32))),
            *(2, 2, 2, 1.0, aligned),
        ]
        yield Case("ROI_ALIGN", f"aligned {aligned}", inputs)


@cases("PRIOR_BOX")
def _prior_box() -> Iterator[Case]:
    one = np.ones(1, np.float32)
    inputs = [
        *(Var(random(1, 2, 3, 4)), Var(random(1, 3, 24, 32)), one * 4, one * 9),
        *(np.array([1, 2], np.float32), np.array([0.1, 0.1, 0.2, 0.2], np.float32)),
        *(True, False, 0.0, 0.0, 0.5, False),
    ]
    yield Case("PRIOR_BOX", "flipped ratios", inputs, outputs=2)


@cases("YOLO_BOX")
def _yolo_box() -> Iterator[Case]:
    inputs = [
        *(Var(random(1, 14, 3, 3)), Var(np.array([[96, 96]], np.int32)), [10, 13, 16, 30], 2),
        *(0.01, 32, True, 1.0, False, 0.5),
    ]
    yield Case("YOLO_BOX", "two anchors", inputs, outputs=2)
