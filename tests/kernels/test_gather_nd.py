"""Cases of gather_nd."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("gather_nd")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Index": np.array([[1, 2], [0, 3]])})
table.case({"X": rand(3, 4, 5), "Index": randint(2, 6, 2, high=3)})
table.case({"X": rand(3, 4, 5), "Index": randint(7, 3, high=3, dtype="int32")}, params=["X"])
table.case({"X": rand(3, 4), "Index": np.array([1], "int32")})
table.case({"X": rand(3, 4), "Index": np.zeros((2, 0), "int32")})
table.case({"X": rand(3, 4), "Index": np.zeros((0, 2), "int32")})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 4, high=2, dtype=dtype), "Index": np.array([[2], [0]])})
table.case(  # Paddle 3 counts from the end; 2.6.2 does not know that
    {"X": rand(3, 4), "Index": np.array([[-1, 0], [2, -4]])},
    reference=lambda inputs, attrs: {"Out": inputs["X"][[-1, 2], [0, -4]]},
)
table.error(
    {"X": rand(3, 4), "Index": np.array([[1], [-4]])}, error="ShapeError", match="-4 for axis 0"
)
table.error(
    {"X": rand(3, 4), "Index": np.array([[0, 4]])}, error="ShapeError", match="4 for axis 1"
)
table.error(
    {"X": rand(3, 4), "Index": randint(2, 3, high=1)}, error="ShapeError", match="Index has"
)
table.error({"X": rand(3, 4), "Index": rand(2, 2)}, error="DataTypeError", match="Index")
table.error({"X": rand(3, 4), "Index": np.array(1)}, error="ShapeError", match="Index has")
test_gather_nd = table.tests()
