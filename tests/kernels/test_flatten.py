"""Cases of flatten."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("flatten", paddle_op="flatten2")
table.case({"X": lod(rand(3, 2, 2), [[0, 1, 3]])})
for axis in (0, 1, 2, 3):
    table.case({"X": lod(rand(3, 2, 2), [[0, 1, 3]])}, {"axis": axis})
table.case({"X": rand()}, {"axis": 0})
table.case({"X": rand(2, 0, 3)}, {"axis": 2})
table.case({"X": randint(2, 3)}, {"axis": 1}, params=["X"])
table.error({"X": rand(3, 2)}, {"axis": -1}, error="ShapeError", match="axis")
table.error({"X": rand(3, 2)}, {"axis": 3}, error="ShapeError", match="axis")
test_flatten = table.tests()
