"""The table of cases that softmax and log_softmax share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint


def softmax_table(op: str, result: Callable[[Any], Any]) -> OpTable:
    """Cases of an operator whose output is ``result`` of softmax, in float64."""

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x = inputs["X"].astype("float64")
        if not x.size:
            return {"Out": inputs["X"]}
        e = np.exp(x - x.max(attrs["axis"], keepdims=True))
        y = e / e.sum(attrs["axis"], keepdims=True)
        return {"Out": result(y).astype("float32")}

    table = OpTable(op)
    for axis in (-1, 0, 1, 2, 3, -2, -3, -4):
        table.case({"X": rand(2, 3, 4, 5, low=-5, high=5)}, {"axis": axis}, tol=1e-5)
    for axis in (1, 2):
        table.case({"X": rand(1, 37, 3, 2, low=-5, high=5)}, {"axis": axis}, tol=1e-5)
    for shape in ((), (1,), (7,), (3, 1), (2, 16), (2, 33), (5, 100), (2, 3, 5, 2, 3)):
        table.case({"X": rand(*shape, low=-20, high=20)}, tol=1e-5)
        table.case({"X": rand(*shape, low=-20, high=20, dtype="float64")}, tol=1e-7)
    table.case({"X": rand(6, 35, low=-3, high=3)}, {"axis": 0}, tol=1e-5)
    table.case({"X": rand(2, 3)}, params=["X"])
    table.case({"X": lod(rand(5, 4), [[0, 3, 5]])})
    table.case({"X": rand(3, 70, low=-1000, high=1000)}, tol=1e-5)
    for shape, axis in (
        ((300, 301), -1),
        ((300, 301), 0),
        ((2, 50, 31, 20), 1),
        ((0, 3), 1),
        ((3, 0), 1),
    ):
        table.case(
            {"X": rand(*shape, low=-5, high=5)}, {"axis": axis}, reference=reference, tol=1e-5
        )
    table.error({"X": rand(2, 3)}, {"axis": 2}, error="ShapeError", match="axis")
    table.error({"X": rand(2, 3)}, {"axis": -2147483648}, error="ShapeError", match="axis")
    table.error({"X": randint(2, 3)}, {}, error="DataTypeError", match="int64")
    return table
