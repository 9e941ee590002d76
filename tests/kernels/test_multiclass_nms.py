from __future__ import annotations

from detection_inputs import corner_boxes
from harness import OpTable, lod, rand

table = OpTable("multiclass_nms")
ALL = {"Out": 1}
BASE = {"score_threshold": 0.3, "nms_top_k": 8, "keep_top_k": 5, "nms_threshold": 0.3}
boxes, score = corner_boxes(2, 20), rand(2, 3, 20, low=0, high=1)
first_empty = score.copy()
first_empty[0] = 0
table.case({"BBoxes": boxes, "Scores": score}, BASE, outputs=ALL)
table.case({"BBoxes": boxes, "Scores": first_empty}, BASE, outputs=ALL)
for change in (
    {"score_threshold": 2.0},
    {"nms_top_k": 3},
    {"keep_top_k": -1, "background_label": -1},
    {"nms_threshold": 0.9, "nms_eta": 0.6, "keep_top_k": -1, "nms_top_k": -1},
    {"normalized": False},
):
    table.case({"BBoxes": boxes, "Scores": score}, {**BASE, **change}, outputs=ALL)
rois = lod(corner_boxes(9, 3), [[0, 4, 4, 9]])
roi_scores = lod(rand(9, 3, low=0, high=1), [[0, 4, 4, 9]])
for keep in (-1, 2, 0):
    table.case({"BBoxes": rois, "Scores": roi_scores}, {**BASE, "keep_top_k": keep}, outputs=ALL)

table.error({"BBoxes": boxes[:1], "Scores": score}, BASE, error="ShapeError", match="BBoxes")
table.error(
    {"BBoxes": rois.array, "Scores": roi_scores.array}, BASE, error="ShapeError", match="no LoD"
)
table.error(
    {"BBoxes": lod(rois.array, [[0, 4, 11]]), "Scores": roi_scores},
    BASE,
    error="ShapeError",
    match="LoD",
)
test_multiclass_nms = table.tests()
