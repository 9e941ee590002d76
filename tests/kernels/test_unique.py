"""Cases of unique, unique_with_counts and unique_consecutive."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

INT32, INT64, FP32 = 2, 3, 5
EVERY = {"return_index": True, "return_inverse": True, "return_counts": True, "is_sorted": True}
ALL = {"Out": 1, "Indices": 1, "Index": 1, "Counts": 1}

unique = OpTable("unique")
for dtype in ("float32", "float64", "int32", "int64"):
    for number in (INT32, INT64):
        x = randint(3, 4, high=5, dtype=dtype)
        unique.case({"X": x}, EVERY | {"dtype": number}, outputs=ALL)
for axis in (0, 1):
    x = randint(4, 2, 3, high=2, dtype="float32")
    unique.case({"X": x}, EVERY | {"axis": [axis], "dtype": INT64}, outputs=ALL)
unique.case({"X": randint(8, high=3)}, {"dtype": INT64, "is_sorted": True}, outputs={"Out": 1})
for dtype in ("float32", "int64"):
    x = np.array([2, 3, 3, 1, 5, 3], dtype)
    unique.case({"X": x}, {"dtype": INT32}, outputs={"Out": 1, "Index": 1})


def numpy_unique(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    axis = attrs["axis"][0] if "axis" in attrs else None
    out, first, inverse, counts = np.unique(
        inputs["X"], return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    return {"Out": out, "Indices": first, "Index": inverse.reshape(-1), "Counts": counts}


with_nan = np.array([np.nan, 1, -np.inf, np.nan, 1, np.inf, -0.0, 0.0], "float32")
for x in (with_nan, np.zeros((0, 3), "float32"), np.array(2.0, "float32"), rand(7) > 0):
    unique.case({"X": x}, EVERY, outputs=ALL, reference=numpy_unique)
# Paddle 2.6.2 does not take a negative axis for what it is.
last = randint(4, 2, 6, high=2, dtype="float32")
last[:, :, 4] = last[:, :, 1]
unique.case({"X": last}, EVERY | {"axis": [-1]}, outputs=ALL, reference=numpy_unique)
unique.error({"X": rand(3)}, {"dtype": FP32}, error="DataTypeError", match="dtype")
unique.error({"X": rand(3)}, {"axis": [1], "is_sorted": True}, error="ShapeError", match="axis")
unique.error({"X": rand(3, 2)}, {"axis": [0, 1], "is_sorted": True}, match="at most one")
test_unique = unique.tests()

with_counts = OpTable("unique_with_counts")
for dtype in ("float32", "int32", "int64"):
    for number in (INT32, INT64):
        with_counts.case({"X": randint(9, high=4, dtype=dtype)}, {"dtype": number})
with_counts.error({"X": rand(3)}, {"dtype": FP32}, error="DataTypeError", match="dtype")
test_unique_with_counts = with_counts.tests()

consecutive = OpTable("unique_consecutive")
every = {"return_inverse": True, "return_counts": True}
outputs = {"Out": 1, "Index": 1, "Counts": 1}
for dtype in ("float32", "float64", "int32", "int64"):
    for number in (INT32, INT64):
        x = np.array([1, 1, 2, 2, 3, 1, 1, 2], dtype)
        consecutive.case({"X": x}, every | {"dtype": number}, outputs=outputs)
for axis in (0, 1):
    x = np.array([[2, 1, 1], [3, 1, 1], [2, 1, 1], [2, 1, 1]])
    consecutive.case({"X": x}, every | {"axis": [axis], "dtype": INT64}, outputs=outputs)
consecutive.case({"X": randint(3, 3, high=2)}, {"dtype": INT64}, outputs={"Out": 1})
consecutive.error({"X": rand(3)}, {"dtype": 0}, error="DataTypeError", match="dtype")
test_unique_consecutive = consecutive.tests()
