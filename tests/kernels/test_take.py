"""Cases of take, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def take(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": np.take(inputs["X"], inputs["Index"], axis=attrs.get("axis", 0))}


table = OpTable("take")
for axis in (0, 1, -1):
    for index in (np.array([2, 0, -1], "int32"), np.array(1), np.array([[0, -3], [2, 1]])):
        table.case({"X": rand(3, 4, 5), "Index": index}, {"axis": axis}, reference=take)
table.case({"X": rand(3), "Index": randint(2, 3, 4, high=3)}, reference=take)
table.case({"X": rand(3, 3), "Index": randint(0)}, reference=take)
for dtype in ("float64", "int64", "int32", "uint8"):
    table.case({"X": randint(3, 5, dtype=dtype), "Index": np.array([-1, 1])}, reference=take)
table.error({"X": rand(3, 3), "Index": np.array([0, 3])}, match="index from 0 to 2")
table.error({"X": rand(3, 3), "Index": np.array([-4])}, match="is -4")
table.error({"X": rand(3, 3), "Index": rand(2)}, match="int32 or int64")
table.error({"X": rand(3, 3), "Index": np.array([0])}, {"axis": 2}, match="axis")
table.error({"X": rand(1, 1, 1, 1, 1), "Index": randint(1, 1, 1, 1, 1, 1)}, match="too many")
test_take = table.tests()
