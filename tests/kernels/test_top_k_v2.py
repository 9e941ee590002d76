"""Cases of top_k_v2."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("top_k_v2")
table.case({"X": lod(rand(3, 4), [[0, 1, 3]])}, {"k": 2})
table.case({"X": rand(3, 4)})
for axis in (0, 1, 2, -2):
    for largest in (True, False):
        table.case({"X": rand(6, 7, 8)}, {"k": 3, "axis": axis, "largest": largest})
table.case({"X": rand()}, {"k": 1})
three = np.array([3], "int32")
table.case({"X": rand(3, 4), "K": three}, {"k": 2}, params=["K"])
table.case({"X": rand(3, 4), "K": three})
with_nan = np.array([1, np.nan, 3.5, 2, 3], "float32")
for largest in (True, False):
    table.case({"X": with_nan}, {"k": 3, "largest": largest})
for dtype in ("float64", "int32", "int64"):
    distinct = np.argsort(rand(3, 20), 1).astype(dtype)
    table.case({"X": distinct}, {"k": 5}, params=["X"])


def sorted_all(inputs: dict[str, np.ndarray], attrs: dict[str, object]) -> dict[str, np.ndarray]:
    order = np.argsort(-inputs["X"], -1, kind="stable")[..., : attrs["k"]]
    return {"Out": np.take_along_axis(inputs["X"], order, -1), "Indices": order}


table.case({"X": rand(3, 4)}, {"k": 4, "sorted": False}, reference=sorted_all)  # any order would do
ties = randint(5, 30, high=4, dtype="float32")
table.case({"X": ties}, {"k": 9, "stable": True}, reference=sorted_all)
for dtype in ("float32", "int64"):  # equals in the order that Paddle's kernel leaves
    for size, k in ((17, 1), (17, 17), (50, 20), (300, 4), (300, 5), (300, 100), (700, 9)):
        for high in (1, 2, 9):
            table.case(
                {"X": randint(2, size, high=high, dtype=dtype)}, {"k": k}, cpu_only=["Indices"]
            )
table.case({"X": randint(2, 60, high=3)}, {"k": 12, "largest": False}, cpu_only=["Indices"])
table.case({"X": rand(300, 200)}, {"k": 7}, reference=sorted_all)
table.error({"X": rand(3, 4)}, {"k": 5}, error="ShapeError", match="k is 5")
table.error({"X": rand(3, 4)}, {"k": 1, "axis": 2}, error="ShapeError", match="axis")
table.error({"X": rand(3, 4)}, {"k": -1}, error="ShapeError", match="k is -1")


def few(inputs: dict[str, np.ndarray], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
    """The first of equals along an axis; NaN counts as the largest number."""
    x, axis = inputs["X"], attrs.get("axis", -1)
    keys = np.where(np.isnan(x), np.inf, x) if x.dtype.kind == "f" else x.astype("int64")
    order = np.argsort(-keys if attrs.get("largest", True) else keys, axis, kind="stable")
    order = np.take(order, np.arange(attrs["k"]), axis)
    return {"Out": np.take_along_axis(x, order, axis), "Indices": order}


for size in (16, 17, 130, 3000):
    for k in (1, 2, 16):
        for dtype in ("float32", "int64", "uint8"):
            largest = {"largest": (size + k) % 2 == 0, "stable": True, "k": k}
            table.case({"X": randint(3, size, high=200, dtype=dtype)}, largest, reference=few)
        table.case({"X": rand(size, 5)}, {**largest, "axis": 0}, reference=few)
nans = rand(2, 400)
nans[:, [3, 70, 399]] = np.nan
for k in (2, 3, 5):
    for largest_first in (True, False):
        attrs = {"k": k, "stable": True, "largest": largest_first}
        table.case({"X": nans}, attrs, reference=few)
test_top_k_v2 = table.tests()
