"""Cases of shuffle_channel."""

from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("shuffle_channel")
table.case({"X": lod(rand(2, 4, 1, 2), [[0, 1, 2]])}, {"group": 2})
for group in (1, 2, 3, 4, 6, 12):
    table.case({"X": rand(2, 12, 3, 5)}, {"group": group})
table.case({"X": rand(1, 4, 2, 2)})
table.case({"X": rand(0, 4, 2, 2)}, {"group": 2})
table.error({"X": rand(1, 4, 1, 2)}, {"group": 3}, error="ShapeError", match="divide")
table.error({"X": rand(1, 4, 1, 2)}, {"group": 0}, error="ShapeError", match="divide")
table.error({"X": rand(1, 4, 2)}, {"group": 2}, error="ShapeError", match="four dimensions")
test_shuffle_channel = table.tests()
