"""Runs one operation through the C API on a device and compares."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nnadapter.operation_cases import Case, Constant

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi


def build(case: Case, unknown: bool = False) -> tuple[capi.Model, list[Any]]:
    """The finished model and the arrays of its inputs; their dimensions may be unknown."""
    model = capi.Model()
    operands: list[capi.Operand | None] = []
    inputs, arrays = [], []
    for given in case.operands:
        if given is None:
            operands.append(None)
        elif isinstance(given, Constant):
            kind = given.value
            empty = not kind.size  # an empty list has no elements to set
            operands.append(model.tensor(kind.dtype, kind.shape) if empty else model.constant(kind))
        else:
            shape = [-1] * given.ndim if unknown else given.shape
            operands.append(model.tensor(given.dtype, shape))
            inputs.append(operands[-1])
            arrays.append(given)
    outputs = model.operation(case.type, operands, case.outputs)
    return model.finish([i for i in inputs if i is not None], outputs), arrays


def refusal(model: capi.Model, device: str) -> str | None:
    """Why the device does not take the model's operation."""
    with capi.Context([device]) as context:
        (taken,) = model.supported(context)
        (reason,) = model.refusals(context)
    assert taken == (not reason)
    return reason or None


def close(results: list[Any], expected: list[Any], tolerance: float) -> None:
    """Floats within the tolerance of the largest, the rest equal."""
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        assert result.shape == wanted.shape
        assert result.dtype == wanted.dtype
        if result.dtype.kind == "f":
            largest = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=0))
            np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance * largest)
        else:
            np.testing.assert_array_equal(result, wanted)


def table_cases(most: int = 10**6) -> list[Any]:
    """The cases of operations/test_*.py, whose expected values are numpy's; `most` of a table."""
    found = []
    for path in sorted((Path(__file__).parent / "operations").glob("test_*.py")):
        module = importlib.import_module(f"nnadapter.operations.{path.stem}")
        tables = [t for t in vars(module).values() if type(t).__name__ == "Table"]
        for table in tables:
            step = max(1, len(table.cases) // most)
            for number, case in list(enumerate(table.cases))[::step]:
                found.append(pytest.param(case, id=f"{table.operation}-{number}"))
    return found


def run_table_case(case: Any, device: str, tolerance: float = 1e-3) -> str | None:
    """Runs a case of a table on a device; the reason where it is refused."""
    nna.ensure_devices([device])
    model, inputs, _ = case.build()
    reason = refusal(model, device)
    if reason is not None:
        return reason
    try:
        results = capi.run(model, [device], inputs)
    except DeviceError as error:
        if all(array.size for array in inputs):
            raise
        return str(error)  # dimensions that were unknown turned out to be 0
    pairs = [(e, s) for e, s in zip(case.expected, case.scales, strict=True) if e is not None]
    for result, (expected, scale) in zip(results, pairs, strict=True):
        if scale is not None:
            quanta = np.clip(np.round(expected / scale), -127, 127)
            assert np.abs(result - quanta).max(initial=0) <= 1
        else:
            close([result], [expected], tolerance)
    return None
