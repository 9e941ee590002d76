from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod, rand

table = OpTable("roi_align")
X = rand(2, 3, 9, 12)
ROIS = corner_boxes(5, size=14)
NUMBER = np.array([2, 3], "int32")
BASE = {"pooled_height": 3, "pooled_width": 4}
table.case({"X": X, "ROIs": ROIS, "RoisNum": NUMBER}, BASE)
table.case({"X": X, "ROIs": lod(ROIS, [[0, 4, 5]])}, BASE)
for change in (
    {"pooled_height": 1, "pooled_width": 1},
    {"spatial_scale": 0.5},
    {"sampling_ratio": 2},
    {"sampling_ratio": 5, "spatial_scale": 2.0},
    {"aligned": True},
    {"aligned": True, "sampling_ratio": 1, "spatial_scale": 0.25},
):
    table.case({"X": X, "ROIs": ROIS, "RoisNum": NUMBER}, {**BASE, **change})
outside = np.array([[-9, -7, 3, 4], [8, 6, 40, 30], [5, 5, 2, 2], [50, 50, 60, 60]], "float32")
table.case({"X": X, "ROIs": outside, "RoisNum": np.array([4, 0], "int32")}, BASE)


def zeros(result: dict) -> None:
    assert (result["Out"][0][0] == 0).all()


# Paddle never returns from an aligned region whose corners are exchanged.
exchanged = {"X": X, "ROIs": outside[2:3], "RoisNum": np.array([1, 0], "int32")}
table.case(exchanged, {**BASE, "aligned": True}, check=zeros)
table.case({"X": X, "ROIs": rand(0, 4), "RoisNum": np.array([0, 0], "int32")}, BASE)

table.exempt("BatchIndices", "NNAdapter's; against numpy in nnadapter/operations/test_detection.py")
for bad in ([0, 1, 0, 2, 0], [0, -1, 0, 0, 0], [0, 1]):
    table.error(
        {"X": X, "ROIs": ROIS, "BatchIndices": np.array(bad, "int32")},
        BASE,
        error="ShapeError",
        match="BatchIndices",
    )
for bad in ([1, 1], [4, 2], [-1, 6], [2**31 - 1, 2**31 - 1]):
    table.error({"X": X, "ROIs": ROIS, "RoisNum": np.array(bad, "int32")}, BASE, match="RoisNum")
table.error({"X": X, "ROIs": ROIS, "RoisNum": np.array([5], "int32")}, BASE, match="images")
table.error({"X": X, "ROIs": ROIS}, BASE, error="ShapeError", match="no LoD")
table.error({"X": X, "ROIs": lod(ROIS, [[0, 5]])}, BASE, error="ShapeError", match="images")
table.error({"X": X, "ROIs": rand(5, 5), "RoisNum": NUMBER}, BASE, match="ROIs")
for value in (np.nan, np.inf, 1e20):
    rois = np.full((5, 4), value, "float32")
    rois[:, :2] = 0
    table.error({"X": X, "ROIs": rois, "RoisNum": NUMBER}, BASE, match="ROIs[0]")
table.error({"X": X, "ROIs": ROIS, "RoisNum": NUMBER}, {**BASE, "pooled_width": 0}, match="pooled")
table.error(
    {"X": X, "ROIs": ROIS, "RoisNum": NUMBER}, {**BASE, "sampling_ratio": 10**9}, match="sampling"
)
table.error({"X": rand(2, 3, 0, 4), "ROIs": ROIS, "RoisNum": NUMBER}, BASE, match="X")
test_roi_align = table.tests()
