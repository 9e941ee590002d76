"""Cases of assign."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("assign")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])})
table.case({"X": rand()})
table.case({"X": rand(0, 2)})
table.case({"X": rand(2, 3, 4, 5)}, params=["X"])
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 5, high=2, dtype=dtype)})
test_assign = table.tests()
