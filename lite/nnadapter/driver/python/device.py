"""The device `python`: a complete HAL in numpy, slow and plain, to read and to compare with.

An operation is a function in ops_*.py. `build` keeps the model's operations and constants, `run`
calls one function after the other; an intermediate is dropped after its last use.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lite.nnadapter.driver.python import (  # noqa: F401
    ops_detection,
    ops_elementwise,
    ops_image,
    ops_normalization,
    ops_shape,
    ops_window,
)
from lite.nnadapter.driver.python.registry import OPERATIONS, Call, store
from lite.nnadapter.hal import Hal
from lite.nnadapter.model import Array, Model, Operation
from lite.nnadapter.types import DeviceType


class NumpyHal(Hal):
    """All operations that ops_*.py define, in every element type that numpy computes with."""

    vendor = "numpy"
    device_type = DeviceType.CPU

    def supports(self, op: Operation) -> bool | str:
        """By the operation's name."""
        return op.type in OPERATIONS or f"the numpy device has no {op.type}"

    def build(self, model: Model) -> None:
        """Reads the constants and finds each tensor's last use."""
        self._inputs = [operand.index for operand in model.inputs]
        self._outputs = [operand.index for operand in model.outputs]
        self._constants = {o.index: o.value for o in model.operands if o.is_constant}
        self._operations = model.operations
        last = {o.index: step for step, op in enumerate(model.operations) for o in op.operands if o}
        kept = {*self._outputs, *self._constants}
        self._dropped: list[list[int]] = [[] for _ in model.operations]
        for index, step in last.items():
            if index not in kept:
                self._dropped[step].append(index)

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One operation after the other."""
        values = {**self._constants, **dict(zip(self._inputs, inputs, strict=True))}
        for op, dropped in zip(self._operations, self._dropped, strict=True):
            with np.errstate(all="ignore"):
                result = OPERATIONS[op.type](Call(op, values))
            results = result if isinstance(result, tuple | list) else (result,)
            for operand, value in zip(op.outputs, results, strict=False):
                if operand is not None:
                    values[operand.index] = store(value, operand)
            for index in dropped:
                del values[index]
        return [values[index] for index in self._outputs]
