"""Cases of roi_pool and psroi_pool."""

from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod, rand


def add_shared_cases(table: OpTable, x: np.ndarray, base: dict, outputs: dict) -> None:
    rois, number = corner_boxes(4, size=9), np.array([3, 1], "int32")
    table.case({"X": x, "ROIs": rois, "RoisNum": number}, base, outputs=outputs)
    table.case({"X": x, "ROIs": lod(rois, [[0, 1, 4]])}, base, outputs=outputs)
    for scale in (0.3, 0.5, 1.7):
        attrs = {**base, "spatial_scale": scale}
        table.case({"X": x, "ROIs": rois, "RoisNum": number}, attrs, outputs=outputs)
    wild = [[-9, -7, 3, 4], [4, 3, 40, 30], [5, 5, 2, 2], [50, 50, 60, 60], [0.5, 1.5, 2.5, -0.5]]
    outside = {"X": x, "ROIs": np.array(wild, "float32"), "RoisNum": np.array([5, 0], "int32")}
    table.case(outside, base, outputs=outputs)
    good = {"X": x, "ROIs": rois, "RoisNum": number}
    for name in ("pooled_height", "pooled_width", "spatial_scale"):
        table.error(good, {**base, name: 0}, error="ShapeError", match=name)
    table.error({**good, "ROIs": rand(4, 5)}, base, error="ShapeError", match="ROIs")
    table.error({**good, "X": rand(2, 3, 4)}, base, error="ShapeError", match="input X")
    table.error({"X": x, "ROIs": rois}, base, error="ShapeError", match="no LoD")
    table.error({**good, "RoisNum": np.array([9, 9], "int32")}, base, match="RoisNum")
    for value in (np.nan, np.inf, 1e20):
        bad = np.full((4, 4), value, "float32")
        table.error({**good, "ROIs": bad}, base, error="ShapeError", match="ROIs[0]")


table = OpTable("roi_pool")
X = rand(2, 2, 5, 6)
BOTH = {"Out": 1, "Argmax": 1}
table.exempt("BatchIndices", "of ONNX's MaxRoiPool; against ONNX Runtime in model/onnx")
add_shared_cases(table, X, {"pooled_height": 2, "pooled_width": 3}, BOTH)
ONE = {"X": X, "ROIs": corner_boxes(2, size=6), "RoisNum": np.array([1, 1], "int32")}
table.case(ONE)
odd = rand(1, 1, 2, 3)
odd[0, 0, 0] = [np.nan, -np.inf, np.inf]
region = np.array([[0, 0, 2, 1]], "float32")
table.case(
    {"X": odd, "ROIs": region, "RoisNum": np.array([1], "int32")},
    {"pooled_width": 3, "pooled_height": 2},
    outputs=BOTH,
)
none = {"X": X, "ROIs": rand(0, 4), "RoisNum": np.array([0, 0], "int32")}
table.case(none, reference=lambda *_: {"Out": np.zeros((0, 2, 1, 1), "float32")})
test_roi_pool = table.tests()

table = OpTable("psroi_pool")
X = rand(2, 12, 5, 6)
BASE = {"pooled_height": 2, "pooled_width": 3, "output_channels": 2}
add_shared_cases(table, X, BASE, {"Out": 1})
ROIS = {"ROIs": corner_boxes(2, size=6), "RoisNum": np.array([1, 1], "int32")}
table.case({"X": rand(2, 3, 4, 4), **ROIS}, {"output_channels": 3})
for channels in (0, -1, 3):
    attrs = {**BASE, "output_channels": channels}
    table.error({"X": X, **ROIS}, attrs, error="ShapeError", match="channels")
huge = {"pooled_height": 2**31 - 1, "pooled_width": 2**31 - 1, "output_channels": 2**31 - 1}
table.error({"X": X, **ROIS}, huge, error="ShapeError")
test_psroi_pool = table.tests()
