"""The numpy device: against builtin_device, and against the tables of the operations."""

from __future__ import annotations

from typing import Any

import pytest
from nnadapter.devices import build, close, refusal, run_table_case, table_cases
from nnadapter.operation_cases import Case, all_cases

import lite.nnadapter as nna
from lite.nnadapter import capi
from lite.nnadapter.operations import operations


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_like_builtin_device(case: Case, unknown: bool) -> None:
    nna.ensure_devices(["python"])
    model, arrays = build(case, unknown)
    assert refusal(model, "python") is None
    results = capi.run(model, ["python"], arrays)
    close(results, capi.run(model, ["builtin_device"], arrays), case.tolerance)


@pytest.mark.parametrize("case", table_cases())
def test_table(case: Any) -> None:
    assert run_table_case(case, "python") is None


def test_every_operation_is_there() -> None:
    from lite.nnadapter.driver.python.device import OPERATIONS

    assert set(OPERATIONS) == set(operations())
    assert {case.type for case in all_cases()} >= set(operations()) - {
        "QUANTIZE",  # in the tables
        "DEQUANTIZE",
    }
