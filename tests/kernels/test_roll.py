"""Cases of roll."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("roll")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"shifts": [1], "axis": [0]})
table.case({"X": rand(3, 2)}, {"shifts": [-4, 1], "axis": [0, 1]})
table.case({"X": rand(3, 2)}, {"shifts": [1], "axis": []})
table.case({"X": rand(3, 2)}, {"shifts": [-100]})
table.case({"X": rand(3, 2)}, {"shifts": [1, 1], "axis": [0, 0]})
table.case({"X": rand(2, 3, 4, 5)}, {"shifts": [1, -1, 2], "axis": [-1, 1, 2]})
table.case({"X": rand()}, {"shifts": [1]})
one = np.array([1])
table.case({"X": rand(3, 2), "ShiftsTensor": one}, {"axis": [0]}, params=["ShiftsTensor"])
table.case({"X": rand(3, 2), "ShiftsTensor": one}, {"axis": [0], "shifts": [0]})
for dtype in ("float64", "int64", "int32"):
    table.case({"X": randint(3, 4, dtype=dtype)}, {"shifts": [2], "axis": [1]}, params=["X"])
table.error({"X": rand(3, 2)}, {"shifts": [1], "axis": [2]}, error="ShapeError", match="axis")
table.error(
    {"X": rand(3, 2)}, {"shifts": [1, 2], "axis": [0]}, error="ShapeError", match="2 shifts"
)
table.error({"X": rand(3, 2)}, error="ShapeError", match="0 shifts")
test_roll = table.tests()
