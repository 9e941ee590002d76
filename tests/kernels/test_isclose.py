from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

FIRST = np.array([1, np.nan, np.inf, -np.inf, 0, np.inf, 1000, 2], "float32")
SECOND = np.array([1.00001, np.nan, np.inf, np.inf, 1e-9, 1, 1000.01, np.nan], "float32")


def close_table(op: str) -> OpTable:
    """Cases of isclose and allclose."""
    table = OpTable(op)

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
        a, b = (inputs[slot].astype("float64") for slot in ("Input", "Other"))
        close = np.isclose(a, b, float(attrs.get("rtol", 1e-5)), float(attrs.get("atol", 1e-8)))
        return {"Out": np.asarray(close if op == "isclose" else close.all())}

    for dtype in ("float32", "float64"):
        x = rand(2, 3, dtype=dtype)
        for factor in (1, 1 + 5e-6, 1 + 1e-3):
            table.case({"Input": x, "Other": (x * factor).astype(dtype)})
    for attrs in (
        {},
        {"equal_nan": True},
        {"equal_nan": True, "rtol": "0", "atol": "1.0"},
        {"rtol": "0.0", "atol": "0"},
        {"atol": "2e-3"},
        {"rtol": "1.5"},
        {"rtol": "inf"},
    ):
        table.case({"Input": FIRST, "Other": SECOND}, attrs)
        for i in range(len(FIRST)) if op == "allclose" else ():
            table.case({"Input": FIRST[i : i + 1], "Other": SECOND[i : i + 1]}, attrs)
    numbers = {"Rtol": np.array([0.1]), "Atol": np.array([1.0])}
    table.case({"Input": FIRST, "Other": SECOND, **numbers}, {"rtol": "0", "atol": "0"})
    table.case({"Input": rand(), "Other": rand()})
    table.case({"Input": rand(0), "Other": rand(0)})
    for dtype in ("int32", "int64", "bool"):  # not in 2.6.2
        x = randint(2, 3, low=0, high=2).astype(dtype)
        table.case({"Input": x, "Other": x}, reference=reference)
        table.case({"Input": x, "Other": x[:1]}, {"rtol": "0"}, reference=reference)
    pair = {"Input": rand(2, 1), "Other": rand(3)}
    table.case(pair, {"atol": "0.5"}, reference=reference)
    table.error({"Input": rand(2), "Other": rand(3)}, error="ShapeError", match="broadcast")
    same = {"Input": rand(2), "Other": rand(2)}
    table.error(same | {"Other": randint(2)}, error="DataTypeError", match="int64")
    table.error(same | {"Rtol": rand(2, dtype="float64")}, error="ShapeError", match="Rtol")
    table.error(same | {"Atol": randint(1)}, error="DataTypeError", match="Atol")
    for text in ("", "abc", "1e-5x"):
        table.error(same, {"rtol": text}, match="attribute rtol")
    return table


table = close_table("isclose")
test_isclose = table.tests()
table = close_table("allclose")
test_allclose = table.tests()
