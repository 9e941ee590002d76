"""Cases of tril_triu."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("tril_triu")
table.case({"X": lod(rand(3, 3), [[0, 1, 3]])})
for diagonal in (0, 1, -1, 2, -2, 7, -7):
    for lower in (True, False):
        table.case({"X": rand(2, 3, 4)}, {"diagonal": diagonal, "lower": lower})
table.case({"X": rand(5, 2)}, {"lower": True})
for dtype in ("float64", "int64", "int32", "bool"):
    table.case({"X": randint(3, 4, low=1, high=2, dtype=dtype)}, {"lower": True}, params=["X"])
table.error({"X": rand(3)}, error="ShapeError", match="two dimensions")
test_tril_triu = table.tests()
