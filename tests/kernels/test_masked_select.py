"""Cases of masked_select."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def select(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, mask = np.broadcast_arrays(inputs["X"], inputs["Mask"])
    return {"Y": x[mask]}


table = OpTable("masked_select")
for dtype in ("float32", "float64", "int32", "int64"):
    x = randint(3, 4, dtype=dtype)
    table.case({"X": x, "Mask": randint(3, 4, high=2, dtype="bool")})
table.case({"X": rand(2, 3, 2), "Mask": np.ones((2, 3, 2), "bool")}, params=["X", "Mask"])
table.case({"X": rand(3, 4), "Mask": np.array([True, False, True, True])}, reference=select)
table.case({"X": rand(4), "Mask": randint(3, 4, high=2, dtype="bool")}, reference=select)
table.case({"X": rand(3, 4), "Mask": np.zeros((3, 4), "bool")}, reference=select)
table.case({"X": rand(0, 4), "Mask": np.zeros((0, 4), "bool")}, reference=select)
table.case({"X": np.array(2.5, "float32"), "Mask": np.array(True)}, reference=select)
for dtype in ("bool", "uint8"):
    x = randint(3, 4, dtype=dtype)
    table.case({"X": x, "Mask": randint(3, 4, high=2, dtype="bool")}, reference=select)
table.error({"X": rand(3, 4), "Mask": randint(3, 4)}, error="DataTypeError", match="Mask")
table.error({"X": rand(3, 4), "Mask": np.ones(3, "bool")}, error="ShapeError", match="3")
test_masked_select = table.tests()
