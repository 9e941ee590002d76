"""Cases of assert and print: operators that are run for what they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import OpTable, core, rand, randint

NONE: dict[str, Any] = {}

table = OpTable("assert")
for shape in ((), (1,), (1, 1)):
    table.case({"Cond": np.ones(shape, "bool")}, reference=lambda i, a: NONE)
    data = [rand(2), randint(3)]
    table.case(
        {"Cond": np.ones(shape, "bool"), "Data": data},
        {"summarize": 2, "message": "two"},
        reference=lambda i, a: NONE,
    )
no = {"Cond": np.zeros(1, "bool")}
table.error(no, match="does not hold: Cond is false")
table.error(
    no | {"Data": [rand(1)]}, {"message": "too few"}, match="hold: too few; Data is float32"
)
two = [np.array([1.5, -2, 3], "float32"), np.array([[True, False]])]
table.error(no | {"Data": two}, match="Data is float32 [3] [1.5, -2, 3], bool [1, 2] [1, 0]")
table.error(no | {"Data": two}, {"summarize": 1}, match="[1.5, ...], bool [1, 2] [1, ...]")
table.error(no | {"Data": two}, {"summarize": 0}, match="[...]")
for dtype in ("int8", "uint8", "int16", "int32", "int64", "float64"):
    table.error(no | {"Data": [np.array([7, 8], dtype)]}, match=f"{dtype} [2] [7, 8]")
table.error({"Cond": np.ones(2, "bool")}, error="ShapeError", match="one element")
table.error({"Cond": np.ones(1, "int32")}, error="DataTypeError", match="expected bool")
test_assert = table.tests()


def _passed(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": inputs["In"]}


shown = OpTable("print")
for attrs in (
    {"message": "values", "summarize": 2},
    {"first_n": 0, "print_tensor_type": False, "print_tensor_shape": False},
):
    shown.case({"In": rand(3)}, attrs, reference=_passed)
    shown.case({"In": randint(2, 2)}, attrs, reference=_passed, params=["In"])
test_print = shown.tests()


def test_print_writes_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    value = np.array([[1, 2], [3, 4]], "int32")
    attrs = {"message": "here", "summarize": 3, "print_tensor_type": False}
    core().run_op("print", {"In": [(value, [])]}, {"Out": 1}, attrs, params=[], dynamic=False)
    out = capfd.readouterr().out
    assert out == "here\n  - shape: [2, 2]\n  - data: [1, 2, 3, ...]\n"
