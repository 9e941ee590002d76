"""Cases of transpose."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("transpose")
table.case({"X": lod(rand(3, 2, 2), [[0, 1, 3]])}, {"axis": [0, 2, 1]})
for axis in ([0, 2, 3, 1], [0, 3, 1, 2], [3, 2, 1, 0], [1, 0, 3, 2], [0, 1, 2, 3]):
    table.case({"X": rand(2, 17, 5, 9)}, {"axis": axis})
table.case({"X": rand(3, 2)}, {"axis": [-1, 0]})
table.case({"X": rand()}, {"axis": []})
table.case({"X": rand(0, 3)}, {"axis": [1, 0]})
table.case({"X": rand(1, 2, 3, 2, 5, 2)}, {"axis": [0, 4, 1, 5, 2, 3]})
table.case({"X": rand(4, 6, 2)}, {"axis": [1, 0, 2]})
for dtype in ("float64", "int64", "int32", "uint8", "int8", "int16", "bool"):
    table.case({"X": randint(19, 23, high=2, dtype=dtype)}, {"axis": [1, 0]})
table.case({"X": rand(37, 70)}, {"axis": [1, 0]}, params=["X"])
table.case(
    {"X": rand(96, 61, 67)},
    {"axis": [2, 0, 1]},
    reference=lambda inputs, attrs: {"Out": inputs["X"].transpose(attrs["axis"])},
)
table.error({"X": rand(3, 2)}, {"axis": [0, 0]}, error="ShapeError", match="twice")
table.error({"X": rand(3, 2)}, {"axis": [0, 2]}, error="ShapeError", match="axis")
table.error({"X": rand(3, 2)}, {"axis": [0]}, error="ShapeError", match="axis has 1")
table.error({"X": rand(3, 2)}, error="ModelFormatError", match="axis")
test_transpose = table.tests()
