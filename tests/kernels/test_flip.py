"""Cases of flip."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("flip")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"axis": [0]})
for axis in ([0], [1], [2], [-1], [1, 3], [0, 1, 2, 3]):
    table.case({"X": rand(2, 3, 4, 5)}, {"axis": axis})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 4, high=2, dtype=dtype)}, {"axis": [1]}, params=["X"])
table.case({"X": rand(3, 2)}, {"axis": []})
table.error({"X": rand(3, 2)}, {"axis": [0, -2]}, error="ShapeError", match="twice")
table.error({"X": rand(3, 2)}, {"axis": [2]}, error="ShapeError", match="axis")
table.error({"X": rand(3, 2)}, error="ModelFormatError", match="axis")
test_flip = table.tests()
