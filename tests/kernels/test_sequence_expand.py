from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("sequence_expand")
two_levels = lod(rand(4, 1), [[0, 2, 4], [0, 3, 3, 4, 4]])
table.case({"X": rand(2, 3), "Y": two_levels}, {"ref_level": 0})
table.case({"X": rand(4, 3), "Y": two_levels})
table.case({"X": rand(4, 3), "Y": two_levels}, {"ref_level": 1})
table.case({"X": lod(rand(5, 3), [[0, 2, 5]]), "Y": lod(rand(4, 1), [[0, 2, 4]])})
table.case({"X": lod(rand(5, 3), [[0, 2, 5]]), "Y": lod(rand(4, 1), [[0, 0, 4]])})
table.case({"X": lod(randint(5, 2), [[0, 2, 2, 5]]), "Y": lod(rand(5, 1), [[0, 2, 2, 5]])})
table.case({"X": rand(2, 3, 2), "Y": lod(rand(5, 1), [[0, 1, 5]])})

y = lod(rand(4, 1), [[0, 2, 4]])
table.error({"X": rand(2, 3), "Y": y}, {"ref_level": 1}, error="ShapeError", match="ref_level")
table.error({"X": rand(2, 3), "Y": y}, {"ref_level": -2}, error="ShapeError", match="ref_level")
table.error({"X": rand(3, 3), "Y": y}, error="ShapeError", match="X")
table.error({"X": lod(rand(5, 3), [[0, 5]]), "Y": y}, error="ShapeError", match="X")
table.error({"X": lod(rand(5, 3), [[0, 2, 6]]), "Y": y}, error="ShapeError", match="LoD")
table.error({"X": rand(2, 3), "Y": rand(4, 1)}, error="ShapeError", match="no LoD")
table.error({"X": rand(2, 3), "Y": lod(rand(4, 1), [[0, 2, 9]])}, error="ShapeError", match="LoD")
test_sequence_expand = table.tests()
