from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("sequence_expand_as")
table.case({"X": rand(2, 3), "Y": lod(rand(5, 1), [[0, 2, 5]])})
table.case({"X": rand(3, 3), "Y": lod(rand(5, 1), [[0, 2, 2, 5]])})
table.case({"X": lod(rand(3, 2, 2), [[0, 1, 3]]), "Y": lod(rand(5, 1), [[0, 2, 2, 5]])})
table.case({"X": randint(1, 4), "Y": lod(rand(3), [[0, 3]])})

table.error({"X": rand(2, 3), "Y": rand(5, 1)}, error="ShapeError", match="no LoD")
table.error({"X": rand(3, 3), "Y": lod(rand(5, 1), [[0, 5]])}, error="ShapeError", match="X")
table.error(
    {"X": rand(2, 3), "Y": lod(rand(5, 1), [[0, 1, 2], [0, 2, 5]])},
    error="ShapeError",
    match="2 levels",
)
table.error({"X": rand(1, 3), "Y": lod(rand(5, 1), [[0, 99]])}, error="ShapeError", match="LoD")
test_sequence_expand_as = table.tests()
