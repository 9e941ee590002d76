"""Cases of gather."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("gather")
index = np.array([2, 0], "int32")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Index": index})
table.case({"X": rand(3, 4), "Index": lod(index.reshape(2, 1), [[0, 1, 2]])})
for axis in (0, 1, 2):
    table.case({"X": rand(3, 4, 5), "Index": randint(7, high=3)}, {"axis": axis})
table.case({"X": rand(3, 3), "Index": index.reshape(2, 1)}, {"axis": 1})
table.case({"X": rand(3, 3), "Index": np.array(1)})
table.case({"X": rand(3, 3), "Index": np.array(1)}, {"axis": 1})
table.case({"X": rand(3, 3), "Index": randint(0)})
one = np.array([1], "int32")
table.case({"X": rand(3, 3), "Index": index, "Axis": one}, params=["Axis"])
table.case({"X": rand(3, 3), "Index": index, "Axis": one.astype("int64")}, {"axis": 0})
for dtype in ("float64", "int64", "int32", "uint8"):
    table.case({"X": randint(3, 5, dtype=dtype), "Index": index}, params=["X"])
table.case(
    {"X": rand(3, 4), "Index": index},
    {"axis": -1},  # Paddle returns garbage
    reference=lambda inputs, attrs: {"Out": inputs["X"][:, inputs["Index"]]},
)
table.case(
    {"X": rand(500, 300), "Index": randint(800, high=500)},
    reference=lambda inputs, attrs: {"Out": inputs["X"][inputs["Index"]]},
)
table.error({"X": rand(3, 3), "Index": np.array([-1])}, error="ShapeError", match="is -1")
table.error({"X": rand(3, 3), "Index": np.array([0, 3])}, error="ShapeError", match="element 1")
table.error({"X": rand(0, 3), "Index": np.array([0])}, error="ShapeError", match="is 0")
table.error({"X": rand(3, 3), "Index": randint(2, 2)}, error="ShapeError", match="Index has")
table.error({"X": rand(3, 3), "Index": rand(2)}, error="DataTypeError", match="Index")
table.error({"X": rand(), "Index": np.array([0])}, error="ShapeError", match="axis")
test_gather = table.tests()
