from __future__ import annotations

import numpy as np
from detection_inputs import corner_boxes
from harness import OpTable, lod, rand

table = OpTable("box_clip")
INFO = np.array([[10, 8, 1], [6, 6, 2]], "float32")
table.case({"Input": lod(corner_boxes(5, size=20), [[0, 1, 5]]), "ImInfo": INFO})
table.case({"Input": lod(rand(5, 3, 4, low=-9, high=9), [[0, 3, 5]]), "ImInfo": INFO})
table.case({"Input": lod(rand(2, 4, low=-9, high=9), [[0, 2]]), "ImInfo": INFO[1:]})

boxes = corner_boxes(5)
table.error({"Input": boxes, "ImInfo": INFO}, error="ShapeError", match="no LoD")
table.error({"Input": lod(boxes, [[0, 5]]), "ImInfo": INFO}, error="ShapeError", match="ImInfo")
table.error({"Input": lod(boxes, [[0, 2, 4]]), "ImInfo": INFO}, error="ShapeError", match="LoD")
table.error(
    {"Input": lod(rand(5, 3), [[0, 2, 5]]), "ImInfo": INFO}, error="ShapeError", match="Input"
)
test_box_clip = table.tests()
