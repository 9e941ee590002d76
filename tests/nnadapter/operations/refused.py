"""What addOperation refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from lite.errors import DeviceError
from lite.nnadapter.capi import Model, Operand
from lite.nnadapter.conformance.case import Array, Given, add_operand
from lite.nnadapter.types import ResultCode


class Refused:
    """Operands that an operation does not take."""

    def __init__(self, operation: str) -> None:
        self.operation = operation
        self.rows: list[tuple[str, Sequence[Given], int, str]] = []

    def bad(self, *operands: Given, match: str, outputs: int = 1) -> None:
        """addOperation refuses these with INVALID_PARAMETER and a text."""
        self.rows.append((self.operation, operands, outputs, match))


def refusals(module: Mapping[str, Any]) -> Callable[..., None]:
    """A test function of all that a module says is refused."""
    rows = [row for value in module.values() if isinstance(value, Refused) for row in value.rows]
    names = [f"{operation}: {match}" for operation, _, _, match in rows]

    @pytest.mark.parametrize(("operation", "operands", "outputs", "match"), rows, ids=names)
    def test(operation: str, operands: Sequence[Given], outputs: int, match: str) -> None:
        model = Model()
        inputs: list[tuple[Operand, Array]] = []
        added = [add_operand(model, o, False, inputs) for o in operands]
        with pytest.raises(DeviceError, match=match) as caught:
            model.operation(operation, added, outputs)
        assert caught.value.code == ResultCode.INVALID_PARAMETER  # type: ignore[attr-defined]

    return test
