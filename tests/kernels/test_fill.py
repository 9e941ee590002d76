"""Cases of empty and fill_any."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

DTYPES = {0: "bool", 2: "int32", 3: "int64", 5: "float32", 6: "float64", 20: "uint8"}


def _zeros(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    given = inputs.get("ShapeTensor", inputs.get("ShapeTensorList", attrs.get("shape", [])))
    shape = [int(np.ravel(dim)[0]) for dim in given]
    return {"Out": np.zeros(shape, DTYPES[attrs.get("dtype", 5)])}


empty = OpTable("empty")
for dtype in DTYPES:
    empty.case({}, {"shape": [2, 3], "dtype": dtype}, reference=_zeros)
empty.case({}, reference=_zeros)
empty.case({}, {"shape": [0, 2]}, reference=_zeros)
for kind in ("int32", "int64"):
    empty.case({"ShapeTensor": np.array([2, 3], kind)}, {"shape": [1]}, reference=_zeros)
    sizes = [np.array([2], kind), np.array([4], kind)]
    empty.case({"ShapeTensorList": sizes}, reference=_zeros, params=["ShapeTensorList"])
empty.error({}, {"shape": [2, -1]}, error="ShapeError", match="negative")
empty.error({}, {"shape": [2], "dtype": 99}, error="DataTypeError", match="99")
empty.error({"ShapeTensor": rand(2)}, error="DataTypeError", match="ShapeTensor")
test_empty = empty.tests()

fill = OpTable("fill_any")
for dtype in ("float32", "float64", "int32", "int64", "bool"):
    fill.case({"X": randint(2, 3, dtype=dtype)}, {"value": 2.0})
fill.case({"X": rand(3)}, params=["X"])
fill.case({"X": rand(3)}, {"value": -np.inf})
test_fill_any = fill.tests()
