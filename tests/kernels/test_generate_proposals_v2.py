from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, rand

table = OpTable("generate_proposals_v2")
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
    "ImShape": np.array([[40, 50], [30, 20]], "float32"),
    "Anchors": corner_boxes(4, 5, 3, size=50),
    "Variances": rand(4, 5, 3, 4, low=0.1, high=1),
}
table.case(INPUTS, BASE, outputs=ALL)
for change in (
    {"pre_nms_topN": 5},
    {"pre_nms_topN": 0, "post_nms_topN": 0},
    {"pre_nms_topN": -1, "post_nms_topN": -1},
    {"post_nms_topN": 3},
    {"nms_thresh": 0.2},
    {"nms_thresh": 0.8, "eta": 0.6},
    {"nms_thresh": -1.0, "pre_nms_topN": 0},
    {"min_size": 10.0},
    {"min_size": 1000.0},
    {"pixel_offset": False},
    {"pixel_offset": False, "nms_thresh": 0.2, "min_size": 0.0},
):
    table.case(INPUTS, {**BASE, **change}, outputs=ALL)
table.case(INPUTS, BASE)
wild = {**INPUTS, "BboxDeltas": rand(2, 12, 4, 5, low=-50, high=50)}
table.case(wild, BASE, outputs=ALL)


def finite(result: dict) -> None:
    assert np.isfinite(result["RpnRoiProbs"][0][0]).all()


nan = INPUTS["Scores"].copy()
nan[0, :, ::2] = np.nan
table.case({**INPUTS, "Scores": nan}, BASE, outputs=ALL, check=finite)

for slot in INPUTS:
    table.error({**INPUTS, slot: INPUTS[slot][:1]}, BASE, error="ShapeError")
test_generate_proposals_v2 = table.tests()
