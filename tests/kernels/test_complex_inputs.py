"""Every operator, given complex numbers where its cases have real ones: right, or a LiteError.

What comes out must be affine in what came in (a moved number, a sum, a product with the other
operands), which tells numbers apart from bytes that were taken for floats. Operators that are not
say so in OTHERWISE; their own tables check them.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

import harness
import numpy as np
import pytest
from expected_values import Values

from lite.errors import LiteError

OTHERWISE = frozenset(
    """
abs angle as_real conj elementwise_mul elementwise_div imag matmul matmul_v2 bmm mul cast real print
""".split()
)
EACH = 5
PARTS = {"float32": "complex64", "float64": "complex128"}


@cache
def tables() -> dict[str, harness.OpTable]:
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if ".tests()" in path.read_text(encoding="utf-8"):
            importlib.import_module(path.stem)
    return dict(harness.TABLES)


def operators() -> list[str]:
    return sorted(row["type"] for row in harness.core().operator_table())


def run(table: harness.OpTable, case: harness.Case, inputs: Values, how: str) -> Values:
    result: Values = harness.core().run_op(
        table.op, inputs, case.outputs, case.attrs, params=case.params, dynamic=how == "reference"
    )
    return result


def replaced(inputs: Values, slots: list[str], part: str) -> Values:
    """The inputs with other numbers in some slots: complex ones, or a part of these, or none."""

    def one(array: np.ndarray) -> np.ndarray:
        if array.dtype.name not in PARTS:
            return array
        imag = np.asarray(np.flip(array) * 0.5 + 0.25, array.dtype)
        if part == "complex":
            return np.asarray(array + 1j * imag, PARTS[array.dtype.name])
        return {"real": array, "imag": imag, "zero": np.zeros_like(array)}[part]

    return {
        slot: [(one(a) if slot in slots else a, lod) for a, lod in values]
        for slot, values in inputs.items()
    }


def check(table: harness.OpTable, case: harness.Case, slots: list[str], how: str) -> None:
    try:
        with np.errstate(all="ignore"):
            whole = run(table, case, replaced(case.inputs, slots, "complex"), how)
    except LiteError:
        return
    if table.op in OTHERWISE:
        return
    real, imag, zero = (
        run(table, case, replaced(case.inputs, slots, part), how)
        for part in ("real", "imag", "zero")
    )
    for slot, values in whole.items():
        for index, (array, _) in enumerate(values):
            at = f"{table.op} ({how}, complex {slots}): {slot}[{index}]"
            parts = [run[slot][index][0] for run in (real, imag, zero)]
            if array.dtype.kind != "c":
                for part in parts:
                    np.testing.assert_array_equal(array, part, at)
                continue
            assert array.shape == parts[0].shape, at
            constant = parts[1] == parts[2]
            with np.errstate(all="ignore"):
                turned = np.where(constant, 0, parts[1] - parts[2])
            np.testing.assert_allclose(array.real, parts[0], 1e-4, 1e-4, err_msg=at)
            np.testing.assert_allclose(array.imag, turned, 1e-4, 1e-4, err_msg=at)


@pytest.mark.parametrize("op", operators())
def test_complex_inputs(op: str) -> None:
    table = tables().get(op)
    if table is None:
        pytest.skip("its tests are no table")
    cases = [
        case
        for case in table.cases
        if sum(a.nbytes for v in case.inputs.values() for a, _ in v) < 1 << 16
    ]
    for case in cases[:: max(1, len(cases) // EACH)][:EACH]:
        floats = [
            slot
            for slot, values in case.inputs.items()
            if any(a.dtype.name in PARTS for a, _ in values)
        ]
        for how in ("reference", "planned"):
            for slots in {tuple(floats), *((slot,) for slot in floats)}:
                if slots:
                    check(table, case, list(slots), how)
