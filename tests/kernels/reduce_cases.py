"""The table of cases that all reductions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, randint


def truths(*shape: int) -> np.ndarray:
    """0 or 1, as floats."""
    return randint(*shape, low=0, high=2, dtype="float32")


def reduce_table(
    op: str,
    function: Callable[..., Any],
    draw: Callable[..., np.ndarray] = rand,
    *,
    more_types: Sequence[str] = (),
    out_type: str | None = None,
    refused: str = "float16",
    of_nothing: bool = False,
    long_tol: float = 1e-5,
    more_cases: Callable[[OpTable], None] = lambda table: None,
) -> OpTable:
    """Cases of a reduction that numpy's ``function`` defines, with inputs that ``draw`` makes.

    ``more_types`` are taken besides fp32, fp64, int32 and int64, ``refused`` is not; ``out_type``
    is the input's unless given; ``of_nothing``: no element at all has a result, too; results of
    thousands have ``long_tol``. ``more_cases`` adds the operator's own.
    """

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x = inputs["X"]
        wide = x if x.dtype == bool else x.astype("float64")
        axes = inputs["AxisTensor"] if "AxisTensor" in inputs else attrs["dim"]
        value = function(wide, axis=tuple(axes), keepdims=attrs.get("keep_dim", False))
        return {"Out": np.asarray(value, out_type or x.dtype)}

    table = OpTable(op)
    for dim in ([0], [1], [-1], [1, 2], [2, 3], [0, 2], [1, 3], [0, 1, 2, 3], [-1, -2], [0, 2, 3]):
        for keep in (False, True):
            attrs = {"dim": dim, "keep_dim": keep}
            table.case({"X": draw(2, 3, 4, 5)}, attrs, tol=1e-5)
            table.case({"X": draw(2, 19, 7, 18)}, attrs, reference=reference, tol=1e-5)
    for keep in (False, True):
        attrs = {"dim": [0], "keep_dim": keep, "reduce_all": True}
        table.case({"X": draw(2, 3, 4)}, attrs, tol=1e-5)
        table.case({"X": draw(2, 3, 4)}, {"dim": [], "keep_dim": keep}, tol=1e-5)
        table.case({"X": draw(6)}, {"keep_dim": keep}, tol=1e-5)
    table.case({"X": draw()}, {"dim": [0]})
    table.case({"X": draw()}, {"dim": []})
    table.case({"X": draw(2, 1, 3, 1, 2)}, {"dim": [0, 2]}, tol=1e-5)
    table.case({"X": lod(draw(5, 2), [[0, 3, 5]])}, {"dim": [1]})
    for dtype in ("float64", "int32", "int64", *more_types):
        low, high = (0, 2) if dtype in ("bool", "uint8") else (-4, 5)
        for dim in ([0], [1], [0, 2]):
            table.case({"X": randint(2, 3, 4, low=low, high=high, dtype=dtype)}, {"dim": dim})
    for shape, dim in (((70, 5001), [1]), ((5001, 70), [0]), ((8, 37, 71, 67), [2, 3])):
        table.case({"X": draw(*shape)}, {"dim": dim}, reference=reference, tol=long_tol)
    table.case({"X": draw(0, 3)}, {"dim": [1]}, reference=reference)
    more_cases(table)
    for axes in ([0], [-1, 1]):
        for dtype in ("int32", "int64"):
            inputs = {"X": draw(2, 3, 4), "AxisTensor": np.asarray(axes, dtype)}
            for keep in (False, True):
                table.case(inputs, {"keep_dim": keep}, reference=reference, tol=1e-5)
    for dim in ([2], [-3], [0, 2147483647]):
        table.error({"X": draw(2, 3)}, {"dim": dim}, error="ShapeError", match="dim")
    if of_nothing:
        table.case({"X": draw(2, 0)}, {"dim": [1]}, reference=reference)
        table.case({"X": randint(2, 0, dtype="int64")}, {"dim": [1]}, reference=reference)
    else:
        table.error({"X": draw(2, 0)}, {"dim": [1]}, error="ShapeError", match="nothing to reduce")
    table.error({"X": rand(2).astype(refused)}, {}, error="DataTypeError", match=refused)
    return table


def nan_cases(function: Callable[..., Any]) -> Callable[[OpTable], None]:
    """NaN in a line is the line's result, wherever it stands beside infinities."""

    def add(table: OpTable) -> None:
        for dtype in ("float32", "float64"):
            for shape in ((3, 5), (17, 100), (100, 17), (9, 8), (2, 1000)):
                x = rand(*shape, dtype=dtype)
                x[0, :2], x[1, :2] = (np.nan, np.inf), (-np.inf, np.nan)
                x[:, -1], x[-1, 2] = np.inf, np.nan
                for dim in (0, 1):
                    table.case(
                        {"X": x},
                        {"dim": [dim]},
                        reference=lambda i, a: {"Out": function(i["X"], axis=a["dim"][0])},
                    )

    return add
