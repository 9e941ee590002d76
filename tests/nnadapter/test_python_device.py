"""The numpy device: against builtin_device, and against the tables of the operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nnadapter.devices import build, close, refusal, run_table_case, table_cases
from nnadapter.operation_cases import Case, Constant, all_cases, f, i

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


def test_boxes_without_an_area_suppress_each_other() -> None:
    boxes = np.array([[[1, 1, 1, 1], [1, 1, 1, 1], [2, 2, 2, 2]]], np.float32)
    scores = np.array([[[0.9, 0.8, 0.7]]], np.float32)
    tail = [i(-1), f(0.1), i(10), f(0.3), f(1), i(10), Constant(np.array([True])), None]
    nna.ensure_devices(["python"])
    model, arrays = build(Case("NON_MAX_SUPPRESSION", [boxes, scores, None, *tail], outputs=3))
    results = capi.run(model, ["python"], arrays)
    assert results[2].ravel().tolist() == [0, 2]
    close(results, capi.run(model, ["builtin_device"], arrays), 1e-6)


def test_boxes_a_fraction_of_a_pixel_apart_do_not_suppress_each_other() -> None:
    """Pixels count one more (not normalised), but only for boxes that touch."""
    boxes = np.array([[[0, 0, 0.2, 9], [0.3, 0, 0.5, 9], [0.4, 0, 0.6, 9]]], np.float32)
    scores = np.array([[[0.9, 0.8, 0.7]]], np.float32)
    tail = [i(-1), f(0.1), i(10), f(0.3), f(1), i(10), Constant(np.array([False])), None]
    case = Case("NON_MAX_SUPPRESSION", [boxes, scores, None, *tail], outputs=3)
    nna.ensure_devices(["python"])
    model, arrays = build(case)
    results = capi.run(model, ["python"], arrays)
    assert results[0].shape == (2, 6)
    close(results, capi.run(model, ["builtin_device"], arrays), 1e-6)
