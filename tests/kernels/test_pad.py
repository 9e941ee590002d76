"""Cases of pad."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("pad")
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"paddings": [0, 0, 1, 1], "pad_value": 2.0})
table.case({"X": rand(3, 2)}, {"paddings": [1, 0, 1, 3]})
table.case({"X": rand(2, 3, 4, 5)}, {"paddings": [0, 1, 1, 0, 2, 1, 0, 3], "pad_value": -1.5})
table.case({"X": rand(3)}, {"paddings": [0, 0]})
for dtype in ("float64", "int64", "int32"):
    table.case(
        {"X": randint(3, 4, dtype=dtype)},
        {"paddings": [1, 1, 0, 2], "pad_value": 3.0},
        params=["X"],
    )
table.error(
    {"X": rand(3, 2)}, {"paddings": [-1, 0, 1, 1]}, error="ShapeError", match="padding is -1"
)
table.error({"X": rand(3, 2)}, {"paddings": [1, 1]}, error="ShapeError", match="2 elements")
test_pad = table.tests()
