from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("maxout")
for groups in (2, 3, 6):
    table.case({"X": rand(2, 6, 2, 3)}, {"groups": groups})
    for axis in (-1, 3):
        table.case({"X": rand(1, 2, 2, 6)}, {"groups": groups, "axis": axis})
table.case({"X": rand(1, 4, 2, 2, dtype="float64")}, {"groups": 2})
odd = rand(1, 4, 1, 4)
odd[0, :, 0, 0] = -np.inf
odd[0, :, 0, 1] = np.inf
odd[0, 0, 0, 2] = odd[0, 3, 0, 3] = np.nan
table.case({"X": odd}, {"groups": 2})
X = rand(1, 4, 2, 2)
for groups in (1, 0, -2, 3):
    table.error({"X": X}, {"groups": groups}, error="ShapeError", match="groups")
table.error({"X": X}, {}, error="ModelFormatError", match="groups")
table.error({"X": X}, {"groups": 2, "axis": 4}, error="ShapeError", match="axis")
table.error({"X": X.astype("int64")}, {"groups": 2}, error="DataTypeError")
test_maxout = table.tests()
