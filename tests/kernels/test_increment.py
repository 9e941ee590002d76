"""Cases of increment."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand

table = OpTable("increment")
for dtype in ("float32", "float64", "int32", "int64"):
    table.case({"X": np.array([3], dtype)})
    table.case({"X": np.array([3], dtype)}, {"step": -2.5})
table.case({"X": rand()})
table.case({"X": lod(rand(1, 1), [[0, 1]])}, params=["X"])
table.case(
    {"X": np.array([2**31 - 1], "int32")},
    reference=lambda inputs, attrs: {"Out": np.array([-(2**31)], "int32")},
)
table.error({"X": rand(2)}, error="ShapeError", match="one element")
table.error({"X": np.array([3])}, {"step": float("inf")}, match="inf")
test_increment = table.tests()
