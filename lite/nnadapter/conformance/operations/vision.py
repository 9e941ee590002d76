"""Images and boxes."""

# mypy: disable-error-code="assignment"
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..case import const, quantised, rand, randint, table

PRIOR_BOX = table("PRIOR_BOX")
feature, image = rand(1, 2, 3, 4), rand(1, 3, 30, 40)
variances = const([0.1, 0.1, 0.2, 0.2])


def priors(
    mins: Any,
    maxs: Any,
    ratios: Any,
    flip: Any = True,
    clip: Any = False,
    steps: Any = (0.0, 0.0),
    order: Any = False,
) -> Any:
    return (
        *(feature, image, const(mins), const(maxs) if maxs else None, const(ratios), variances),
        *(const(flip), const(clip), const(steps[0]), const(steps[1]), const(0.5), const(order)),
    )


PRIOR_BOX.case(*priors([8.0], [12.0], [2.0]))
PRIOR_BOX.case(*priors([8.0, 10.0], [12.0, 16.0], [1.0, 2.0, 3.0], clip=True, order=True))
PRIOR_BOX.case(*priors([8.0], None, [2.0], flip=False, steps=(9.0, 11.0)))


ROI_ALIGN = table("ROI_ALIGN")
pixels = rand(3, 2, 8, 9)
regions = np.array([[0, 0, 4, 4], [2, 1, 15, 13], [-3, -2, 5.5, 3], [7, 7, 7.5, 7.25]], np.float32)
for images, ratio, scale, aligned in (
    ([0, 1, 2, 0], 2, 0.5, False),
    ([2, 2, 0, 1], -1, 0.5, False),
    ([1, 0, 1, 2], 0, 0.5, True),
    ([0, 0, 0, 0], 3, 1.0, True),
):
    for dtype in (np.int32, np.int64):
        ROI_ALIGN.case(
            *(pixels, regions, np.array(images, dtype), const(2), const(3)),
            *(const(ratio), const(scale), const(aligned)),
        )


YOLO_BOX = table("YOLO_BOX")
sizes = np.array([[60, 80], [100, 90]], np.int32)
anchors = const([10, 13, 16, 30])
plain = (const(3), const(0.4), const(32))
for clip, scale in ((True, 1.0), (False, 1.2)):
    YOLO_BOX.case(rand(2, 16, 2, 3), sizes, anchors, *plain, const(clip), const(scale))
YOLO_BOX.case(
    *(rand(2, 18, 2, 3), sizes, anchors, *plain, const(True), const(1.0)),
    *(const(True), const(0.3)),
)


NMS = table("NON_MAX_SUPPRESSION")
corners = np.random.default_rng(3).uniform(0, 8, (2, 20, 2))
candidates = np.concatenate([corners, corners + 4], 2).astype(np.float32)
confidences = np.random.default_rng(4).permutation(2 * 3 * 20).reshape(2, 3, 20) / np.float32(120)


def suppression(
    background: Any = -1,
    thresh: Any = 0.1,
    top_k: Any = -1,
    limit: Any = 0.4,
    keep: Any = -1,
    normalized: Any = True,
) -> Any:
    return (
        *(const(background), const(thresh), const(top_k), const(limit), const(1.0), const(keep)),
        *(const(normalized), const(True)),
    )


for settings in (
    suppression(),
    suppression(background=0, top_k=8, keep=5),
    suppression(limit=0.1, normalized=False, keep=100),
    suppression(thresh=2.0),
):
    NMS.case(
        *(candidates, confidences.astype(np.float32), None, *settings),
        inferred=[(-1, 6), (2,), (-1, 1)],
    )


NEAREST, LINEAR = table("RESIZE_NEAREST"), table("RESIZE_LINEAR")
IMAGES = {1: rand(2, 3, 5), 2: rand(2, 3, 4, 5), 3: rand(1, 2, 3, 4, 5)}
off = const(False)
for axes, small in IMAGES.items():
    for align in (False, True):
        for size in ([8, 7, 9][-axes:], [2, 3, 2][-axes:], [1, 1, 1][-axes:]):
            for dtype in (np.int32, np.int64):
                NEAREST.case(small, const(size, dtype), None, const(align))
            for mode in (0, 1):
                LINEAR.case(small, const(size), None, const(align), const(mode))
        scales = const([2.0, 1.5, 0.5][-axes:])
        NEAREST.case(small, None, scales, const(align))
        NEAREST.case(small, const([], np.int32), scales, const(align))
        LINEAR.case(small, None, scales, const(align), const(1))
        LINEAR.case(small, const([6, 6, 6][-axes:]), scales, const(align), const(0))
NEAREST.case(randint(1, 1, 3, 3), const([5, 2]), None, off)
NEAREST.case(quantised(rand(1, 1, 3, 3)), const([6, 6]), None, off, scale=0.02)
computed = np.array([6, 2], np.int32)
small = rand(1, 2, 3, 4)
for each, rest in ((NEAREST, []), (LINEAR, [const(0)])):
    each.case(small, computed, None, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)
    scales = np.array([2.0, 1.5], np.float32)
    each.case(small, None, scales, off, *rest, inferred=[(1, 2, -1, -1)], unknown=False)


GRID_SAMPLE = table("GRID_SAMPLE")
x, grid = rand(2, 3, 5, 6), rand(2, 4, 3, 2, low=-1.6, high=1.6)
for corners, mode, pad_mode in itertools.product((False, True), (1, 2), range(5)):
    GRID_SAMPLE.case(x, grid, const(corners), const(mode), const(pad_mode))
GRID_SAMPLE.case(quantised(x), grid, const(True), const(1), const(1), scale=0.02)
