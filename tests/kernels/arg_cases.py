"""The table of cases that arg_max and arg_min share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint


def arg_table(op: str, function: Callable[[Any, int], Any]) -> OpTable:
    """Cases of an operator that numpy's ``function`` defines along an axis."""
    table = OpTable(op)
    table.case({"X": lod(rand(3, 2), [[0, 1, 3]])}, {"axis": 1})
    for axis in (0, 1, 2, -1):
        table.case({"X": randint(4, 5, 6, high=9, dtype="float32")}, {"axis": axis})
    table.case({"X": rand(3, 4)}, {"axis": -2, "keepdims": True})
    table.case({"X": rand(3, 4)}, {"axis": 0, "flatten": True})
    table.case({"X": rand(3, 4)}, {"axis": 0, "flatten": True, "keepdims": True})
    for dtype in (2, 3, -1):
        table.case({"X": rand(3, 4)}, {"axis": 0, "dtype": dtype})
    table.case({"X": rand()}, {"axis": 0})
    table.case({"X": rand()}, {"axis": -1, "keepdims": True})
    table.case({"X": rand(4)}, {"axis": 0})
    for dtype in ("float64", "int64", "int32", "int16", "uint8"):
        table.case({"X": randint(4, 7, high=9, dtype=dtype)}, {"axis": 1}, params=["X"])
    nan, inf = np.nan, np.inf
    for row in (
        [1, 1, nan, 2, nan],
        [nan, 1, nan, 2, nan],
        [3, 1, 1, 3],
        [-inf, -inf],
        [inf, inf, 1],
    ):
        table.case({"X": np.array(row, "float32")}, {"axis": 0})
    table.case(
        {"X": rand(64, 40, 50)},
        {"axis": 1},
        reference=lambda inputs, attrs: {"Out": function(inputs["X"], 1)},
    )
    wide = randint(3, 5, 300, high=4, dtype="float32")  # more than are looked at together
    wide[:, 0, ::7], wide[:, 1:, ::49] = nan, nan
    table.case({"X": wide}, {"axis": 1})
    for size in (15, 16, 17, 45):  # every sixteenth number, and what is left
        line = randint(6, size, high=3, dtype="float32")
        line[1, ::2], line[2, 1:], line[3] = nan, nan, nan
        line[4], line[5, 0] = 1, nan
        table.case({"X": line}, {"axis": 1})
    table.error({"X": rand(3, 4)}, {"axis": 2}, error="ShapeError", match="axis")
    table.error({"X": rand(0, 4)}, {"axis": 1}, error="ShapeError", match="no elements")
    table.error(
        {"X": rand(3, 4)}, {"axis": 0, "dtype": 5}, error="DataTypeError", match="dtype is 5"
    )
    table.error({"X": rand(3, 4) > 0}, {"axis": 0}, error="DataTypeError", match="bool")
    return table
