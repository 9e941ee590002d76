"""Operators that pick numbers of lines by their order or their number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

NUMBERS = ("float32", "float64", "int32", "int64")


def distinct(*shape: int, dtype: str = "float32") -> np.ndarray:
    """No two numbers alike."""
    count = int(np.prod(shape))
    order = np.argsort(rand(count), kind="stable")
    return (order.reshape(shape) * 3 - count).astype(dtype)


table = OpTable("kthvalue")
for dtype in NUMBERS:
    for k, axis in ((1, -1), (3, 1), (2, 0), (4, 2)):
        for keep in (False, True):
            attrs = {"k": k, "axis": axis, "keepdim": keep}
            table.case({"X": distinct(2, 3, 4, dtype=dtype)}, attrs)
table.case({"X": np.array([[3.0, np.nan, 1.0], [np.inf, 5.0, -np.inf]], "float32")}, {"k": 3})
table.case({"X": np.array([[3.0, np.nan, 1.0], [np.inf, 5.0, -np.inf]], "float32")}, {"k": 1})
table.case({"X": rand()}, {"k": 1, "keepdim": True})
table.case({"X": rand()}, {"k": 1})
table.case({"X": lod(distinct(5, 2), [[0, 3, 5]])}, {"k": 2})
table.case({"X": rand(0, 3)}, {"k": 2})
# Of equals it is the first in order; Paddle names any.
same = np.array([[2, 1, 2, 1, 2], [0, 0, 0, 0, 0]], "int32")
table.case(
    {"X": same},
    {"k": 4},
    reference=lambda i, _: {"Out": np.array([2, 0], "int32"), "Indices": np.array([2, 3])},
)
table.case(
    {"X": distinct(60, 300)},
    {"k": 150},
    reference=lambda i, _: {
        "Out": np.sort(i["X"])[:, 149],
        "Indices": np.argsort(i["X"])[:, 149],
    },
)
for k in (0, -1, 4, 2**40):
    table.error({"X": rand(2, 3)}, {"k": k}, error="ShapeError", match="attribute k")
table.error({"X": rand()}, {"k": 2}, error="ShapeError", match="attribute k")
table.error({"X": rand(2, 0)}, {"k": 1}, error="ShapeError", match="attribute k")
table.error({"X": rand(2, 3)}, {"axis": 2}, error="ShapeError", match="axis")
table.error({"X": randint(3, dtype="uint8")}, {}, error="DataTypeError", match="uint8")
test_kthvalue = table.tests()

table = OpTable("mode")
for dtype in NUMBERS:
    for axis in (0, 1, -1):
        for keep in (False, True):
            x = randint(4, 5, 6, low=-2, high=2).astype(dtype)
            table.case({"X": x}, {"axis": axis, "keepdim": keep})
table.case({"X": np.array([[np.nan, np.nan, 1], [3, 3, np.nan], [-0.0, 0, 1]], "float32")})
table.case({"X": rand()}, {"keepdim": True})
table.case({"X": rand()})
table.case({"X": lod(randint(5, 2, dtype="int32"), [[0, 3, 5]])})
none = {"Out": np.empty(0, "float32"), "Indices": np.empty(0, "int64")}
table.case({"X": rand(0, 3)}, reference=lambda i, _: none)
table.error({"X": rand(2, 0)}, error="ShapeError", match="no numbers")
table.error({"X": rand(2, 3)}, {"axis": -3}, error="ShapeError", match="axis")
table.error({"X": randint(3, dtype="uint8")}, {}, error="DataTypeError", match="uint8")
test_mode = table.tests()


def median_cases(op: str, slot: str, out: str, places: str, skips_nan: bool) -> OpTable:
    """Cases of median (which 2.6.2 lacks) and nanmedian."""
    table = OpTable(op)

    def middle(line: np.ndarray, mode: str) -> tuple[float, list[int]]:
        nan = np.flatnonzero(np.isnan(line))
        kept = len(line) - len(nan)
        if len(nan) and (not skips_nan or not kept):
            at = -1 if skips_nan else int(nan[0])
            return np.nan, [at] * (2 if mode == "avg" else 1)
        order = np.argsort(line, kind="stable")
        low, high = int(order[(kept - 1) // 2]), int(order[kept // 2])
        if mode == "min":
            return line[low], [low]
        if line.dtype.kind == "i":
            return int((float(line[low]) + float(line[high])) / 2), [low, high]
        return (line[low] + line[high]) / 2, [low, high]

    def reference(inputs: dict[str, np.ndarray], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
        x, mode = inputs[slot], attrs.get("mode", "avg")
        axes = {a % x.ndim for a in attrs.get("axis", [])} if x.ndim else set()
        axes = axes or set(range(x.ndim))
        kept = [d for d in range(x.ndim) if d not in axes]
        lines = x.transpose([*kept, *sorted(axes)]).reshape(*(x.shape[d] for d in kept), -1)
        lines = lines.reshape(-1, lines.shape[-1])
        found = [middle(line, mode) for line in lines]
        shape = [1 if d in axes else x.shape[d] for d in range(x.ndim)]
        if not attrs.get("keepdim", True):
            shape = [x.shape[d] for d in kept]
        values = np.array([v for v, _ in found], x.dtype).reshape(shape)
        where = np.array([p for _, p in found], "int64")
        return {out: values, places: where.reshape(shape + [2] * (mode == "avg"))}

    def add(x: np.ndarray, attrs: dict[str, Any]) -> None:
        table.case({slot: x}, attrs, outputs={out: 1, places: 1}, reference=reference)
        if skips_nan and "mode" not in attrs:
            table.case({slot: x}, attrs)  # against Paddle; its places are those of a flat memory

    for dtype in NUMBERS:
        for axis in ([], [0], [1], [-1], [0, 2], [0, 1, 2]):
            add(distinct(2, 3, 4, dtype=dtype), {"axis": axis})
            add(distinct(3, 3, 5, dtype=dtype), {"axis": axis, "keepdim": False})
            add(distinct(2, 3, 4, dtype=dtype), {"axis": axis, "mode": "min"})
    holes = rand(4, 5)
    holes[[0, 1, 1, 3], [2, 0, 4, 1]] = np.nan
    holes[2] = np.nan
    for mode in ("avg", "min"):
        for axis in ([0], [1], []):
            add(holes, {"axis": axis, "mode": mode, "keepdim": False})
    add(np.array([[3, -np.inf, np.inf], [np.inf, 1, 2]], "float32"), {"axis": [1]})
    add(rand(), {})
    add(rand(), {"keepdim": False})
    limits = np.iinfo("int64")
    for pair in ([limits.max, limits.max - 2], [limits.min, limits.min + 2], [-3, 2], [-3, -2]):
        total = sum(pair)
        mean = abs(total) // 2 * (1 if total > 0 else -1)
        table.case(
            {slot: np.array(pair)},
            {"keepdim": False},
            reference=lambda i, _, mean=mean: {out: np.array(mean)},
        )
    table.error({slot: rand(2, 0)}, {"axis": [1]}, error="ShapeError", match="nothing to reduce")
    table.error({slot: rand(2)}, {"axis": [1]}, error="ShapeError", match="axis")
    table.error({slot: rand(2)}, {"mode": "max"}, match="mode")
    table.error({slot: randint(3, dtype="uint8")}, {}, error="DataTypeError", match="uint8")
    return table


table = median_cases("median", "x", "out", "medians", False)
test_median = table.tests()
table = median_cases("nanmedian", "X", "Out", "MedianIndex", True)
test_nanmedian = table.tests()


def with_index(op: str, place: Callable[..., Any], value: Callable[..., Any]) -> OpTable:
    """Cases of max_with_index and min_with_index, which Paddle has on GPUs only."""
    table = OpTable(op)

    def reference(inputs: dict[str, np.ndarray], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
        x = inputs["x"]
        axis = None if attrs.get("flatten") or not x.ndim else int(attrs["dim"])
        keep = attrs.get("keepdim", False)
        return {
            "values": np.asarray(value(x, axis=axis, keepdims=keep)),
            "indices": np.asarray(place(x, axis=axis, keepdims=keep), "int64"),
        }

    for dtype in (*NUMBERS, "int16", "uint8"):
        for dim in (0, 1, -1.0):
            for keep in (False, True):
                x = randint(2, 3, 4, low=0, high=6).astype(dtype)
                table.case({"x": x}, {"dim": dim, "keepdim": keep}, reference=reference)
    for keep in (False, True):
        attrs = {"dim": 0, "flatten": True, "keepdim": keep}
        table.case({"x": rand(2, 3)}, attrs, reference=reference)
        table.case({"x": rand()}, {"dim": 0, "keepdim": keep}, reference=reference)
    table.case(
        {"x": rand(0, 3)},
        {"dim": 1},
        reference=lambda i, _: {"values": np.empty(0, "float32"), "indices": np.empty(0, "int64")},
    )
    for dim in (2, -3, 0.5, 1e30, np.nan):
        table.error({"x": rand(2, 3)}, {"dim": dim}, error="ShapeError", match="attribute dim")
    table.error({"x": rand(2, 3)}, {}, match="dim")
    table.error({"x": rand(2, 0)}, {"dim": 1}, error="ShapeError", match="no numbers")
    attrs = {"dim": 0, "flatten": True}
    table.error({"x": rand(2, 0)}, attrs, error="ShapeError", match="no numbers")
    table.error({"x": rand(2) > 0}, {"dim": 0}, error="DataTypeError", match="bool")
    return table


table = with_index("max_with_index", np.argmax, np.max)
test_max_with_index = table.tests()
table = with_index("min_with_index", np.argmin, np.min)
test_min_with_index = table.tests()
