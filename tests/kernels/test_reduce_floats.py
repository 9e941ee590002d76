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
        everything = given.pop("reduce_all", False) or not dims
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
