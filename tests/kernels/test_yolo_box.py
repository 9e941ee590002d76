from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("yolo_box")
SIZES = np.array([[320, 416], [200, 100]], "int32")
BASE = {"anchors": [10, 13, 16, 30, 33, 23], "class_num": 4, "conf_thresh": 0.5}
x = rand(2, 27, 3, 5, low=-2, high=2)
table.case({"X": x, "ImgSize": SIZES}, BASE)
for change in (
    {"conf_thresh": 0.0},
    {"conf_thresh": 1.0},
    {"downsample_ratio": 8},
    {"clip_bbox": False},
    {"scale_x_y": 1.2},
    {"clip_bbox": False, "scale_x_y": 1.05, "downsample_ratio": 16},
):
    table.case({"X": x, "ImgSize": SIZES}, {**BASE, **change})
aware = rand(2, 30, 3, 5, low=-2, high=2)
for factor in (0.5, 0.0, 0.9):
    table.case(
        {"X": aware, "ImgSize": SIZES}, {**BASE, "iou_aware": True, "iou_aware_factor": factor}
    )
table.case(
    {"X": rand(1, 12, 2, 2), "ImgSize": SIZES[:1]}, {"anchors": [10, 13, 5, 4], "class_num": 1}
)
table.case({"X": x.astype("float64"), "ImgSize": SIZES}, BASE)

table.error({"X": x, "ImgSize": SIZES}, {**BASE, "anchors": []}, match="anchors")
table.error({"X": x, "ImgSize": SIZES}, {**BASE, "anchors": [1, 2, 3]}, match="anchors")
table.error({"X": x, "ImgSize": SIZES}, {**BASE, "class_num": 5}, match="channels")
table.error({"X": x, "ImgSize": SIZES}, {**BASE, "class_num": -1}, match="class_num")
table.error({"X": x, "ImgSize": SIZES}, {**BASE, "downsample_ratio": 0}, match="downsample")
table.error({"X": x, "ImgSize": SIZES[:1]}, BASE, error="ShapeError", match="ImgSize")
table.error({"X": x[0], "ImgSize": SIZES}, BASE, error="ShapeError", match="X")
table.error(
    {"X": aware, "ImgSize": SIZES},
    {**BASE, "iou_aware": True, "iou_aware_factor": 1.5},
    match="iou_aware_factor",
)
table.error({"X": x, "ImgSize": SIZES.astype("float32")}, BASE, error="DataTypeError")
test_yolo_box = table.tests()
