"""Cases of flatten_contiguous_range."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("flatten_contiguous_range")
table.case(
    {"X": lod(rand(3, 2, 2), [[0, 1, 3]])},
    {"start_axis": 1, "stop_axis": -1},
    outputs={"Out": 1, "XShape": 1},
)
for start, stop in ((0, -1), (1, 1), (0, 1), (-2, -1), (2, 2)):
    table.case({"X": lod(rand(3, 2, 2), [[0, 1, 3]])}, {"start_axis": start, "stop_axis": stop})
table.case({"X": rand(3, 2, 2)})
table.case({"X": rand()}, {"start_axis": 0, "stop_axis": -1})
table.case({"X": rand(5)}, {"start_axis": 0, "stop_axis": -1})
table.case({"X": rand(0, 5, 2)}, {"start_axis": 1, "stop_axis": 2})
table.case({"X": randint(2, 3, 4, 5)}, {"start_axis": 1, "stop_axis": 3}, params=["X"])
table.error({"X": rand(5, 2)}, {"start_axis": 1, "stop_axis": 0}, error="ShapeError", match="after")
table.error({"X": rand(5)}, error="ShapeError", match="start_axis")
test_flatten_contiguous_range = table.tests()
