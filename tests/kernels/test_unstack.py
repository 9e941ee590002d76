"""Cases of unstack."""

from __future__ import annotations

from harness import OpTable, lod, rand, randint

table = OpTable("unstack")
three, two = {"Y": 3}, {"Y": 2}
table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"num": 3}, outputs=three)
for axis in (0, 1, 2, -1):
    table.case({"X": rand(3, 3, 3)}, {"axis": axis, "num": 3}, outputs=three)
for dtype in ("float64", "int64", "int32"):
    table.case({"X": randint(4, 2, dtype=dtype)}, {"axis": 1, "num": 2}, outputs=two, params=["X"])
table.case(
    {"X": rand(3, 2)},
    {"axis": -1},  # Paddle wants the number
    outputs=two,
    reference=lambda inputs, attrs: {"Y": [inputs["X"][:, 0], inputs["X"][:, 1]]},
)
table.error({"X": rand(3, 2)}, {"num": 3}, outputs=two, error="ShapeError", match="num is 3")
table.error({"X": rand(3, 2)}, {"num": 2}, outputs=two, error="ShapeError", match="axis 0")
table.error({"X": rand(3, 2)}, {"axis": 2, "num": 2}, outputs=two, error="ShapeError", match="axis")
test_unstack = table.tests()
