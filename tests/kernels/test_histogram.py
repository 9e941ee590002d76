"""histogram and bincount."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

NUMBERS = ("float32", "float64", "int32", "int64")

table = OpTable("histogram")
for dtype in NUMBERS:
    for attrs in ({"bins": 4}, {"bins": 4, "min": 1, "max": 3}, {}, {"bins": 1}):
        table.case({"X": (rand(5, 6) * 9).astype(dtype)}, attrs)
table.case({"X": np.array([0, 1, 1, 2, 3, 9], "float32")}, {"bins": 4, "min": 3, "max": 3})
table.case({"X": np.array([2, 2, 2], "float32")}, {"bins": 4})
table.case({"X": np.array([2, np.nan, 1], "float32")}, {"bins": 4, "min": 1, "max": 3})
table.case({"X": np.array([2, np.inf, -np.inf], "float32")}, {"bins": 4, "min": 1, "max": 3})
table.case({"X": rand()}, {"bins": 3})
table.case({"X": rand(0, 2)}, {"bins": 3})
table.case(  # the attributes are floats in newer programs
    {"X": np.array([0, 0.1, 0.3, 0.6], "float32")},
    {"bins": 2, "min": 0.05, "max": 0.55},
    reference=lambda i, _: {"Out": np.array([1, 1])},
)
limits = np.iinfo("int64")
table.case(
    {"X": np.array([limits.min, 0, limits.max])},
    {"bins": 3},
    reference=lambda i, _: {"Out": np.array([1, 1, 1])},
)
for bins in (0, -1, 2**40):
    table.error({"X": rand(2)}, {"bins": bins}, error="ShapeError", match="bins")
table.error({"X": rand(2)}, {"min": 2.0, "max": 1.0}, error="ShapeError", match="min and max")
table.error({"X": rand(2)}, {"max": np.inf}, error="ShapeError", match="min and max")
table.error({"X": np.array([1, np.inf], "float32")}, match="finite range")
table.error({"X": randint(2, dtype="uint8")}, error="DataTypeError", match="uint8")
test_histogram = table.tests()

table = OpTable("bincount")


def bincount(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    weights = inputs.get("Weights")
    value = np.bincount(inputs["X"], weights, attrs.get("minlength", 0))
    if weights is None:
        return {"Out": value.astype("int64")}
    return {"Out": value.astype("float32" if weights.dtype == np.float32 else "float64")}


for dtype in ("int32", "int64"):
    for attrs in ({}, {"minlength": 3}, {"minlength": 20}):
        table.case({"X": randint(12, dtype=dtype)}, attrs)
        for weights in NUMBERS:
            drawn = (rand(12) * 9).astype(weights)
            table.case({"X": randint(12, dtype=dtype), "Weights": drawn}, attrs, tol=1e-6)
# Of nothing 2.6.2 makes nothing, 3.x `minlength` zeros.
table.case({"X": randint(0)}, reference=bincount)
table.case({"X": randint(0)}, {"minlength": 3}, reference=bincount)
table.case({"X": randint(0), "Weights": rand(0)}, {"minlength": 3}, reference=bincount)
table.case({"X": randint(20000, high=300)}, reference=bincount)
table.error({"X": np.array([1, -2])}, match="-2")
table.error({"X": np.array([1, 2**62])}, match="value 4611686018427387904")
table.error({"X": randint(2, 2)}, error="ShapeError", match="one dimension")
table.error({"X": randint()}, error="ShapeError", match="one dimension")
table.error({"X": randint(2)}, {"minlength": -1}, error="ShapeError", match="minlength")
table.error({"X": randint(2), "Weights": rand(3)}, error="ShapeError", match="Weights")
table.error({"X": rand(2)}, error="DataTypeError", match="float32")
wrong = {"X": randint(2), "Weights": randint(2, dtype="uint8")}
table.error(wrong, error="DataTypeError", match="uint8")
test_bincount = table.tests()
