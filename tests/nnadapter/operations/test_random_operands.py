"""Operands at random: every operation takes them or refuses them with a code and a text."""

from __future__ import annotations

import numpy as np
import pytest

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Model, Operand, Quantisation
from lite.nnadapter.conformance import operations as conformance
from lite.nnadapter.conformance.case import TABLES, Case, Const, Given, Table, add_operand, real
from lite.nnadapter.operations import operations
from lite.nnadapter.types import OperationType, Precision, ResultCode

DTYPES = [np.float32, np.int32, np.int64, np.bool_, np.float64, np.uint8, np.int8, np.uint64]
NUMBERS = [0, 1, 2, -1, 3, 4, 7, 10, -7, 2**31 - 1, -(2**31), 65535, -65535]
# A run may also fail by the values of its inputs: an index that is too large, a division by 0.
ADDING = ("INVALID_PARAMETER", "FEATURE_NOT_SUPPORTED")
RUNNING = (*ADDING, "INVALID_DIMENSIONS", "DEVICE_INTERNAL_ERROR", "OUT_OF_MEMORY")


def check_shapes(results: list[np.ndarray], outputs: list[Operand], known: bool) -> None:
    """What was computed has the shapes that were inferred; `known`: from known dimensions."""
    for result, output in zip(results, outputs, strict=True):
        shape = output.type.shape
        if not known and result.ndim != len(shape):
            continue  # SQUEEZE takes a named dimension for 1 as long as it is not known
        assert result.ndim == len(shape), (result.shape, shape)
        for found, declared in zip(result.shape, shape, strict=True):
            assert declared in (-1, found), (result.shape, shape)


def outcome_of(error: DeviceError) -> str:
    """The name of its code; there must be a text."""
    assert len(str(error)) > 60, error
    return ResultCode(error.code).name  # type: ignore[attr-defined]


class Fuzzer:
    """Models of one operation whose operands are mostly plausible."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def pick(self, items):
        return items[self.random.integers(len(items))]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def shape(self) -> list[int]:
        rank = self.pick([0, 1, 1, 2, 3, 4, 4, 4, 4, 4, 5, 8])
        return [
            int(self.pick([1, 2, 2, 3, 4, 6, 0 if self.chance(0.1) else 5])) for _ in range(rank)
        ]

    def array(self, shape, dtype):
        values = self.random.integers(-3, 4, shape)
        if dtype is np.float32 and self.chance(0.05):
            values = np.where(values > 0, self.pick([np.inf, np.nan, 1e38]), 0.0)
        return np.asarray(values).astype(dtype)

    def small(self, kind: str, model: Model) -> Operand | None:
        """A constant of a scalar or list operand."""
        if self.chance(0.03):
            return None
        count = 1 if kind in ("int", "float", "bool") else int(self.pick([1, 2, 2, 2, 3, 4, 4, 0]))
        if self.chance(0.03):
            count += 1
        if count == 0:
            return model.tensor(np.int32, [0])
        if kind == "bool":
            return model.constant(self.random.integers(0, 2, count).astype(np.bool_))
        if kind in ("float", "floats"):
            values = [self.pick([0.5, 1.0, 0.0, -1.0, 1e-5, 3e38, np.nan]) for _ in range(count)]
            return model.constant(np.array(values, np.float32))
        wide = self.chance(0.2)
        values = [self.pick(NUMBERS if self.chance(0.15) else NUMBERS[:5]) for _ in range(count)]
        return model.constant(np.array(values, np.int64 if wide else np.int32))

    def tensor(self, model: Model, inputs, shape, dtype) -> Operand | None:
        if self.chance(0.03):
            return None
        if self.chance(0.5):
            shape = self.shape()
        if self.chance(0.05):
            dtype = self.pick(DTYPES)
        value = self.array(shape, dtype)
        if self.chance(0.3) and value.size and value.ndim:
            return model.constant(value)
        quantisation, precision = None, None
        if dtype is np.int8 and self.chance(0.7):
            quantisation = Quantisation((0.5,))
            precision = Precision.QUANT_INT8_SYMM_PER_LAYER
        declared = [-1 if self.chance(0.1) else d for d in shape]
        candidates = [shape] if -1 in declared and self.chance(0.5) else []
        operand = model.tensor(dtype, declared, candidates, quantisation, precision)
        inputs.append((operand, value))
        return operand

    def run(self, info) -> str:
        """Builds and runs one model; how far it came."""
        model, inputs = Model(), []
        shape, dtype = self.shape(), self.pick(DTYPES[:3] + [np.float32] * 5 + [np.int8])
        operands: list[Operand | None] = []
        for operand in info.inputs:
            for _ in range(int(self.random.integers(1, 4)) if operand.repeated else 1):
                if operand.kind == "tensor" or (operand.kind == "shape" and self.chance(0.1)):
                    operands.append(self.tensor(model, inputs, shape, dtype))
                else:
                    operands.append(self.small(operand.kind, model))
        count = len(info.outputs) if not self.chance(0.1) else int(self.random.integers(1, 4))
        try:
            outputs = model.operation(info.type, operands, count)
        except DeviceError as error:
            return outcome_of(error)
        try:
            model.finish([o for o, _ in inputs], outputs)
            results = capi.run(model, ["builtin_device"], [v for _, v in inputs])
        except DeviceError as error:
            return "ran " + outcome_of(error)
        check_shapes(results, outputs, all(-1 not in o.type.shape for o, _ in inputs))
        return "done"


def fuzz(name: str, count: int, seed: int = 0) -> dict[str, int]:
    """How often each outcome was seen."""
    info = operations()[name]
    found: dict[str, int] = {}
    for case in range(count):
        outcome = Fuzzer(seed * 1_000_000 + info.type * 10_000 + case).run(info)
        found[outcome] = found.get(outcome, 0) + 1
    return found


@pytest.mark.parametrize("name", [kind.name for kind in OperationType])
def test_random_operands(name: str) -> None:
    found = fuzz(name, 60)
    assert set(found) <= {"done", *ADDING, *(f"ran {code}" for code in RUNNING)}, found


def mutated(fuzzer: Fuzzer, case: Case) -> list[Given]:
    """The operands of a case that is right, with one or two that are probably not."""
    operands = case.operands
    # A range up to 2^31 is no mistake, but takes gigabytes.
    most = 9 if case.operation == "RANGE" else 11
    result = list(operands)
    for _ in range(1 + fuzzer.chance(0.3)):
        index = int(fuzzer.random.integers(len(result)))
        given = result[index]
        if given is None or fuzzer.chance(0.05):
            result[index] = fuzzer.array(fuzzer.shape(), fuzzer.pick(DTYPES))
            continue
        value = real(given)
        kind = int(fuzzer.random.integers(6))
        if kind == 0:
            result[index] = None
        elif kind == 1:
            result[index] = Const(value) if isinstance(given, np.ndarray) else value
        elif kind == 2:
            with np.errstate(all="ignore"):
                value = value.astype(fuzzer.pick(DTYPES))
        elif kind == 3:
            value = fuzzer.array(fuzzer.shape(), value.dtype.type)
        elif kind == 4 and value.size and value.ndim:
            value = value[..., : fuzzer.random.integers(value.shape[-1] + 1)]
        elif value.size:
            value = value.copy()
            number = fuzzer.pick(NUMBERS[:most])
            with np.errstate(all="ignore"):
                value.flat[fuzzer.random.integers(value.size)] = np.asarray(number).astype(
                    value.dtype
                )
        if kind > 1:
            result[index] = Const(value) if isinstance(given, Const) else value
    return result


def run_mutated(seed: int, table: Table) -> str:
    """Builds and runs one mutated case; how far it came."""
    fuzzer = Fuzzer(seed)
    case = fuzzer.pick(table.cases)
    model, inputs = Model(), []
    try:
        operands = [add_operand(model, o, False, inputs) for o in mutated(fuzzer, case)]
        outputs = model.operation(case.operation, operands, len(case.reals))
    except DeviceError as error:
        return outcome_of(error)
    try:
        model.finish([o for o, _ in inputs], outputs)
        results = capi.run(model, ["builtin_device"], [v for _, v in inputs])
    except DeviceError as error:
        return "ran " + outcome_of(error)
    check_shapes(results, outputs, True)
    return "done"


@pytest.mark.parametrize("name", sorted(TABLES) if conformance.__path__ else ())
def test_mutated_cases(name: str) -> None:
    table = TABLES[name]
    found = {run_mutated(OperationType[name] * 10_000 + case, table) for case in range(60)}
    assert found <= {"done", *ADDING, *(f"ran {code}" for code in RUNNING)}, found
