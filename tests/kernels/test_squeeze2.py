"""Cases of squeeze2."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("squeeze2")
table.case(
    {"X": lod(rand(3, 1, 4, 1), [[0, 1, 3]])}, {"axes": [1]}, outputs={"Out": 1, "XShape": 1}
)
table.case({"X": lod(rand(1, 3, 1), [[0, 1]])}, {"axes": [0]})
table.case({"X": rand(3, 1, 4, 1)}, {"axes": []})
table.case({"X": rand(3, 1, 4, 1)}, {"axes": [-1, 3]})
table.case({"X": rand(3, 1, 4, 1)}, {"axes": [0, 1]})
table.case({"X": rand(1, 1)})
table.case({"X": rand()}, {"axes": []})
table.case({"X": rand()}, {"axes": [-1]})
table.case({"X": rand(0, 1)}, {"axes": [1]})
table.case({"X": randint(1, 3)}, {"axes": [0]}, params=["X"])
table.error({"X": rand(3, 1)}, {"axes": [2]}, error="ShapeError", match="axes")
table.error({"X": rand(3, 1)}, {"axes": [-3]}, error="ShapeError", match="axes")
test_squeeze2 = table.tests()
