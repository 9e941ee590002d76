"""Tables that elementwise operators share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from harness import OpTable, lod, rand, rand_complex, randint


def unary(
    op: str,
    attrs: Sequence[dict[str, Any]] = ({},),
    *,
    low: float = -4.0,
    high: float = 4.0,
    integers: Sequence[str] = (),
    extremes: Sequence[float] = (0.0, np.inf, -np.inf, 30.0, -30.0),
    fp64: bool = True,
    out: str = "float32",
    tol: float = 1e-5,
) -> OpTable:
    """X -> Out over shapes, types, LoD, empty and 0-D tensors, and every set of attributes."""
    table = OpTable(op)

    def draw(*shape: int, dtype: str = "float32") -> np.ndarray:
        return rand(*shape, low=low, high=high, dtype=dtype)

    for given in attrs:
        table.case({"X": draw(2, 3, 4, 5)}, given, tol=tol)
    first = attrs[0]
    for shape in ((), (1,), (37,), (3, 67), (1, 5, 1, 3), (2, 1, 2, 3, 2)):
        table.case({"X": draw(*shape)}, first, tol=tol)
    table.case({"X": lod(draw(5, 2), [[0, 3, 5]])}, first, tol=tol)
    table.case({"X": draw(2, 3)}, first, params=["X"], tol=tol)
    if extremes:
        table.case({"X": np.array(extremes, "float32")}, first, tol=tol)
    if fp64:
        table.case({"X": draw(3, 5, dtype="float64")}, attrs[-1], tol=1e-7)
    for dtype in integers:
        small = max(0, int(low)) if low >= 0 else -5
        table.case({"X": randint(3, 4, low=small, high=6, dtype=dtype)}, first, tol=tol)
    empty = np.empty((0, 3), "float32")
    table.case({"X": empty}, first, reference=lambda i, _: {"Out": i["X"].astype(out)})
    if not {"int32", "bool"} & set(integers):
        table.error(
            {"X": randint(2, 3, dtype="int32")}, first, error="DataTypeError", match="int32"
        )
    return table


def complex_cases(table: OpTable, function: Any) -> None:
    """X, Y -> Out where both operands are complex, or one is."""
    for x, y in (((2, 3, 4), (2, 3, 4)), ((2, 1, 4), (3, 1)), ((), (3,))):
        table.case({"X": rand_complex(*x), "Y": rand_complex(*y)}, tol=1e-5)
    table.case({"X": rand_complex(2, 3, 4), "Y": rand_complex(3)}, {"axis": 1}, tol=1e-5)
    table.case({"X": rand_complex(2, 3), "Y": rand_complex(2, 3)}, params=["Y"], tol=1e-5)
    x, y = (rand_complex(2, 3, dtype="complex128") for _ in range(2))
    table.case({"X": x, "Y": y}, tol=1e-12)

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        return {"Out": np.asarray(function(inputs["X"], inputs["Y"]))}

    for x, y in (
        (rand_complex(200, 90), rand_complex(90)),
        (rand_complex(2, 3), rand(2, 3)),
        (rand(1, 3), rand_complex(2, 1)),
        (rand_complex(2, 3), rand(2, 3, dtype="float64")),
        (rand(2, 3), rand_complex(2, 3, dtype="complex128")),
    ):
        table.case({"X": x, "Y": y}, reference=reference)
    table.case({"X": rand_complex(0, 3), "Y": rand(1, 3)}, reference=reference)
    table.error({"X": rand_complex(2), "Y": randint(2)}, error="DataTypeError", match="Y is int64")
    table.error(
        {"X": randint(2), "Y": rand_complex(2)}, error="DataTypeError", match="Y is complex64"
    )


def with_axis(fn: Any) -> Any:
    """A reference for X, Y and `axis` from a numpy function of two arrays."""

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        x, y, axis = inputs["X"], inputs["Y"], attrs.get("axis", -1)
        rank = max(x.ndim, y.ndim)

        def place(a: np.ndarray) -> np.ndarray:
            if axis < 0 or a.ndim == rank:
                return a
            return a.reshape(a.shape + (1,) * (rank - axis - a.ndim))

        return {"Out": fn(place(x), place(y))}

    return reference


BROADCASTS: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [
    ((2, 3, 4, 5), (2, 3, 4, 5), -1),
    ((2, 3, 4, 5), (2, 3, 4, 5), 0),
    ((2, 3, 4, 5), (5,), -1),
    ((2, 3, 4, 5), (4, 5), -1),
    ((2, 3, 4, 5), (3,), 1),
    ((2, 3, 4, 5), (3, 4), 1),
    ((2, 3, 4, 5), (2,), 0),
    ((2, 3, 4, 5), (2, 3), 0),
    ((2, 3, 4, 5), (1,), -1),
    ((2, 3, 4, 5), (), -1),
    ((2, 3, 4, 5), (1, 3, 1, 1), -1),
    ((2, 3, 4, 5), (2, 3, 1, 1), -1),
    ((2, 3, 4, 5), (2, 1, 4, 5), -1),
    ((2, 3, 4, 5), (1, 1, 4, 5), -1),
    ((2, 3, 4, 5), (2, 3, 4, 1), -1),
    ((2, 3, 4, 5), (3, 1, 1), 1),
    ((2, 3, 4, 5), (3, 4, 1), 1),
    ((1, 3, 1, 1), (2, 3, 4, 5), -1),
    ((3,), (2, 3, 4, 5), 1),
    ((), (2, 3), -1),
    ((), (), -1),
    ((1,), (1,), 0),
    ((2, 1, 3), (1, 4, 1), -1),
    ((4, 1), (1, 6), -1),
    ((3, 1, 5, 1), (1, 4, 1, 2), -1),
    ((2, 17, 3, 3), (2, 17, 1, 1), -1),
    ((2, 17, 3, 3), (17,), 1),
    ((6, 33), (33,), -1),
    ((6, 33), (6, 1), -1),
    ((2, 2, 2, 2, 2), (2, 1, 2, 1, 2), -1),
]


def binary(
    op: str,
    *,
    low: float = -2.0,
    high: float = 2.0,
    types: Sequence[str] = ("float64", "int32", "int64"),
    attrs: Sequence[dict[str, Any]] = ({},),
    fp32: bool = True,
    nonzero: bool = False,
    tol: float = 1e-5,
    int_low: int = -5,
    int_high: int = 6,
    broken_types: Sequence[str] = (),
    paddle_op: str = "",
    reference: Any = None,
    axis_reference: Any = None,
    full: bool = False,
) -> OpTable:
    """X, Y -> Out over broadcasts, types, LoD and empty tensors.

    `nonzero` keeps Y away from 0; `full` takes all broadcasts, not every third.
    `axis_reference` stands in for Paddle where `axis` is given (2.6 ignores it in comparisons).
    """
    table = OpTable(op, paddle_op)
    has_axis = any(name == "axis" for name, *_ in table.info["attrs"])

    def draw(shape: tuple[int, ...], dtype: str, is_y: bool) -> np.ndarray:
        if dtype == "bool":
            return randint(*shape, low=0, high=2, dtype="bool")
        if dtype.startswith("float"):
            value = rand(*shape, low=low, high=high, dtype=dtype)
        else:
            value = randint(
                *shape,
                low=max(int_low, 0) if dtype == "uint8" else int_low,
                high=int_high,
                dtype=dtype,
            )
        return np.where(value == 0, value + 1, value) if nonzero and is_y else value

    def add(x: tuple[int, ...], y: tuple[int, ...], axis: int, dtype: str, **more: Any) -> None:
        if axis >= 0 and not has_axis:
            return
        given = {**attrs[len(table.cases) % len(attrs)], **({"axis": axis} if axis != -1 else {})}
        table.case(
            {"X": draw(x, dtype, False), "Y": draw(y, dtype, True)},
            given,
            tol=tol,
            reference=reference if axis < 0 else axis_reference or reference,
            **more,
        )

    main = "float32" if fp32 else types[0]
    for x, y, axis in BROADCASTS[:: 1 if full else 3]:
        add(x, y, axis, main)
    for dtype in types:
        add((2, 3, 4), (2, 3, 4), -1, dtype)
        add((2, 3, 4), (3, 1), -1, dtype)
    add((2, 3, 4, 5), (1, 3, 1, 1), -1, main, params=["Y"])
    add((2, 3, 4, 5), (3, 4, 5), -1, main, params=["Y"])
    add((1, 3, 4, 5), (2, 3, 4, 5), -1, main, params=["X"])
    if reference is None:
        x, y = draw((5, 2), main, False), draw((5, 2), main, True)
        table.case({"X": lod(x, [[0, 3, 5]]), "Y": lod(y, [[0, 1, 5]])}, attrs[0], tol=tol)
        table.case({"X": x, "Y": lod(y, [[0, 1, 5]])}, attrs[0], tol=tol)
    out = (
        "bool"
        if table.info["type"].startswith(("logical", "less", "greater", "equal", "not_"))
        else main
    )
    for x, y in (((0, 3), (1, 3)), ((2, 0), (2, 1)), ((0,), ())):
        table.case(
            {"X": draw(x, main, False), "Y": draw(y, main, True)},
            attrs[0],
            reference=lambda i, _: {"Out": (i["X"] + i["Y"]).astype(out)},
        )
    bad = {"X": draw((2, 3), main, False), "Y": draw((2, 4), main, True)}
    table.error(bad, attrs[0], error="ShapeError", match="broadcast")
    if has_axis:
        table.error(bad, {**attrs[0], "axis": -3}, error="ShapeError", match="axis")
        bad = {"X": draw((2, 3), main, False), "Y": draw((3,), main, True)}
        for axis in (0, 2, 2147483647):
            table.error(bad, {**attrs[0], "axis": axis}, error="ShapeError", match="axis")
    for dtype in broken_types:
        bad = {"X": draw((2, 3), dtype, False), "Y": draw((2, 3), dtype, True)}
        table.error(bad, attrs[0], error="DataTypeError", match=dtype)
    mixed = {"X": draw((2, 3), main, False), "Y": draw((2, 3), "int16", True)}
    table.error(mixed, attrs[0], error="DataTypeError", match="int16")
    return table


def large(
    table: OpTable,
    shape: tuple[int, ...],
    y: tuple[int, ...] | None,
    fn: Any,
    attrs: dict[str, Any] | None = None,
    low: float = -4.0,
    high: float = 4.0,
) -> None:
    """A case big enough for several threads, against numpy."""
    inputs = {"X": rand(*shape, low=low, high=high)}
    if y is not None:
        inputs["Y"] = rand(*y, low=low, high=high)

    def reference(i: dict[str, Any], _: dict[str, Any]) -> dict[str, Any]:
        values = [v.astype("float64") for v in i.values()]
        return {"Out": fn(*values).astype("float32")}

    table.case(inputs, attrs, reference=reference, tol=1e-5)
