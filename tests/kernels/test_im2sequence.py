from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("im2sequence")
table.case({"X": rand(2, 1, 3, 3)}, {"kernels": [2, 2]})
table.case(
    {"X": rand(1, 2, 3, 4)}, {"kernels": [2, 3], "strides": [2, 1], "paddings": [1, 0, 0, 1]}
)
table.case(
    {"X": rand(2, 3, 8, 9)}, {"kernels": [8, 1], "strides": [1, 2], "paddings": [0, 1, 0, 1]}
)
sizes = np.array([[8, 8], [5, 7]], "float32")
table.case({"X": rand(2, 1, 4, 4), "Y": sizes}, {"kernels": [2, 2], "out_stride": [2, 2]})
table.case(
    {"X": rand(2, 2, 8, 8), "Y": sizes},
    {"kernels": [3, 2], "strides": [2, 2], "paddings": [1, 1, 1, 1], "out_stride": [1, 1]},
)

x = rand(1, 1, 4, 4)
table.error({"X": x}, {"kernels": [5, 2]}, error="ShapeError", match="kernel")
table.error({"X": x}, {"kernels": [0, 2]}, error="ShapeError", match="kernel")
table.error({"X": x}, {"kernels": [2]}, error="ShapeError", match="kernel")
table.error({"X": x}, {"kernels": [2, 2], "strides": [0, 1]}, match="strides")
table.error({"X": x}, {"kernels": [2, 2], "paddings": [-1, 0, 0, 0]}, match="paddings")
table.error(
    {"X": x, "Y": np.array([[9, 9]], "float32")}, {"kernels": [2, 2]}, error="ShapeError", match="Y"
)
table.error({"X": x, "Y": np.array([[np.nan, 4]], "float32")}, {"kernels": [2, 2]}, match="input Y")
table.error({"X": rand(4, 4)}, {"kernels": [2, 2]}, error="ShapeError", match="X")
test_im2sequence = table.tests()
