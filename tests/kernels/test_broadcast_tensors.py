"""Cases of broadcast_tensors."""

from __future__ import annotations

from harness import OpTable, rand, randint

table = OpTable("broadcast_tensors")
table.case({"X": [rand(2, 1), rand(1, 3)]}, outputs={"Out": 2})
table.case({"X": [rand(3), rand(2, 1, 1), rand(1, 4, 1)]}, outputs={"Out": 3}, params=["X"])
table.case({"X": [rand(2, 3)]}, outputs={"Out": 1}, reference=lambda i, a: {"Out": i["X"]})
for dtype in ("float64", "int32", "int64", "bool"):
    pair = [randint(2, 2, dtype=dtype), randint(2, dtype=dtype)]
    table.case({"X": pair}, outputs={"Out": 2})
table.error({"X": [rand(2), rand(3)]}, outputs={"Out": 2}, error="ShapeError", match="3")
table.error({"X": [rand(2), rand(2)]}, outputs={"Out": 1}, error="ShapeError", match="Out 1")
table.error({"X": [rand(2), randint(2)]}, outputs={"Out": 2}, match="X[1] is int64")
test_broadcast_tensors = table.tests()
