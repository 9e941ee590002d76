from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("sequence_reshape")
table.case({"X": lod(rand(4, 6), [[0, 1, 4]])}, {"new_dim": 3})
table.case({"X": lod(rand(4, 6), [[0, 2, 2, 4]])}, {"new_dim": 12})
table.case({"X": lod(randint(4, 6), [[0, 2, 4]])}, {"new_dim": 4})

x = lod(rand(4, 6), [[0, 1, 4]])
table.error({"X": x}, {"new_dim": 12}, error="ShapeError", match="sequence 0")
table.error({"X": x}, {"new_dim": 0}, error="ShapeError", match="new_dim")
table.error({"X": x}, {"new_dim": -6}, error="ShapeError", match="new_dim")
table.error({"X": x}, error="ModelFormatError", match="new_dim")
table.error({"X": rand(4, 6)}, {"new_dim": 3}, error="ShapeError", match="no LoD")
table.error({"X": lod(rand(4, 6, 1), [[0, 4]])}, {"new_dim": 3}, error="ShapeError", match="rank 2")
test_sequence_reshape = table.tests()
