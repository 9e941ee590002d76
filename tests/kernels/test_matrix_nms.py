from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, rand

table = OpTable("matrix_nms")
ALL = {"Out": 1, "Index": 1, "RoisNum": 1}
BASE = {"score_threshold": 0.3, "nms_top_k": 8, "keep_top_k": 5}
boxes, scores = corner_boxes(2, 20), rand(2, 3, 20, low=0, high=1)
table.case({"BBoxes": boxes, "Scores": scores}, BASE, outputs=ALL)
for change in (
    {"score_threshold": 0.8},
    {"score_threshold": 2.0},
    {"nms_top_k": -1, "keep_top_k": -1},
    {"keep_top_k": 0},
    {"keep_top_k": 1},
    {"nms_top_k": 3, "keep_top_k": 100},
    {"post_threshold": 0.5},
    {"use_gaussian": True, "keep_top_k": -1},
    {"use_gaussian": True, "gaussian_sigma": 0.5, "keep_top_k": -1},
    {"background_label": -1},
    {"background_label": 2},
    {"normalized": False},
):
    table.case({"BBoxes": boxes, "Scores": scores}, {**BASE, **change}, outputs=ALL)


def nothing(result: dict) -> None:
    assert set(result) == {"Out"} and result["Out"][0][0].shape == (0, 6)


nan = np.full((1, 3, 20), np.nan, "float32")
table.case({"BBoxes": boxes[:1], "Scores": nan}, BASE, outputs={"Out": 1}, check=nothing)
table.case(
    {"BBoxes": boxes, "Scores": scores},
    {**BASE, "nms_top_k": 0},
    outputs={"Out": 1},
    check=nothing,
)

table.error({"BBoxes": boxes[:1], "Scores": scores}, BASE, error="ShapeError", match="BBoxes")
table.error({"BBoxes": boxes, "Scores": scores[0]}, BASE, error="ShapeError", match="Scores")
table.error({"BBoxes": rand(2, 20, 8), "Scores": scores}, BASE, error="ShapeError", match="BBoxes")
test_matrix_nms = table.tests()
