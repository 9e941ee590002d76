"""Cases of unbind."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("unbind")
three, two = {"Out": 3}, {"Out": 2}
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, outputs=three)
for axis in (0, 1, 2, -1):
    table.case({"X": rand(3, 3, 3)}, {"axis": axis}, outputs=three)
for dtype in ("float64", "int64", "int32"):
    table.case({"X": randint(4, 2, dtype=dtype)}, {"axis": 1}, outputs=two, params=["X"])
table.error({"X": rand(3, 2)}, outputs=two, error="ShapeError", match="axis 0")
table.error({"X": rand(3, 2)}, {"axis": 2}, outputs=two, error="ShapeError", match="axis")
test_unbind = table.tests()
