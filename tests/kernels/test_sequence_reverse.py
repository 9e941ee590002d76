from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("sequence_reverse")
table.case({"X": lod(rand(5, 2), [[0, 2, 5]])})
table.case({"X": lod(rand(5, 2, 3), [[0, 2, 2, 5]])})
table.case({"X": lod(randint(5, 1), [[0, 5]])})

table.error({"X": rand(5, 2)}, error="ShapeError", match="no LoD")
table.error({"X": lod(rand(5, 2), [[0, 6]])}, error="ShapeError", match="LoD")
table.error({"X": lod(rand(5, 2), [[0, 2], [0, 1, 5]])}, error="ShapeError", match="2 levels")
test_sequence_reverse = table.tests()
