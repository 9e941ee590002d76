"""Cases of scatter_nd_add."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

table = OpTable("scatter_nd_add")
table.case({"X": rand(6), "Index": np.array([[1], [2], [3], [1]]), "Updates": rand(4)})
table.case({"X": rand(3, 4), "Index": np.array([[1, 1], [0, 1]], "int32"), "Updates": rand(2)})
table.case({"X": rand(3, 4), "Index": np.array([[1], [1]]), "Updates": rand(2, 4)}, params=["X"])
table.case({"X": rand(3, 4, 2), "Index": randint(2, 3, 2, high=3), "Updates": rand(2, 3, 2)})
table.case({"X": rand(3, 4), "Index": np.array([2]), "Updates": rand(4)}, params=["Index"])
for dtype in ("float64", "int64", "int32"):
    numbers = {"X": randint(3, 2, dtype=dtype), "Updates": randint(3, 2, dtype=dtype)}
    table.case(numbers | {"Index": np.array([[0], [2], [0]])})


def add(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    out = inputs["X"].copy()
    np.add.at(out, tuple(np.moveaxis(inputs["Index"], -1, 0)), inputs["Updates"])
    return {"Out": out}


# Paddle 3 counts from the end; 2.6.2 does not know that.
from_end = np.array([[-1, 0], [1, -4]])
table.case({"X": rand(3, 4), "Index": from_end, "Updates": rand(2)}, reference=add)
row = {"X": rand(3, 2), "Updates": rand(1, 2)}
table.error(row | {"Index": np.array([[3]])}, error="ShapeError", match="has 3")
table.error(row | {"Index": np.array([[-4]])}, error="ShapeError", match="has -4")
table.error(row | {"Index": np.array([[0, 1, 0]])}, error="ShapeError", match="Index has")
table.error(row | {"Index": np.array(0)}, error="ShapeError", match="Index has")
table.error(row | {"Index": np.array([[0], [1]])}, error="ShapeError", match="Updates has")
table.error(row | {"Index": rand(1, 1)}, error="DataTypeError", match="Index")
table.error(
    row | {"Index": np.array([[0]]), "X": randint(3, 2)}, error="DataTypeError", match="Updates"
)
test_scatter_nd_add = table.tests()
