"""Cases of split."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("split")
two, three = {"Out": 2}, {"Out": 3}
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"axis": 1, "num": 2}, outputs=two)
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"num": 3}, outputs=three)
table.case({"X": rand(3, 4)}, {"axis": 0, "sections": [1, -1]}, outputs=two)
table.case(
    {"X": rand(3, 4)},
    {"axis": -1, "sections": [1, -1, 0]},  # Paddle mixes up the values
    outputs=three,
    reference=lambda inputs, attrs: {"Out": np.split(inputs["X"], [1, 4], 1)},
)
for axis in (0, 1, 2, 3):
    table.case({"X": rand(4, 4, 4, 4)}, {"axis": axis, "sections": [1, 2, 1]}, outputs=three)
for dtype in ("float64", "int64", "int32", "bool"):
    values = randint(2, 4, high=2, dtype=dtype)
    table.case({"X": values}, {"axis": 1, "sections": [3, 1]}, outputs=two)
table.case({"X": rand(3, 5)}, {"axis": 1, "num": 5, "sections": [2, 3]}, outputs=two)
one = np.array([1], "int32")
table.case(
    {"X": rand(3, 4), "AxisTensor": one}, {"sections": [1, 3]}, outputs=two, params=["AxisTensor"]
)
table.case({"X": rand(3, 4), "AxisTensor": one}, {"sections": [1, 3]}, outputs=two)
table.case(
    {"X": rand(3, 4), "SectionsTensorList": [one, np.array([-1], "int32")]},
    {"axis": 1, "sections": [-1, -1]},
    outputs=two,
)
table.case(
    {"X": rand(40, 200, 31)},
    {"axis": 1, "num": 2},
    outputs=two,
    reference=lambda inputs, attrs: {"Out": np.split(inputs["X"], 2, 1)},
)
table.error(
    {"X": rand(3, 5)}, {"axis": 1, "num": 2}, outputs=two, error="ShapeError", match="num = 2"
)
table.error(
    {"X": rand(3, 5)}, {"axis": 1, "num": 0}, outputs=two, error="ShapeError", match="num = 0"
)
table.error(
    {"X": rand(3, 4)}, {"axis": 1, "num": 4}, outputs=two, error="ShapeError", match="Out has 2"
)
for sections, match in (
    ([2, 2], "sum to 4"),
    ([6, -1], "sum to 6"),
    ([-1, -1], "-1"),
    ([-7, 12], "-7"),
    ([5], "1 elements"),
):
    table.error(
        {"X": rand(3, 5)},
        {"axis": 1, "sections": sections},
        outputs=two,
        error="ShapeError",
        match=match,
    )
table.error({"X": rand(3, 5)}, {"axis": 2, "num": 1}, error="ShapeError", match="axis")
test_split = table.tests()
