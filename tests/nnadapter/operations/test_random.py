"""Random operands for every operation: each call returns a code with a text, none crashes."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import lite
from lite.errors import LiteError
from lite.nnadapter import capi
from lite.nnadapter.capi import Model, Operand, Quantisation
from lite.nnadapter.operations import OperandInfo, OperationInfo, operations
from lite.nnadapter.types import OperationType, Precision, ResultCode

ROUNDS = 40
NUMBERS = [0, 1, -1, 2, 3, 4, 5, 7, -2, 2**31 - 1, -(2**31), 65535, -65535, 2**20]
REALS = [0.0, 1.0, -1.0, 0.5, 1e-30, 1e30, float("nan"), float("inf"), 0.1, 20.0]
STORED = {
    Precision.BOOL8: np.bool_,
    Precision.INT8: np.int8,
    Precision.UINT8: np.uint8,
    Precision.INT16: np.int16,
    Precision.INT32: np.int32,
    Precision.INT64: np.int64,
    Precision.FLOAT32: np.float32,
    Precision.FLOAT64: np.float64,
    Precision.QUANT_INT8_SYMM_PER_LAYER: np.int8,
}


class Generator:
    """Adds random operands to a model."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.model = Model()
        self.inputs: list[tuple[Operand, np.ndarray]] = []
        self.shape = self.dims()
        self.precision: Precision | None = None

    def dims(self) -> list[int]:
        rank = self.random.choice([0, 1, 2, 3, 4, 4, 4, 5])
        return [self.random.choice([0, 1, 2, 3, 3, 4, 6]) for _ in range(rank)]

    def operand(self, info: OperandInfo) -> Operand | None:
        if self.random.random() < (0.3 if info.optional else 0.01):
            return None
        if info.kind == "tensor" or (info.kind == "shape" and self.random.random() < 0.2):
            return self.tensor(info)
        return self.constant(info)

    def tensor(self, info: OperandInfo) -> Operand:
        known = [p for p in info.precisions if p in STORED]
        if self.precision not in known or self.random.random() < 0.05:
            self.precision = self.random.choice(known)
        dtype = STORED[self.precision]
        shape = self.shape
        chance = self.random.random()
        if chance < 0.15:
            shape = self.dims()
        elif chance < 0.3 and len(shape) > 1:
            shape = [shape[1]]
        if info.kind == "shape":
            shape = [self.random.choice([1, 2, 4])]
        value = np.random.default_rng(self.random.randrange(99)).uniform(-3, 3, shape).astype(dtype)
        quant = Quantisation((0.05,)) if self.precision >= 24 else None
        if self.random.random() < 0.2 and value.size:
            return self.model.constant(value, quantisation=quant, precision=self.precision)
        unknown = self.random.random() < 0.2
        declared = [-1 if unknown and self.random.random() < 0.5 else d for d in shape]
        candidates = [shape] if -1 in declared else []
        operand = self.model.tensor(dtype, declared, candidates, quant, self.precision)
        self.inputs.append((operand, value))
        return operand

    def constant(self, info: OperandInfo) -> Operand:
        count = self.random.choice([1, 2, 2, 4, 8]) if info.kind in ("ints", "shape") else 1
        if info.kind in ("ints", "shape", "floats") and self.shape and self.random.random() < 0.4:
            count = len(self.shape)
        if info.kind == "floats":
            count = self.random.choice([1, 4])
        if info.kind in ("float", "floats"):
            values = [self.random.choice(REALS) for _ in range(count)]
            return self.model.constant(np.array(values, np.float32))
        if info.kind == "bool":
            return self.model.constant(np.array([self.random.random() < 0.5]))
        pool = self.random.choice([[1, 2], [0], NUMBERS[:3], NUMBERS[:8], NUMBERS])
        values = [self.random.choice(pool) for _ in range(count)]
        return self.model.constant(np.array(values, self.random.choice([np.int32, np.int64])))


@pytest.fixture(autouse=True)
def _little_memory() -> Iterator[None]:
    before = lite.memory_limit()
    lite.set_memory_limit(64 << 20)
    yield
    lite.set_memory_limit(before)


def attempt(info: OperationInfo, seed: str) -> str:
    """How far a random operation comes: 'refused', 'compiled' or 'ran'."""
    generator = Generator(seed)
    operands: list[Operand | None] = []
    for operand in info.inputs:
        copies = generator.random.choice([1, 2, 3]) if operand.repeated else 1
        operands += [generator.operand(operand) for _ in range(copies)]
    if generator.random.random() < 0.02:
        operands.pop()
    outputs = sum(generator.random.choice([1, 2, 3]) if o.repeated else 1 for o in info.outputs)
    reached = "refused"
    try:
        results = generator.model.operation(info.type, operands, outputs)
        pairs = generator.inputs
        model = generator.model.finish([o for o, _ in pairs], results)
        with capi.Context(["builtin_device"]) as context:
            compilation = capi.Compilation(model, context).finish()
            reached = "compiled"
            capi.Execution(compilation).run([v for _, v in pairs])
            reached = "ran"
    except (LiteError, MemoryError) as error:
        assert getattr(error, "code", None) in ResultCode.__members__.values(), error
        assert str(error)
        assert "no text" not in str(error), error
    return reached


@pytest.mark.parametrize("name", OperationType.__members__)
def test_random_operands_never_crash(name: str) -> None:
    info = operations()[name]
    reached = [attempt(info, f"{name} {index}") for index in range(ROUNDS)]
    assert "refused" in reached or "ran" in reached
