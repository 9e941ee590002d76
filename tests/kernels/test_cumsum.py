"""Cases of cumsum."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("cumsum")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])})
for axis in (0, 1, 2, -2):
    for exclusive in (True, False):
        for reverse in (True, False):
            attrs = {"axis": axis, "exclusive": exclusive, "reverse": reverse}
            table.case({"X": rand(3, 4, 5)}, attrs)
table.case({"X": rand(3, 4)}, {"flatten": True})
table.case({"X": rand(3, 4)}, {"flatten": True, "reverse": True, "exclusive": True})
table.case({"X": rand()})
table.case({"X": rand()}, {"flatten": True})
table.case({"X": rand(0, 2)})
table.case({"X": rand(2, 0)}, {"axis": 0}, reference=lambda inputs, attrs: {"Out": inputs["X"]})
for dtype in ("float64", "int64", "int32"):
    table.case({"X": randint(3, 4, dtype=dtype)}, {"axis": 1}, params=["X"])
table.case(
    {"X": rand(40, 50, 60, dtype="float64")},
    {"axis": 1},
    reference=lambda inputs, attrs: {"Out": inputs["X"].cumsum(1)},
)
table.error({"X": rand(3, 4)}, {"axis": 2}, error="ShapeError", match="axis")
test_cumsum = table.tests()
