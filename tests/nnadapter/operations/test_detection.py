"""PRIOR_BOX, ROI_ALIGN, YOLO_BOX, NON_MAX_SUPPRESSION."""

import numpy as np
from nnadapter.operations.refused import Refused, refusals

from lite.nnadapter.conformance.case import const, rand
from lite.nnadapter.conformance.operations.vision import priors, suppression

PRIOR_BOX = Refused("PRIOR_BOX")


PRIOR_BOX.bad(*priors([8.0], [1.0, 2.0], [2.0]), outputs=2, match="max_sizes has 2 numbers")
PRIOR_BOX.bad(*priors([8.0], [9.0], [0.0]), outputs=2, match="an aspect ratio is 0")
PRIOR_BOX.bad(rand(2, 3), *priors([8.0], None, [2.0])[1:], outputs=2, match="expected .N, C, H, W")


ROI_ALIGN = Refused("ROI_ALIGN")
pixels = rand(3, 2, 8, 9)
regions = np.float32([[0, 0, 4, 4], [2, 1, 15, 13], [-3, -2, 5.5, 3], [7, 7, 7.5, 7.25]])
tail = (const(2), const(2), const(2), const(1.0), const(False))
first = np.zeros(4, np.int32)
ROI_ALIGN.bad(pixels[0], regions, first, *tail, match="expected .N, C, H, W")
ROI_ALIGN.bad(pixels, regions[:, :3], first, *tail, match="expected .regions, 4")
ROI_ALIGN.bad(pixels, regions, first[:3], *tail, match="batch_indices has shape")
ROI_ALIGN.bad(pixels, regions, first, const(0), *tail[1:], match="expected positive numbers")


YOLO_BOX = Refused("YOLO_BOX")
sizes = np.array([[60, 80], [100, 90]], np.int32)
anchors = const([10, 13, 16, 30])
plain = (const(3), const(0.4), const(32))
YOLO_BOX.bad(rand(2, 15, 2, 3), sizes, anchors, *plain, outputs=2, match="expected 16 channels")
YOLO_BOX.bad(rand(2, 16, 2, 3), sizes, const([1, 2, 3]), *plain, outputs=2, match="pairs")
YOLO_BOX.bad(
    *(rand(2, 16, 2, 3), sizes, anchors, const(3), const(0.4), const(0)),
    outputs=2,
    match="downsample_ratio is 0",
)
YOLO_BOX.bad(
    *(rand(2, 16, 2, 3), sizes, anchors, const(3), const(0.4), const([2**32 + 32], np.int64)),
    outputs=2,
    match="downsample_ratio is 4294967328",
)
YOLO_BOX.bad(rand(2, 16, 2), sizes, anchors, *plain, outputs=2, match="expected .N, C, H, W")


NMS = Refused("NON_MAX_SUPPRESSION")
corners = np.random.default_rng(3).uniform(0, 8, (2, 20, 2))
candidates = np.concatenate([corners, corners + 4], 2).astype(np.float32)
confidences = np.random.default_rng(4).permutation(2 * 3 * 20).reshape(2, 3, 20) / np.float32(120)


NMS.bad(candidates[0], confidences, None, *suppression(), outputs=3, match="bboxes and scores have")
NMS.bad(
    *(candidates[:, :9], confidences.astype(np.float32), None, *suppression()),
    outputs=3,
    match="does not fit scores",
)
NMS.bad(*(rand(5, 3, 4), rand(5, 3), None, *suppression()), outputs=3, match="rois_num is missing")
wide = list(suppression())
wide[2] = const([2**32 + 1], np.int64)
NMS.bad(candidates, rand(2, 3, 20), None, *wide, outputs=3, match="nms_top_k is 4294967297")

test_refused = refusals(globals())
