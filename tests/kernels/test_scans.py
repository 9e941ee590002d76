"""Operators that go along a line and keep what they have so far."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

NUMBERS = ("float32", "float64", "int32", "int64")


def draw(*shape: int, dtype: str = "float32") -> np.ndarray:
    if dtype.startswith("float"):
        return rand(*shape, low=-2, high=2, dtype=dtype)
    return randint(*shape, low=-3, high=4, dtype=dtype)


def cumprod(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, axis = inputs["X"], attrs["dim"]
    line = np.flip(x, axis) if attrs.get("reverse") else x
    if attrs.get("exclusive"):
        ones = np.ones_like(np.take(line, [0], axis))
        rest = np.take(line, range(line.shape[axis] - 1), axis)
        line = np.concatenate([ones, rest], axis)
    value = np.cumprod(line, axis, dtype=x.dtype)
    return {"Out": np.flip(value, axis) if attrs.get("reverse") else value}


table = OpTable("cumprod")
for dtype in NUMBERS:
    for dim in (0, 1, -1):
        table.case({"X": draw(2, 3, 4, dtype=dtype)}, {"dim": dim})
for given in ({"exclusive": True}, {"reverse": True}, {"exclusive": True, "reverse": True}):
    for dim in (0, 1, -1):  # not in 2.6.2
        table.case({"X": rand(2, 3, 4)}, {"dim": dim, **given}, reference=cumprod, tol=1e-6)
table.case({"X": rand()}, {"dim": 0})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"dim": 0})
table.case({"X": rand(0, 2)}, {"dim": 0})
table.case({"X": np.array([2, np.inf, 0, 1], "float32")}, {"dim": 0})
wide = np.full(70, 3, "int64")  # wraps
table.case({"X": wide}, {"dim": 0}, reference=cumprod)
table.case({"X": rand(300, 5, 40, low=0.99, high=1.01)}, {"dim": 1}, reference=cumprod)
for dim in (2, -3, 2147483647):
    table.error({"X": rand(2, 3)}, {"dim": dim}, error="ShapeError", match="dim")
table.error({"X": rand(2, 3)}, {}, match="dim")
table.error({"X": randint(3, dtype="uint8")}, {"dim": 0}, error="DataTypeError", match="uint8")
test_cumprod = table.tests()


def extremes(op: str, function: np.ufunc) -> OpTable:
    """Cases of cummax and cummin."""
    table = OpTable(op)

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x, axis = inputs["x"], attrs["axis"]
        value = function.accumulate(x, axis)
        places = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
        changed = np.where(x == value, places, 0)
        return {"out": value, "indices": np.maximum.accumulate(changed, axis)}

    for dtype in NUMBERS:
        for axis in (0, 1, -1):
            for index in (2, 3):
                attrs = {"axis": axis, "dtype": index}
                table.case({"x": draw(2, 5, 3, dtype=dtype)}, attrs)
    special = np.array([1, 3, 2, 3, np.nan, 5, 3, np.nan, -np.inf, 9], "float32")
    table.case({"x": special})
    table.case({"x": np.array([-0.0, 0.0, np.inf, np.inf, -np.inf], "float32")})
    table.case({"x": rand()})
    table.case({"x": lod(rand(5, 2), [[0, 3, 5]])}, {"axis": 0}, unchecked=["indices"])
    table.case({"x": draw(60, 70, 9, dtype="int32")}, {"axis": 1}, reference=reference)
    empty = {"out": np.empty((0, 2), "float32"), "indices": np.empty((0, 2), "int64")}
    table.case({"x": rand(0, 2)}, {"axis": 0}, reference=lambda i, _: empty)
    table.error({"x": rand(2)}, {"axis": 1}, error="ShapeError", match="axis")
    table.error({"x": rand(2)}, {"dtype": 5}, error="DataTypeError", match="dtype")
    table.error({"x": rand(2)}, {"dtype": -7}, error="DataTypeError", match="dtype")
    table.error({"x": randint(2, dtype="uint8")}, error="DataTypeError", match="uint8")
    return table


table = extremes("cummax", np.maximum)
test_cummax = table.tests()
table = extremes("cummin", np.minimum)
test_cummin = table.tests()

table = OpTable("logcumsumexp")
for exclusive in (False, True):
    for reverse in (False, True):
        for axis in (0, 1, -1):
            attrs = {"axis": axis, "exclusive": exclusive, "reverse": reverse}
            table.case({"X": rand(2, 5, 3)}, attrs, tol=1e-6)
            if not exclusive:  # else the lowest number of the type hides the others
                table.case({"X": rand(2, 3, dtype="float64")}, attrs | {"axis": 0}, tol=1e-12)
    table.case({"X": rand(2, 3)}, {"flatten": True, "exclusive": exclusive}, tol=1e-6)
table.case({"X": np.array([1000, 1000, -1000, 1001], "float32")}, tol=1e-6)
table.case({"X": np.array([-np.inf, 1, np.inf, 2], "float32")})
table.case({"X": np.array([-np.inf, -np.inf, 2], "float32")})
nan = np.array([1, np.nan, np.nan], "float32")  # 2.6.2 goes on as if there were none
table.case({"X": np.array([1, np.nan, 2], "float32")}, reference=lambda i, _: {"Out": nan})
table.case({"X": rand()})
table.case({"X": rand()}, {"flatten": True})
table.case({"X": rand(0, 2)}, {"axis": 0})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"axis": 0})
table.case(
    {"X": rand(50, 6, 80, low=-9, high=9)},
    {"axis": 1},
    reference=lambda i, _: {
        "Out": np.log(np.cumsum(np.exp(i["X"].astype("float64")), 1)).astype("f4")
    },
    tol=1e-6,
)
for axis in (2, -3):
    table.error({"X": rand(2, 3)}, {"axis": axis}, error="ShapeError", match="axis")
table.error({"X": randint(3, dtype="int32")}, error="DataTypeError", match="int32")
test_logcumsumexp = table.tests()
