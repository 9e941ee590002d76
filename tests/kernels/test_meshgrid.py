"""Cases of meshgrid."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("meshgrid")
two, three = {"Out": 2}, {"Out": 3}
table.case({"X": [lod(rand(2), [[0, 1, 2]]), rand(3)]}, outputs=two)
table.case({"X": [rand(2), rand(3), rand(4)]}, outputs=three)
table.case({"X": [rand(), rand(3)]}, outputs=two)
for dtype in ("float64", "int64", "int32"):
    table.case({"X": [randint(2, dtype=dtype), randint(3, dtype=dtype)]}, outputs=two, params=["X"])
table.error({"X": [rand(2, 2), rand(3)]}, outputs=two, error="ShapeError", match="X[0]")
table.error({"X": [rand(2), rand(3)]}, outputs=three, error="ShapeError", match="Out has 3")
test_meshgrid = table.tests()
