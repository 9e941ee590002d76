"""Cases of scatter."""

from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("scatter")
updates = rand(2, 4, low=10, high=20)
table.case({"X": lod(rand(3, 4), [[0, 1, 3]]), "Ids": np.array([2, 0]), "Updates": updates})
for overwrite in (True, False):
    same = {"X": rand(3, 4), "Ids": np.array([2, 2]), "Updates": updates}
    table.case(same, {"overwrite": overwrite})
    column = {"X": rand(3, 4), "Ids": np.array([[2], [1]], "int32"), "Updates": updates}
    table.case(column, {"overwrite": overwrite})
    single = {"X": rand(3, 4), "Ids": np.array(1), "Updates": rand(4)}
    table.case(single, {"overwrite": overwrite})
table.case({"X": rand(5), "Ids": np.array([1, 4]), "Updates": rand(2)}, params=["X", "Updates"])
table.case({"X": rand(5, 2, 3), "Ids": np.array([4]), "Updates": rand(1, 2, 3)})
for dtype in ("float64", "int64", "int32"):
    numbers = {"X": randint(3, 4, dtype=dtype), "Updates": randint(2, 4, dtype=dtype)}
    table.case(numbers | {"Ids": np.array([1, 1])}, {"overwrite": False})
row = {"X": rand(3, 2), "Updates": rand(1, 2)}
table.error(row | {"Ids": np.array([3])}, error="ShapeError", match="is 3")
table.error(row | {"Ids": np.array([-1])}, error="ShapeError", match="is -1")
table.error(row | {"Ids": np.array([0, 1])}, error="ShapeError", match="Updates has")
table.error(row | {"Ids": np.array([[0, 1]])}, error="ShapeError", match="Ids")
table.error(row | {"Ids": rand(1)}, error="DataTypeError", match="Ids")
table.error(
    row | {"Ids": np.array([0]), "X": randint(3, 2)}, error="DataTypeError", match="Updates"
)
test_scatter = table.tests()
