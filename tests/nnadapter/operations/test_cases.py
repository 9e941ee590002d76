"""The table of cases on builtin_device against the oracle, dimensions known and unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lite.nnadapter import capi
from lite.nnadapter.conformance import operations
from lite.nnadapter.conformance.case import TABLES, Case
from lite.nnadapter.types import OperationType, Precision

CASES = [case for table in TABLES.values() for case in table.cases]


def check_types(case: Case, outputs: list[capi.Operand], unknown: bool) -> None:
    """Inferred types are those of the expected arrays."""
    wanted = [array for array in case.reals if array is not None]
    for index, (output, expected) in enumerate(zip(outputs, wanted, strict=True)):
        kind = output.type
        shape = expected.shape if case.inferred is None else tuple(case.inferred[index])
        dims = kind.dimensions
        assert dims.count == len(shape), f"output {index} has rank {dims.count}"
        if unknown and dims.dynamic_count:
            found = tuple(-1 if d < 0 else d for d in dims.dynamic_data[0][: dims.count])
            assert found == shape, f"output {index}, candidate"
            assert all(d in (-1, s) for d, s in zip(kind.shape, shape, strict=True))
        else:
            assert kind.shape == shape, f"output {index}"
        if kind.precision < Precision.QUANT_INT8_SYMM_PER_LAYER:
            assert kind.dtype == expected.dtype, f"output {index}"


def check_values(case: Case, results: list[Any]) -> None:
    """What was computed is what the oracle says, in its type."""
    for result, expected in zip(results, case.expected(), strict=True):
        assert result.shape == expected.shape
        assert result.dtype == expected.dtype
        if expected.dtype.kind == "f":
            largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
            np.testing.assert_allclose(
                result, expected, rtol=case.tolerance, atol=case.tolerance * largest
            )
        else:
            difference = np.abs(result.astype(np.int64) - expected.astype(np.int64))
            assert difference.max(initial=0) <= case.levels


def run(case: Case, unknown: bool) -> None:
    model = case.build(unknown=unknown)
    check_types(case, model.outputs, unknown)
    check_values(case, capi.run(model, ["builtin_device"], case.variables))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_known(case: Case) -> None:
    run(case, False)


@pytest.mark.parametrize("case", [c for c in CASES if c.unknown], ids=lambda case: case.name)
def test_unknown(case: Case) -> None:
    run(case, True)


def test_every_operation_has_cases() -> None:
    assert operations.__path__
    assert set(TABLES) == {kind.name for kind in OperationType}
    assert all(table.cases for table in TABLES.values())
    assert len(CASES) > 1500
