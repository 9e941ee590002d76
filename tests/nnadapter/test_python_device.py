"""The numpy device: against builtin_device, and against the table of cases."""

from __future__ import annotations

import numpy as np
import pytest
from nnadapter.devices import COMMON, close, every_case, refusal, run_case

import lite.nnadapter as nna
from lite.nnadapter import capi
from lite.nnadapter.conformance.case import Case, Given, const
from lite.nnadapter.operations import operations


@pytest.mark.parametrize("unknown", [False, True], ids=["known", "unknown"])
@pytest.mark.parametrize("case", COMMON, ids=lambda case: case.name)
def test_like_builtin_device(case: Case, unknown: bool) -> None:
    nna.ensure_devices(["python"])
    model = case.build(unknown=unknown)
    assert refusal(model, "python") is None
    results = capi.run(model, ["python"], case.variables)
    close(results, capi.run(model, ["builtin_device"], case.variables), case.tolerance)


@pytest.mark.parametrize(("case", "unknown"), every_case())
def test_table(case: Case, unknown: bool) -> None:
    assert run_case(case, unknown, "python") is None


def test_every_operation_is_there() -> None:
    from lite.nnadapter.driver.python.device import OPERATIONS

    assert set(OPERATIONS) == set(operations())
    assert {case.operation for case in COMMON} >= set(operations()) - {
        "QUANTIZE",  # in the tables
        "DEQUANTIZE",
    }


def suppress(boxes: Given, scores: Given, normalized: bool) -> list[np.ndarray]:
    """NON_MAX_SUPPRESSION on both devices, which agree."""
    tail = [*map(const, (-1, 0.1, 10, 0.3, 1.0, 10)), const(normalized), None]
    case = Case("NON_MAX_SUPPRESSION", [boxes, scores, None, *tail])
    nna.ensure_devices(["python"])
    model = case.build()
    results = capi.run(model, ["python"], case.variables)
    close(results, capi.run(model, ["builtin_device"], case.variables), 1e-6)
    return results


def test_boxes_without_an_area_suppress_each_other() -> None:
    boxes = np.array([[[1, 1, 1, 1], [1, 1, 1, 1], [2, 2, 2, 2]]], np.float32)
    scores = np.array([[[0.9, 0.8, 0.7]]], np.float32)
    results = suppress(boxes, scores, normalized=True)
    assert results[2].ravel().tolist() == [0, 2]


def test_boxes_a_fraction_of_a_pixel_apart_do_not_suppress_each_other() -> None:
    """Pixels count one more (not normalised), but only for boxes that touch."""
    boxes = np.array([[[0, 0, 0.2, 9], [0.3, 0, 0.5, 9], [0.4, 0, 0.6, 9]]], np.float32)
    scores = np.array([[[0.9, 0.8, 0.7]]], np.float32)
    results = suppress(boxes, scores, normalized=False)
    assert results[0].shape == (2, 6)


@pytest.mark.parametrize(
    ("operation", "operands", "expected"),
    [
        ("ROLL", [np.float32([[0, 1, 2], [3, 4, 5]]), const([2]), const([], np.int32)], [4, 5, 0]),
        ("TRANSPOSE", [np.float32([[0, 1, 2], [3, 4, 5]]), const([], np.int32)], [0, 3]),
        ("SOFTPLUS", [np.float32([100]), const(1.0), const(1000.0)], [100]),
        ("GELU", [np.float16([50, -50]), const(True)], [50, 0]),
    ],
)
def test_empty_lists_large_numbers_and_halves(
    operation: str, operands: list[Given], expected: list[float]
) -> None:
    nna.ensure_devices(["python"])
    case = Case(operation, operands)
    (result,) = capi.run(case.build(), ["python"], case.variables)
    assert result.dtype == case.variables[0].dtype
    assert result.reshape(-1)[: len(expected)].tolist() == expected
