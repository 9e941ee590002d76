"""The registry of operations: codes, names and operands are those of the public ABI."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from lite.nnadapter.capi import Model, library
from lite.nnadapter.operations import OperandInfo, operations
from lite.nnadapter.types import OperationType, Precision

# code name inputs -> outputs; * is a repeated operand.
LINES = (Path(__file__).parent / "operands.txt").read_text().splitlines()


def word(operand: OperandInfo) -> str:
    return operand.name + "*" * operand.repeated


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split()[1])
def test_operands_have_the_order_of_the_abi(line: str) -> None:
    code, name, rest = line.split(" ", 2)
    inputs, outputs = (side.split() for side in rest.split("->"))
    info = operations()[name]
    assert info.type == int(code)
    assert [word(o) for o in info.inputs] == inputs
    assert [word(o) for o in info.outputs] == outputs


def test_no_operation_is_missing_or_added() -> None:
    assert list(operations()) == [o.name for o in sorted(OperationType)]
    assert [o.type for o in operations().values()] == list(range(96)) == list(range(len(LINES)))


def test_every_operation_and_operand_is_documented() -> None:
    for info in operations().values():
        assert info.doc.endswith("."), info.name
        for operand in (*info.inputs, *info.outputs):
            assert operand.doc and "NNADAPTER_TENSOR" not in operand.doc, (info.name, operand.name)


@pytest.mark.parametrize("name", OperationType.__members__)
def test_at_most_one_operand_a_side_is_repeated_and_precisions_fit_the_kind(name: str) -> None:
    info = operations()[name]
    index = {Precision.INT32, Precision.INT64}
    for side in (info.inputs, info.outputs):
        assert sum(o.repeated for o in side) <= 1
        for operand in side:
            assert operand.precisions
            if operand.kind in ("int", "ints", "shape"):
                assert set(operand.precisions) == index
            assert not (operand.optional and operand.repeated)


def test_nothing_but_the_listed_codes_is_an_operation() -> None:
    model = Model()
    handles = (ctypes.c_void_p * 1)(model.tensor("float32", [1]).handle)
    result = (ctypes.c_void_p * 1)(model.infer().handle)
    for code in (96, 2**31 - 1):
        operation = ctypes.c_void_p()
        arguments = (model.handle, code, 1, handles, 1, result, ctypes.byref(operation))
        assert library().NNAdapterModel_addOperation(*arguments) == 3
        text = library().NNAdapter_getLastErrorMessage().decode()
        assert f"no operation with code {code}" in text
