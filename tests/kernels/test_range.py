"""Cases of range."""

from __future__ import annotations

import numpy as np
from harness import OpTable

table = OpTable("range")


def bounds(start: float, end: float, step: float, dtype: str) -> dict[str, np.ndarray]:
    return {k: np.array([v], dtype) for k, v in (("Start", start), ("End", end), ("Step", step))}


everything = ["Start", "End", "Step"]
for dtype in ("int32", "int64", "float32", "float64"):
    table.case(bounds(0, 5, 2, dtype))
    table.case(bounds(5, -1, -2, dtype), params=everything)
table.case(bounds(5, 5, 1, "int32"))
table.case(bounds(0, 1, 0.1, "float32"))
table.case(bounds(0, 1, 0.3, "float64"))
table.case({k: np.array(v) for k, v in (("Start", 0), ("End", 3), ("Step", 1))})
table.error(bounds(5, 0, 2, "int32"), error="ShapeError", match="never lead")
table.error(bounds(5, 0, 0, "int32"), error="ShapeError", match="steps of 0")
table.error(bounds(0, np.inf, 1, "float32"), error="ShapeError", match="no range")
table.error(bounds(0, 1, 1e-30, "float64"), error="ShapeError", match="elements")
table.error(bounds(0, 5, 2, "int64") | {"End": np.array([5.0])}, error="DataTypeError", match="End")
table.error(bounds(0, 5, 2, "int64") | {"End": np.array([5, 6])}, error="ShapeError", match="End")
test_range = table.tests()
