from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes, polygons
from harness import OpTable, core, lod, rand

table = OpTable("multiclass_nms3")
ALL = {"Out": 1, "Index": 1, "NmsRoisNum": 1}
BASE = {"score_threshold": 0.3, "nms_top_k": 8, "keep_top_k": 5, "nms_threshold": 0.3}


def scores(*shape: int) -> np.ndarray:
    return rand(*shape, low=0, high=1)


boxes, score = corner_boxes(2, 20), scores(2, 3, 20)
table.case({"BBoxes": boxes, "Scores": score}, BASE, outputs=ALL)
for change in (
    {"score_threshold": 0.9},
    {"score_threshold": 2.0},
    {"score_threshold": -1.0},
    {"nms_top_k": -1},
    {"nms_top_k": 0},
    {"nms_top_k": 1000000},
    {"keep_top_k": -1},
    {"keep_top_k": 0},
    {"keep_top_k": 1},
    {"nms_top_k": -1, "keep_top_k": -1, "background_label": -1},
    {"background_label": 2},
    {"background_label": 100},
    {"nms_threshold": 0.0, "keep_top_k": -1},
    {"nms_threshold": 1.0, "keep_top_k": -1},
    {"nms_threshold": 0.9, "nms_eta": 0.6, "keep_top_k": -1, "nms_top_k": -1},
    {"nms_eta": 2.0},
):
    table.case({"BBoxes": boxes, "Scores": score}, {**BASE, **change}, outputs=ALL)
table.case(
    {"BBoxes": corner_boxes(1, 20, size=20), "Scores": score[:1]},
    {**BASE, "normalized": False},
    outputs=ALL,
)
# Equal scores stand in the order of the boxes, whatever the number of them.
table.case(
    {"BBoxes": corner_boxes(1, 300), "Scores": np.round(scores(1, 4, 300), 1)},
    {**BASE, "nms_top_k": 100, "keep_top_k": 50, "nms_threshold": 0.8},
    outputs=ALL,
)
table.case(
    {"BBoxes": corner_boxes(1, 300), "Scores": np.full((1, 4, 300), 0.5, "float32")},
    {**BASE, "nms_top_k": -1, "keep_top_k": 30},
    outputs=ALL,
)
# More are kept than are compared at once.
table.case(
    {"BBoxes": corner_boxes(1, 300), "Scores": scores(1, 2, 300)},
    {"score_threshold": 0.0, "nms_top_k": -1, "keep_top_k": -1, "nms_threshold": 0.7},
    outputs=ALL,
)
half = score.copy()
half[0] = 0
table.case({"BBoxes": boxes, "Scores": half}, BASE, outputs=ALL)
table.case(
    {"BBoxes": np.zeros((1, 5, 4), "float32"), "Scores": score[:1, :, :5]}, BASE, outputs=ALL
)
odd = score.copy()
odd[0, 1, ::3] = np.nan
odd[1, 2, 4] = np.inf
table.case({"BBoxes": boxes, "Scores": odd}, {**BASE, "keep_top_k": -1}, outputs=ALL)
for points in (4, 8, 12, 16):
    table.case(
        {"BBoxes": polygons(1, 12, points=points), "Scores": scores(1, 2, 12)},
        {**BASE, "nms_top_k": -1, "keep_top_k": -1, "nms_threshold": 0.6},
        outputs=ALL,
    )
# Regions of interest with boxes for each class.
rois, roi_scores = corner_boxes(9, 3), scores(9, 3)
for counts in ([4, 0, 5], [9], [2, 3]):
    number = np.array(counts, "int32")
    table.case({"BBoxes": rois, "Scores": roi_scores, "RoisNum": number}, BASE, outputs=ALL)
    table.case(
        {"BBoxes": rois, "Scores": roi_scores, "RoisNum": number},
        {**BASE, "keep_top_k": -1, "background_label": -1},
        outputs=ALL,
    )
table.case(
    {"BBoxes": lod(rois, [[0, 4, 4, 9]]), "Scores": lod(roi_scores, [[0, 4, 4, 9]])},
    {**BASE, "keep_top_k": 2},
    outputs=ALL,
)


def only_out(result: dict) -> None:
    assert set(result) == {"Out"} and result["Out"][0][0].shape[1] == 6


table.case({"BBoxes": boxes, "Scores": score}, BASE, outputs={"Out": 1}, check=only_out)


def nothing(result: dict) -> None:
    assert result["Out"][0][0].shape == (0, 6)
    assert result["Index"][0][0].shape == (0, 1)
    assert result["NmsRoisNum"][0][0].tolist() == [0]


table.case(
    {"BBoxes": np.zeros((1, 0, 4), "float32"), "Scores": np.zeros((1, 3, 0), "float32")},
    BASE,
    outputs=ALL,
    check=nothing,
)


def two_of_a_class(result: dict) -> None:
    labels = result["Out"][0][0][:, 0]
    assert max(np.unique(labels, return_counts=True)[1]) == 2


table.case(
    {"BBoxes": boxes[:1], "Scores": score[:1]},
    {**BASE, "keep_of_class": 2, "nms_threshold": 0.9},
    outputs={"Out": 1},
    check=two_of_a_class,
)

table.error({"BBoxes": boxes[:1], "Scores": score}, BASE, error="ShapeError", match="BBoxes")
table.error({"BBoxes": boxes[:, :7], "Scores": score}, BASE, error="ShapeError", match="BBoxes")
table.error({"BBoxes": rand(2, 20, 5), "Scores": score}, BASE, error="ShapeError", match="BBoxes")
table.error({"BBoxes": boxes, "Scores": score[0, 0]}, BASE, error="ShapeError", match="Scores")
table.error({"BBoxes": rois, "Scores": roi_scores}, BASE, error="ShapeError", match="no LoD")
for counts in ([4, 6], [-1, 3], [2**31 - 1, 2**31 - 1]):
    table.error(
        {"BBoxes": rois, "Scores": roi_scores, "RoisNum": np.array(counts, "int32")},
        BASE,
        error="ShapeError",
        match="RoisNum",
    )
table.error({"BBoxes": boxes, "Scores": score}, {"nms_top_k": 1}, error="ModelFormatError")
table.exempt("NmsThreshold", "ONNX's; by the attribute below")
table.error(
    {"BBoxes": boxes, "Scores": score, "NmsThreshold": rand(2)},
    BASE,
    error="ShapeError",
    match="NmsThreshold",
)
test_multiclass_nms3 = table.tests()


def rows(attrs: dict, images: int = 2, **more: np.ndarray) -> np.ndarray:
    arrays = (("BBoxes", boxes[:images]), ("Scores", score[:images]), *more.items())
    inputs = {slot: [(x, [])] for slot, x in arrays}
    return core().run_op(
        "multiclass_nms3", inputs, {"Out": 1}, {**BASE, "keep_top_k": -1, **attrs}
    )["Out"][0][0]


def test_the_best_of_a_class_are_those_that_stay() -> None:
    all_ = rows({"nms_threshold": 0.9}, images=1)
    first = [r for i, r in enumerate(all_) if (all_[:i, 0] == r[0]).sum() < 3]
    assert 0 < len(first) < len(all_)
    np.testing.assert_array_equal(rows({"nms_threshold": 0.9, "keep_of_class": 3}, images=1), first)
    assert len(rows({"keep_of_class": 0})) == 0


def test_a_computed_threshold_is_the_attributes() -> None:
    computed = rows({}, NmsThreshold=np.array([0.1], "float32"))
    np.testing.assert_array_equal(computed, rows({"nms_threshold": 0.1}))
    assert len(computed) < len(rows({"nms_threshold": 0.9}))
