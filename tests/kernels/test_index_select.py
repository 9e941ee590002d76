"""Cases of index_select."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("index_select")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Index": np.array([2, 0])})
for dim in (0, 1, 2, -1):
    table.case({"X": rand(4, 5, 6), "Index": randint(7, high=4, dtype="int32")}, {"dim": dim})
for dtype in ("float64", "int64", "int32"):
    table.case({"X": randint(3, 4, dtype=dtype), "Index": np.array([2, 0])}, params=["X"])
table.case(
    {"X": rand(3, 4), "Index": np.array([[2], [0]])},
    reference=lambda inputs, attrs: {"Out": inputs["X"][[2, 0]]},
)
table.error({"X": rand(3, 4), "Index": np.array([3])}, error="ShapeError", match="is 3")
table.error({"X": rand(3, 4), "Index": np.array([-1])}, error="ShapeError", match="is -1")
table.error({"X": rand(3, 4), "Index": randint(1, 2)}, error="ShapeError", match="Index has")
table.error({"X": rand(3, 4), "Index": rand(2)}, error="DataTypeError", match="Index")
test_index_select = table.tests()
