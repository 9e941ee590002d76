"""Runs the table's cases through the C API on a device and compares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from breadth import some

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.conformance import operations  # noqa: F401 - fills the tables
from lite.nnadapter.conformance.case import TABLES, Case

COMMON = [case for table in TABLES.values() for case in table.cases if case.common]


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


def every_case(most: int | None = None) -> list[Any]:
    """The table's cases, with known and with unknown dimensions; some, or all, of an operation."""
    found = []
    for table in TABLES.values():
        for case in table.cases if most is None else some(table.cases, most):
            for unknown in (False, True) if case.unknown else (False,):
                name = f"{case.name} unknown" if unknown else case.name
                found.append(pytest.param(case, unknown, id=name))
    return found


def run_case(case: Case, unknown: bool, device: str, tolerance: float = 1e-3) -> str | None:
    """Runs a case on a device; the reason where it is refused."""
    nna.ensure_devices([device])
    model = case.build(unknown=unknown)
    reason = refusal(model, device)
    if reason is not None:
        return reason
    try:
        results = capi.run(model, [device], case.variables)
    except DeviceError as error:
        if all(array.size for array in case.variables):
            raise
        return str(error)  # dimensions that were unknown turned out to be 0
    for result, wanted in zip(results, case.expected(), strict=True):
        if case.levels and wanted.dtype == np.int8:
            assert np.abs(result.astype(int) - wanted).max(initial=0) <= case.levels
        else:
            close([result], [wanted], tolerance)
    return None
