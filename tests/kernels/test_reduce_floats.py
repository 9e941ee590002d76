"""Reductions of floating point numbers over `dim` or `axis`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint

DIMS = ([0], [1], [-1], [1, 2], [0, 2], [1, 3], [0, 1, 2, 3], [-1, -2], [0, 2, 3])


def float_reduction(
    op: str,
    function: Callable[..., Any],
    *,
    axes: str = "axis",
    keep: str = "keepdim",
    slots: tuple[str, str] = ("X", "Out"),
    paddle: bool = True,
    attrs: dict[str, Any] | None = None,
) -> OpTable:
    """Dims, types, sizes. ``function(x, axis, keepdims, **other attributes)`` is numpy's."""
    table = OpTable(op)
    name, out = slots
    more = attrs or {}

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        given = dict(attrs)
        dims, keepdims = tuple(given.pop(axes)), given.pop(keep, False)
        everything = given.pop("reduce_all", False) or not dims or not inputs[name].ndim
        x = inputs[name].astype("float64")
        value = function(x, axis=None if everything else dims, keepdims=keepdims, **given)
        return {out: np.asarray(value, inputs[name].dtype)}

    stored = None if paddle else reference
    for dim in DIMS:
        for flag in (False, True):
            given = more | {axes: dim, keep: flag}
            table.case({name: rand(2, 3, 4, 5)}, given, reference=stored, tol=1e-5)
    for dim, shape in (([1], (70, 5001)), ([0], (5001, 70)), ([2, 3], (8, 17, 71, 67))):
        table.case({name: rand(*shape)}, more | {axes: dim}, reference=reference, tol=1e-5)
    for dtype, tol in (("float32", 1e-5), ("float64", 1e-12)):
        x = rand(2, 3, 4, dtype=dtype)
        table.case({name: x}, more | {axes: []}, reference=stored, tol=tol)
        table.case({name: x}, more | {axes: [2], keep: True}, reference=stored, tol=tol)
    table.case({name: rand()}, more | {axes: [0]}, reference=stored)
    table.case({name: rand(2, 1, 3, 1, 2)}, more | {axes: [0, 2]}, reference=reference)
    table.case({name: lod(rand(5, 2), [[0, 3, 5]])}, more | {axes: [1]}, reference=stored)
    table.case({name: rand(0, 3)}, more | {axes: [1]}, reference=reference)
    if any(declared == "reduce_all" for declared, *_ in table.info["attrs"]):
        table.case({name: rand(2, 3)}, more | {"reduce_all": True, axes: [0]}, reference=stored)
        both = {"reduce_all": True, axes: [0], keep: True}
        table.case({name: rand(2, 3)}, more | both, reference=stored)
        table.case({name: rand(3, 2)}, more, reference=stored)
    for dim in ([2], [-3], [0, 2147483647]):
        table.error({name: rand(2, 3)}, more | {axes: dim}, error="ShapeError", match=axes)
    nothing = {name: np.empty((2, 0), "float32")}
    table.error(nothing, more | {axes: [1]}, error="ShapeError", match="nothing to reduce")
    table.error({name: randint(2)}, more | {axes: []}, error="DataTypeError", match="int64")
    return table


def norm(x: np.ndarray, axis: tuple[int, ...] | None, keepdims: bool) -> np.ndarray:
    return np.asarray(np.sqrt(np.sum(x * x, axis=axis, keepdims=keepdims)))


table = float_reduction("frobenius_norm", norm, axes="dim", keep="keep_dim")
table.case({"X": np.array([[np.nan, 1.0], [np.inf, -np.inf]], "float32")}, {"dim": [1]})
large = np.array([3e30, 4e30], "float32")  # whose squares no float holds
table.case({"X": large}, reference=lambda i, _: {"Out": np.array(5e30, "float32")})
test_frobenius_norm = table.tests()


def logsumexp(x: np.ndarray, axis: tuple[int, ...] | None, keepdims: bool) -> np.ndarray:
    return np.asarray(np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims)))


table = float_reduction("logsumexp", logsumexp)
table.case(
    {"X": np.array([[np.nan, 1.0], [1000.0, 1001.0], [-1000.0, -1e9]], "float32")}, {"axis": [1]}
)
# Where 2.6.2 gives NaN.
infinite = np.array([[np.inf, 1], [-np.inf, -np.inf], [np.inf, -np.inf], [-np.inf, 2]], "float32")
limits = np.array([np.inf, -np.inf, np.inf, 2], "float32")
table.case({"X": infinite}, {"axis": [1]}, reference=lambda i, _: {"Out": limits})
test_logsumexp = table.tests()


def deviations(op: str) -> OpTable:
    """Cases of var and std."""

    def function(
        x: np.ndarray, axis: tuple[int, ...] | None, keepdims: bool, correction: float = 1.0
    ) -> np.ndarray:
        count = x.size if axis is None else int(np.prod([x.shape[a] for a in axis]))
        mean = np.mean(x, axis=axis, keepdims=True)
        total = np.sum((x - mean) ** 2, axis=axis, keepdims=keepdims)
        with np.errstate(all="ignore"):
            value = total / (count - correction) if count >= correction else total * 0
        return np.asarray(np.sqrt(value) if op == "std" else value)

    table = float_reduction(op, function, slots=("x", "out"), paddle=False)

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        value = function(inputs["x"], None, False, **attrs)
        return {"out": np.asarray(value, inputs["x"].dtype)}

    for correction in (0.0, 0.5, 2.0, 3.5, 4.0, 5.0, -1.0):
        table.case({"x": rand(2, 2)}, {"correction": correction}, reference=reference, tol=1e-5)
    table.case({"x": rand(2, 2, low=1e4, high=1e4 + 1)}, {}, reference=reference, tol=1e-3)
    for special in ([np.nan, 1, 2], [np.inf, 1, 2]):
        x = np.array(special, "float32")
        nan = np.array(np.nan, "float32")
        table.case({"x": x}, reference=lambda i, _, nan=nan: {"out": nan})
    table.error({"x": rand(3)}, {"correction": np.nan}, error="ShapeError", match="correction")
    return table


table = deviations("var")
test_var = table.tests()
table = deviations("std")
test_std = table.tests()

table = OpTable("nansum")
SUM_TYPES = {2: "int32", 3: "int64", 5: "float32", 6: "float64"}


def nansum(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    x, axis = inputs["x"], tuple(attrs.get("axis", [])) or None
    wide = {"int32": "int64", "bool": "int64"}.get(str(x.dtype), str(x.dtype))
    dtype = SUM_TYPES.get(attrs.get("dtype", -1), wide)
    x = np.nan_to_num(x, nan=0, posinf=np.inf, neginf=-np.inf)
    if dtype.startswith("int"):
        x = x.astype(dtype)  # each number is cut off first
    total = np.sum(x, axis=axis, keepdims=attrs.get("keepdim", False), dtype=dtype)
    return {"out": np.asarray(total)}


for dtype in ("float32", "float64", "int32", "int64", "bool"):
    for axis in ([], [0], [-1], [0, 2]):
        x = rand(2, 3, 4, low=-4, high=4)
        x[0, 1] = np.nan if dtype.startswith("float") else 0
        for more in ({}, {"keepdim": True}, *({"dtype": number} for number in SUM_TYPES)):
            table.case({"x": x.astype(dtype)}, {"axis": axis, **more}, reference=nansum, tol=1e-5)
table.case({"x": np.array([np.nan, np.nan], "float32")}, reference=nansum)
table.case({"x": np.array([np.inf, np.nan, -1], "float32")}, reference=nansum)
table.case({"x": rand()}, {"axis": [0]}, reference=lambda i, _: {"out": i["x"]})
table.case({"x": rand(0, 3)}, {"axis": [1]}, reference=nansum)
table.error({"x": rand(2, 0)}, {"axis": [1]}, error="ShapeError", match="nothing to reduce")
table.error({"x": rand(2)}, {"axis": [1]}, error="ShapeError", match="axis")
table.error({"x": rand(2)}, {"dtype": 0}, error="DataTypeError", match="dtype")
table.error({"x": rand(2)}, {"dtype": 77}, error="DataTypeError", match="dtype")
table.error({"x": randint(2, dtype="uint8")}, error="DataTypeError", match="uint8")
test_nansum = table.tests()

table = OpTable("reduce_as")


def reduce_as(inputs: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
    x, shape = inputs["x"], inputs["target"].shape
    aligned = (1,) * (x.ndim - len(shape)) + shape
    axes = tuple(d for d, size in enumerate(aligned) if size == 1)
    dtype = "int64" if str(x.dtype) in ("int32", "bool") else x.dtype
    return {"out": np.asarray(np.sum(x, axis=axes, dtype=dtype)).reshape(shape)}


for target in ((2, 3, 4), (3, 4), (3, 1), (2, 1, 4), (1, 3, 1), (4,), (1,), ()):
    inputs = {"x": rand(2, 3, 4), "target": rand(*target)}
    table.case(inputs, reference=reduce_as, tol=1e-6)
for dtype in ("float64", "int32", "int64", "int16", "int8", "uint8", "bool"):
    inputs = {"x": randint(2, 3, 4, low=0, high=2).astype(dtype), "target": rand(3, 1)}
    table.case(inputs, reference=reduce_as)
table.case({"x": rand(0, 3), "target": rand(3)}, reference=reduce_as)
table.case({"x": rand(0, 3), "target": rand(0, 1)}, reference=reduce_as)
for target in ((2,), (4, 3), (1, 2, 3)):
    table.error({"x": rand(2, 3), "target": rand(*target)}, error="ShapeError", match="target")
wrong = {"x": rand(2).astype("float16"), "target": rand()}
table.error(wrong, error="DataTypeError", match="float16")
test_reduce_as = table.tests()

table = OpTable("squared_l2_norm")
for dtype, tol in (("float32", 1e-6), ("float64", 1e-12)):
    for shape in ((), (7,), (2, 3, 4)):
        table.case({"X": rand(*shape, dtype=dtype)}, tol=tol)
table.case({"X": rand(0, 2)})
table.case({"X": np.array([np.inf, 1], "float32")})
table.case({"X": np.array([np.nan, 1], "float32")})
table.case(
    {"X": rand(400, 500)},
    reference=lambda i, _: {
        "Out": np.sum(i["X"].astype("float64") ** 2, keepdims=True)[0].astype("f4")
    },
)
table.error({"X": randint(2)}, error="DataTypeError", match="int64")
test_squared_l2_norm = table.tests()

table = OpTable("clip_by_norm")
for limit in (0.5, 1.0, 100.0):
    for shape in ((), (7,), (2, 3, 4)):
        table.case({"X": rand(*shape)}, {"max_norm": limit}, tol=1e-6)
table.case({"X": rand(3) * 0}, {"max_norm": 1.0})
table.case({"X": rand(0, 2)}, {"max_norm": 1.0})
table.case({"X": lod(rand(5, 2), [[0, 3, 5]])}, {"max_norm": 1.0})
for special in (np.inf, np.nan):
    table.case({"X": np.array([special, 1], "float32")}, {"max_norm": 1.0})
wide = np.array([3.0, 4.0])  # 2.6.2 has fp32 only
table.case({"X": wide}, {"max_norm": 1.0}, reference=lambda i, _: {"Out": i["X"] / 5}, tol=1e-14)
for limit in (0.0, -1.0, np.nan):
    table.error({"X": rand(2)}, {"max_norm": limit}, error="ShapeError", match="max_norm")
table.error({"X": rand(2)}, {}, match="max_norm")
table.error({"X": randint(2)}, {"max_norm": 1.0}, error="DataTypeError", match="int64")
test_clip_by_norm = table.tests()

table = OpTable("renorm")
for p in (2.0, 1.0, 3.0, 0.0):
    for axis in (0, 1, 2):
        attrs = {"p": p, "axis": axis, "max_norm": 1.5}
        table.case({"X": rand(2, 3, 4)}, attrs, tol=1e-6)
table.case({"X": rand(2, 3, dtype="float64")}, {"p": 3.0, "axis": 1, "max_norm": 0.5}, tol=1e-12)
special = np.array([[3], [np.nan], [0], [np.inf]], "float32")
table.case({"X": special}, {"p": 2.0, "axis": 0, "max_norm": 1.0})
table.case({"X": rand(2, 3)}, {"p": 2.0, "axis": 0, "max_norm": -1.0}, tol=1e-6)
# 2.6.2 counts no axis from the end and has no vectors.
ones = {"Out": np.ones(2, "float32")}
table.case(
    {"X": np.array([3, 4], "float32")},
    {"p": 2.0, "axis": -1, "max_norm": 1.0},
    reference=lambda i, _: ones,
    tol=1e-6,
)
table.case(
    {"X": rand(0, 3)},
    {"p": 2.0, "axis": 1, "max_norm": 1.0},
    reference=lambda i, _: {"Out": i["X"]},
)
table.error({"X": rand()}, {"p": 2.0, "axis": 0, "max_norm": 1.0}, error="ShapeError", match="axis")
table.error(
    {"X": rand(2)}, {"p": 2.0, "axis": 1, "max_norm": 1.0}, error="ShapeError", match="axis"
)
table.error({"X": rand(2)}, {"axis": 0, "max_norm": 1.0}, match="p")
table.error(
    {"X": randint(2)}, {"p": 2.0, "axis": 0, "max_norm": 1.0}, error="DataTypeError", match="int64"
)
test_renorm = table.tests()
