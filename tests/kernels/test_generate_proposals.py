from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, rand

table = OpTable("generate_proposals")
ALL = {"RpnRois": 1, "RpnRoiProbs": 1, "RpnRoisNum": 1}
BASE = {
    "pre_nms_topN": 30,
    "post_nms_topN": 10,
    "nms_thresh": 0.5,
    "min_size": 2.0,
    "eta": 1.0,
}
INPUTS = {
    "Scores": rand(2, 3, 4, 5, low=0, high=1),
    "BboxDeltas": rand(2, 12, 4, 5),
    "ImInfo": np.array([[40, 50, 1.5], [30, 20, 0.4]], "float32"),
    "Anchors": corner_boxes(4, 5, 3, size=50),
    "Variances": rand(4, 5, 3, 4, low=0.1, high=1),
}
table.case(INPUTS, BASE, outputs=ALL)
for change in (
    {"pre_nms_topN": 5, "post_nms_topN": 3},
    {"pre_nms_topN": 0, "post_nms_topN": 0},
    {"nms_thresh": 0.8, "eta": 0.6},
    {"nms_thresh": -1.0, "pre_nms_topN": 0},
    {"min_size": 10.0, "pre_nms_topN": 0, "post_nms_topN": 0},
    {"min_size": 1000.0},
):
    table.case(INPUTS, {**BASE, **change}, outputs=ALL)
table.case(INPUTS, BASE)
one = {slot: INPUTS[slot][:1] for slot in ("Scores", "BboxDeltas", "ImInfo")}
table.case({**INPUTS, **one}, BASE, outputs=ALL)
for slot in INPUTS:
    table.error({**INPUTS, slot: INPUTS[slot][:1]}, BASE, error="ShapeError")
test_generate_proposals = table.tests()
