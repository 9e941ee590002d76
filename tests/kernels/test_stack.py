"""Cases of stack."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("stack")
sequences = lod(rand(3, 2), [[0, 1, 3]])
for axis in (0, 1, 2, -1, -3):
    table.case({"X": [sequences, rand(3, 2), rand(3, 2)]}, {"axis": axis})
table.case({"X": [rand(), rand()]})
table.case({"X": [rand(3, 2)]}, {"axis": 1})
for dtype in ("float64", "int64", "int32"):
    table.case({"X": [randint(2, 3, dtype=dtype) for _ in range(2)]}, {"axis": 1}, params=["X"])
table.case(
    {"X": [rand(0, 2), rand(0, 2)]},  # Paddle refuses empty tensors
    {"axis": 1},
    reference=lambda inputs, attrs: {"Y": np.zeros((0, 2, 2), "float32")},
)
table.error({"X": [rand(3, 2), rand(2, 2)]}, error="ShapeError", match="X[1]")
table.error({"X": [rand(2), randint(2)]}, error="DataTypeError", match="int64")
table.error({"X": [rand(3, 2)]}, {"axis": 3}, error="ShapeError", match="axis")
test_stack = table.tests()
