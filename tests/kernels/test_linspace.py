"""Cases of linspace."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand

table = OpTable("linspace")


def bounds(start: float, stop: float, num: int, dtype: str) -> dict[str, np.ndarray]:
    ends = {"Start": np.array([start], dtype), "Stop": np.array([stop], dtype)}
    return ends | {"Num": np.array([num], "int32")}


for start, stop, num in ((0, 1, 5), (1, 0, 1), (-3, 7, 4), (5, -5, 8)):
    table.case(bounds(start, stop, num, "float32"), {"dtype": 5})
    table.case(bounds(start, stop, num, "int32"), {"dtype": 2})
table.case(bounds(0, 10, 4, "float64"), {"dtype": 6}, params=["Start", "Stop", "Num"])
table.case(bounds(0, 10, 4, "int64"), {"dtype": 3})
table.case(bounds(0, 10, 4, "float32"), {"dtype": 2})
table.case(bounds(0, 10, 4, "int32"), {"dtype": 5})
table.error(bounds(0, 1, 0, "float32"), {"dtype": 5}, error="ShapeError", match="Num")
table.error(bounds(0, 1, 3, "float32"), {"dtype": 0}, error="DataTypeError", match="bool")
table.error(
    bounds(0, 1, 3, "float32") | {"Start": rand(2)}, {"dtype": 5}, error="ShapeError", match="Start"
)
test_linspace = table.tests()
