from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, rand

table = OpTable("nms")
BOXES = corner_boxes(12)
for threshold in (0.0, 0.1, 0.3, 0.7, 1.0):
    table.case({"Boxes": BOXES}, {"iou_threshold": threshold})
table.case({"Boxes": BOXES.astype("float64")}, {"iou_threshold": 0.2})
table.case({"Boxes": corner_boxes(70)}, {"iou_threshold": 0.4})
table.case({"Boxes": corner_boxes(64)}, {"iou_threshold": 0.2})
same = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [1, 0, 2, 1], [0.5, 0.5, 0.5, 0.5]], "float32")
table.case({"Boxes": same})
table.case({"Boxes": same}, {"iou_threshold": 0.5})
odd = np.array(
    [[1, 1, 0, 0], [0, 0, 1, 1], [np.nan, 0, 1, 1], [0, 0, np.inf, 1], [0, 1, 1, 0]], "float32"
)
table.case({"Boxes": odd}, {"iou_threshold": 0.3})
table.error({"Boxes": rand(3, 5)}, error="ShapeError", match="Boxes")
table.error({"Boxes": rand(4)}, error="ShapeError", match="Boxes")
table.error({"Boxes": rand(3, 4).astype("int64")}, error="DataTypeError", match="Boxes")
table.case({"Boxes": rand(0, 4)}, reference=lambda *_: {"KeepBoxesIdxs": np.zeros(0, "int64")})
test_nms = table.tests()
