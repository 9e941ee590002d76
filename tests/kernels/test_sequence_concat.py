from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("sequence_concat")
table.case({"X": [lod(rand(5, 2), [[0, 2, 5]]), lod(rand(3, 2), [[0, 2, 3]])]})
table.case({"X": [lod(rand(5, 2), [[0, 2, 5]]), lod(rand(5, 2), [[0, 0, 5]])]})
table.case({"X": [lod(rand(5, 2, 2), [[0, 2, 5]]), lod(rand(3, 4), [[0, 2, 3]])]})
table.case({"X": [lod(randint(2, 3), [[0, 2]]) for _ in range(3)]})

x = lod(rand(5, 2), [[0, 2, 5]])
table.error({"X": [x, lod(rand(5, 3), [[0, 2, 5]])]}, error="ShapeError", match="X[1]")
table.error({"X": [x, lod(rand(5, 2), [[0, 5]])]}, error="ShapeError", match="X[1]")
table.error({"X": [x, lod(randint(5, 2), [[0, 2, 5]])]}, error="DataTypeError", match="X[1]")
table.error({"X": [x, rand(5, 2)]}, error="ShapeError", match="no LoD")
table.error({"X": [x, lod(rand(5, 2), [[0, 4, 3]])]}, error="ShapeError", match="LoD")
test_sequence_concat = table.tests()
