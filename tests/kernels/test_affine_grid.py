from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("affine_grid")
for align in (True, False):
    attrs = {"align_corners": align}
    table.case({"Theta": rand(2, 2, 3)}, {**attrs, "output_shape": [2, 3, 4, 5]})
    table.case({"Theta": rand(1, 2, 3)}, {**attrs, "output_shape": [1, 1, 1, 2]})
    table.case({"Theta": rand(1, 3, 4)}, {**attrs, "output_shape": [1, 3, 2, 3, 2]})
    table.case({"Theta": rand(1, 2, 3, dtype="float64")}, {**attrs, "output_shape": [1, 1, 2, 3]})
    shape = np.array([1, 2, 3, 2], "int32")
    table.case({"Theta": rand(1, 2, 3), "OutputShape": shape}, attrs)
THETA = rand(1, 2, 3)
GOOD = {"output_shape": [1, 1, 2, 2]}
for shape in ([1, 1, 2], [1, 1, 2, 2, 2], [], [1, 1, 0, 2], [1, 1, 2, -1]):
    table.error({"Theta": THETA}, {"output_shape": shape}, error="ShapeError", match="output_shape")
table.error({"Theta": rand(1, 2, 4)}, GOOD, error="ShapeError", match="Theta")
table.error({"Theta": rand(2, 3)}, GOOD, error="ShapeError", match="Theta")
table.error({"Theta": THETA.astype("int64")}, GOOD, error="DataTypeError", match="Theta")
test_affine_grid = table.tests()
