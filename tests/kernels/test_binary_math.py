"""Functions of two numbers, with broadcasting."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from elementwise_tables import binary
from harness import OpTable, rand, randint

FIRST = [0.0, -0.0, 1.0, -1.0, np.nan, 1.0, 2.5, np.inf, -np.inf]
SECOND = [-0.0, 0.0, 0.0, 0.0, 1.0, np.nan, -1.0, np.inf, np.inf]
SHAPES = (((2, 3, 4), (2, 3, 4)), ((2, 3), (3,)), ((3, 1), (1, 4)), ((), (2, 2)), ((0, 3), (3,)))
NUMBERS = ("float32", "float64", "int32", "int64")


def draw(*shape: int, dtype: str) -> np.ndarray:
    if dtype.startswith("float"):
        return rand(*shape, low=-3, high=3, dtype=dtype)
    low, high = {"bool": (0, 2), "uint8": (0, 12)}.get(dtype, (-6, 7))
    return randint(*shape, low=low, high=high, dtype=dtype)


def lower_case(
    op: str, function: Callable[..., Any], types: Sequence[str], attrs: dict[str, Any]
) -> OpTable:
    """x, y -> out over broadcasts and types, against numpy."""
    table = OpTable(op)

    def reference(inputs: dict[str, np.ndarray], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
        with np.errstate(all="ignore"):
            return {"out": function(inputs["x"], inputs["y"], **attrs)}

    for dtype in types:
        for x, y in SHAPES:
            given = {"x": draw(*x, dtype=dtype), "y": draw(*y, dtype=dtype)}
            if op == "trunc_divide" and dtype.startswith("int"):
                given["y"] = given["y"] * 2 + 1
            table.case(given, attrs, reference=reference)
    if "float32" in types:
        x, y = np.array(FIRST, "float32"), np.array(SECOND, "float32")
        table.case({"x": x, "y": y}, attrs, reference=reference)
    refused = "float32" if "float32" not in types else "float16"
    bad = {"x": rand(2).astype(refused), "y": rand(2).astype(refused)}
    table.error(bad, attrs, error="DataTypeError", match=refused)
    mixed = {"x": draw(2, dtype=types[0]), "y": rand(2).astype("float16")}
    table.error(mixed, attrs, error="DataTypeError", match="float16")
    wrong = {"x": draw(2, dtype=types[0]), "y": draw(3, dtype=types[0])}
    table.error(wrong, attrs, error="ShapeError", match="broadcast")
    return table


SPECIAL = {"X": np.array(FIRST, "float32"), "Y": np.array(SECOND, "float32")}

table = binary("elementwise_heaviside", broken_types=("uint8",))
table.case(SPECIAL)
test_elementwise_heaviside = table.tests()
table = binary("elementwise_fmax", broken_types=("uint8",))
table.case(SPECIAL)
test_elementwise_fmax = table.tests()
table = binary("elementwise_fmin", broken_types=("uint8",))
table.case(SPECIAL)
test_elementwise_fmin = table.tests()

table = OpTable("atan2")
for dtype in NUMBERS:
    table.case({"X1": draw(2, 3, 4, dtype=dtype), "X2": draw(2, 3, 4, dtype=dtype)})
    table.case({"X1": draw(dtype=dtype), "X2": draw(dtype=dtype)})
table.case({"X1": np.array(FIRST, "float32"), "X2": np.array(SECOND, "float32")})
table.case(
    {"X1": rand(2, 1), "X2": rand(3)}, reference=lambda i, _: {"Out": np.arctan2(i["X1"], i["X2"])}
)
table.error({"X1": rand(2), "X2": rand(3)}, error="ShapeError", match="broadcast")
table.error({"X1": rand(2), "X2": randint(2)}, error="DataTypeError", match="int64")
test_atan2 = table.tests()


def copysign(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    value = np.copysign(x, y) if x.dtype.kind == "f" else np.where(y < 0, -abs(x), abs(x))
    return value.astype(x.dtype)


table = lower_case("nextafter", np.nextafter, ("float32", "float64"), {})
test_nextafter = table.tests()
SIGNED = ("float32", "float64", "int8", "int16", "int32", "int64")
table = lower_case("copysign", copysign, SIGNED, {})
for dtype in ("bool", "uint8"):
    given = {"x": draw(2, 3, dtype=dtype), "y": draw(2, 3, dtype=dtype)}
    table.case(given, reference=lambda i, _: {"out": i["x"]})
test_copysign = table.tests()


def trunc_divide(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.trunc(np.divide(x, y)).astype(x.dtype)


table = lower_case("trunc_divide", trunc_divide, NUMBERS, {})
lowest = np.array([np.iinfo("int32").min], "int32")
table.case({"x": lowest, "y": lowest * 0 - 1}, reference=lambda i, _: {"out": i["x"]})
table.error({"x": lowest, "y": lowest * 0}, match="zero")
test_trunc_divide = table.tests()

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")


def shift(x: np.ndarray, y: np.ndarray, left: bool, is_arithmetic: bool = True) -> np.ndarray:
    """With Python's integers, which have no width."""
    bits = 8 * x.dtype.itemsize
    mask = (1 << bits) - 1

    def one(value: int, by: int) -> int:
        by = by if 0 <= by < bits else bits
        if left:
            return (value << by) & mask
        return (value >> by if is_arithmetic else (value & mask) >> by) & mask

    x, y = np.broadcast_arrays(x, y)
    found = [one(int(a), int(b)) for a, b in zip(x.ravel(), y.ravel(), strict=True)]
    unsigned = np.array(found, f"uint{bits}").reshape(x.shape)
    return unsigned.view(x.dtype) if x.size else x


def shifts(op: str, attrs: dict[str, Any]) -> OpTable:
    def of(x: np.ndarray, y: np.ndarray, **attrs: Any) -> np.ndarray:
        return shift(x, y, "left" in op, **attrs)

    table = lower_case(op, of, INTEGERS, attrs)
    for given in ({}, {"is_arithmetic": False}):
        if given and "left" in op:
            continue
        for dtype in INTEGERS:
            limits = np.iinfo(dtype)
            x = np.array([limits.min, limits.max, 1, 77] * 4, dtype).reshape(4, 4)
            bits = 8 * x.dtype.itemsize
            y = np.array([[1], [bits - 1], [bits], [limits.min]], dtype)
            table.case(
                {"x": x, "y": y}, given, reference=lambda i, a: {"out": of(i["x"], i["y"], **a)}
            )
    return table


table = shifts("bitwise_left_shift", {})
test_bitwise_left_shift = table.tests()
table = shifts("bitwise_right_shift", {"is_arithmetic": True})
test_bitwise_right_shift = table.tests()


def upper_incomplete(a: float, x: float) -> float:
    """Q(a, x) by integrating t^(a - 1) e^-t over [x, x + 60 + 8 sqrt(a)] (Gauss-Legendre)."""
    if math.isnan(a) or math.isnan(x):
        return math.nan
    if a <= 0 or x <= 0:
        return 1.0
    if math.isinf(a) or math.isinf(x):
        return float(math.isinf(a))
    nodes, weights = np.polynomial.legendre.leggauss(30)
    edges = np.linspace(x, max(x, a) + 60 + 12 * math.sqrt(a), 4001)
    half = np.diff(edges) / 2
    t = (edges[:-1] + half)[:, None] + half[:, None] * nodes
    values = np.exp((a - 1) * np.log(t) - t - math.lgamma(a))
    return float((values @ weights) @ half)


def gammaincc(inputs: dict[str, np.ndarray], _: object) -> dict[str, np.ndarray]:
    a, x = np.broadcast_arrays(inputs["x"], inputs["y"])
    pairs = zip(a.ravel(), x.ravel(), strict=True)
    values = [upper_incomplete(float(p), float(q)) for p, q in pairs]
    return {"out": np.array(values, a.dtype).reshape(a.shape)}


table = OpTable("gammaincc")
for high in (1.0, 20.0, 3000.0):
    inputs = {"x": rand(3, 4, low=0.05, high=high), "y": rand(3, 4, low=0.05, high=high)}
    table.case(inputs, reference=gammaincc, tol=1e-6)
    inputs = {k: v.astype("float64") for k, v in inputs.items()}
    table.case(inputs, reference=gammaincc, tol=1e-9)
table.case({"x": rand(2, 1, low=1, high=3), "y": rand(3, low=1, high=3)}, reference=gammaincc)
edges = {
    "x": np.array([0, 0, 1, -1, 1, np.inf, 1, np.nan, 1, 0.5], "float32"),
    "y": np.array([0, 1, 0, 1, -1, 1, np.inf, 1, np.nan, 0.25], "float32"),
}
table.case(edges, reference=gammaincc)
# Where a is large: on either side of where the expansion begins, and no term each.
for size in (99999.0, 100001.0, 1e6):
    near = np.array([-3.0, -1.0, -0.1, 0.0, 0.1, 1.0, 3.0]) * math.sqrt(size) + size
    inputs = {"x": np.full(7, size), "y": near}
    table.case(inputs, reference=gammaincc, tol=1e-8)
huge = {"x": np.full(3, 1e30, "float32"), "y": np.array([1e29, 1e30, 1e31], "float32")}
table.case(huge, reference=lambda i, _: {"out": np.array([1, 0.5, 0], "float32")}, tol=1e-6)
table.error({"x": rand(2), "y": rand(3)}, error="ShapeError", match="broadcast")
table.error({"x": randint(2), "y": randint(2)}, error="DataTypeError", match="int64")
test_gammaincc = table.tests()

table = OpTable("lerp")
for dtype in ("float32", "float64"):
    for weight in ((), (1,), (2, 3, 4), (1, 3, 1)):
        inputs = {"X": rand(2, 3, 4, dtype=dtype), "Y": rand(2, 3, 4, dtype=dtype)}
        table.case(inputs | {"Weight": rand(*weight, dtype=dtype)}, tol=1e-6)
table.case({"X": rand(2), "Y": rand(2, 2), "Weight": rand(2, 1)})
table.case({"X": rand(2, 1), "Y": rand(3), "Weight": rand()})
table.case({"X": rand(2), "Y": rand(2), "Weight": rand(2, 2)})
table.case({"X": rand(), "Y": rand(), "Weight": rand()})
ends = {"X": np.array(FIRST, "float32"), "Y": np.array(SECOND, "float32")}
table.case(ends | {"Weight": np.array([0.25], "float32")})
table.case(
    {"X": rand(0, 3), "Y": rand(3), "Weight": rand(1)},
    reference=lambda i, _: {"Out": np.empty((0, 3), "float32")},
)
table.error({"X": rand(2), "Y": rand(3), "Weight": rand()}, error="ShapeError", match="broadcast")
table.error({"X": rand(2), "Y": rand(2), "Weight": rand(3)}, error="ShapeError", match="broadcast")
wrong = {"X": rand(2), "Y": rand(2), "Weight": randint(1)}
table.error(wrong, error="DataTypeError", match="int64")
test_lerp = table.tests()

table = OpTable("kron")
for dtype in NUMBERS:
    table.case({"X": draw(2, 3, dtype=dtype), "Y": draw(3, 2, dtype=dtype)})
for x, y in (((2,), (2, 2)), ((2, 3, 2), (2,)), ((), (3,)), ((2,), ()), ((), ())):
    table.case({"X": rand(*x), "Y": rand(*y)})
table.case({"X": rand(2, 1, 2, 2), "Y": rand(1, 3, 2, 1)})
table.case(
    {"X": rand(2, 0), "Y": rand(2)}, reference=lambda i, _: {"Out": np.empty((2, 0), "float32")}
)
inputs = {"X": rand(30, 20), "Y": rand(50, 40)}
table.case(inputs, reference=lambda i, _: {"Out": np.kron(i["X"], i["Y"])})
table.error({"X": rand(2), "Y": randint(2)}, error="DataTypeError", match="int64")
bad = {"X": randint(2, dtype="uint8"), "Y": randint(2, dtype="uint8")}
table.error(bad, error="DataTypeError", match="uint8")
test_kron = table.tests()

table = OpTable("dist")
for p in (2.0, 1.0, 3.0, 0.0, 0.5, math.inf, -math.inf):
    table.case({"X": rand(3, 4), "Y": rand(3, 4)}, {"p": p}, tol=1e-5)
same = np.array([1.0, 2.0, 0.0], "float32")
table.case({"X": same, "Y": np.array([1.0, 3.0, 0.5], "float32")}, {"p": 0.0})
table.case({"X": rand(2, 3, dtype="float64"), "Y": rand(3, dtype="float64")}, tol=1e-12)
table.case({"X": rand(2, 1), "Y": rand(3)})
table.case({"X": rand(), "Y": rand()})
table.case({"X": np.array([np.nan, 1.0], "float32"), "Y": rand(2)})
table.error({"X": rand(0, 3), "Y": rand(3)}, error="ShapeError", match="no elements")
table.error({"X": rand(2), "Y": rand(3)}, error="ShapeError", match="broadcast")
table.error({"X": rand(2), "Y": randint(2)}, error="DataTypeError", match="int64")
table.error({"X": rand(2), "Y": rand(2)}, {"p": math.nan}, error="ShapeError", match="attribute p")
test_dist = table.tests()
