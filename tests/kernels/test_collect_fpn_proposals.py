from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod, rand

table = OpTable("collect_fpn_proposals")
COUNTS = [[2, 3], [4, 0], [0, 1]]
ROIS = [corner_boxes(sum(counts), size=9) for counts in COUNTS]
SCORES = [rand(sum(counts), 1) for counts in COUNTS]
NUMBERS = [np.array(counts, "int32") for counts in COUNTS]
LODS = [[[0, counts[0], sum(counts)]] for counts in COUNTS]
BOTH = {"FpnRois": 1, "RoisNum": 1}
GOOD = {"MultiLevelRois": ROIS, "MultiLevelScores": SCORES, "MultiLevelRoIsNum": NUMBERS}
WITH_LOD = {
    "MultiLevelRois": [lod(r, at) for r, at in zip(ROIS, LODS, strict=True)],
    "MultiLevelScores": [lod(s, at) for s, at in zip(SCORES, LODS, strict=True)],
}
SCORES[2][0, 0] = 1.0  # Paddle's LoD has no end where the last image is without regions
for most in (2, 4, 10, 1000):
    table.case(GOOD, {"post_nms_topN": most}, outputs=BOTH)
    table.case(WITH_LOD, {"post_nms_topN": most})
same = [np.full_like(scores, 0.5) for scores in SCORES]
table.case({**GOOD, "MultiLevelScores": same}, {"post_nms_topN": 5}, outputs=BOTH)


def one_left(values: dict) -> None:
    assert values["FpnRois"][0][1] == [[0, 1, 1]]
    assert values["RoisNum"][0][0].tolist() == [1, 0]
    np.testing.assert_array_equal(values["FpnRois"][0][0], ROIS[1][2:3])


best = [np.zeros_like(scores) for scores in SCORES]
best[1][2] = 1
table.case({**GOOD, "MultiLevelScores": best}, {"post_nms_topN": 1}, outputs=BOTH, check=one_left)


def four(values: dict) -> None:
    assert values["FpnRois"][0][0].shape == (4, 4)


unordered = [np.full_like(SCORES[0], np.nan), *SCORES[1:]]
table.case({**GOOD, "MultiLevelScores": unordered}, {"post_nms_topN": 4}, check=four)
ATTRS = {"post_nms_topN": 4}
table.error({**GOOD, "MultiLevelScores": SCORES[:2]}, ATTRS, error="ShapeError", match="Scores")
table.error({**GOOD, "MultiLevelRoIsNum": NUMBERS[:2]}, ATTRS, error="ShapeError", match="Num")
table.error(
    {**GOOD, "MultiLevelScores": SCORES[::-1]}, ATTRS, error="ShapeError", match="Scores[0]"
)
for bad in ([5, 1], [-1, 6], [2, 2], [2**31 - 1, 2**31 - 1]):
    numbers = [np.array(bad, "int32"), *NUMBERS[1:]]
    table.error(
        {**GOOD, "MultiLevelRoIsNum": numbers}, ATTRS, error="ShapeError", match="RoIsNum[0]"
    )
table.error(
    {**GOOD, "MultiLevelRoIsNum": [NUMBERS[0], np.array([4], "int32"), NUMBERS[2]]},
    ATTRS,
    error="ShapeError",
    match="images",
)
plain = {slot: GOOD[slot] for slot in ("MultiLevelRois", "MultiLevelScores")}
table.error(plain, ATTRS, error="ShapeError", match="LoD")
table.error(GOOD, {"post_nms_topN": -1}, error="ShapeError", match="post_nms_topN")
test_collect_fpn_proposals = table.tests()
