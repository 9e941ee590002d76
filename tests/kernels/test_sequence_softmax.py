from __future__ import annotations

from harness import OpTable, lod, rand

table = OpTable("sequence_softmax")
table.case({"X": lod(rand(5, 1), [[0, 2, 5]])})
table.case({"X": lod(rand(5), [[0, 2, 2, 5]])})
table.case({"X": lod(rand(5, 1, low=-80, high=80), [[0, 1, 2], [0, 2, 5]])})
table.case({"X": lod(rand(9, 1, dtype="float64"), [[0, 9]])})

table.error({"X": lod(rand(5, 3), [[0, 2, 5]])}, error="ShapeError", match="one value")
table.error({"X": rand(5, 1)}, error="ShapeError", match="no LoD")
table.error({"X": lod(rand(5, 1), [[0, 2, 6]])}, error="ShapeError", match="LoD")
test_sequence_softmax = table.tests()
