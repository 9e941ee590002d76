"""The device `python`: a complete HAL in numpy, slow and plain, to read and to compare with.

An operation is a function in operations/. `build` keeps the model's operations and constants, `run`
calls one function after the other; an intermediate is dropped after its last use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lite.nnadapter.driver.python.operations import OPERATIONS, compute
from lite.nnadapter.hal import Hal
from lite.nnadapter.model import Array, Model, Operand, Operation
from lite.nnadapter.types import DeviceType


class NumpyHal(Hal):
    """All operations, in every element type that numpy computes with."""

    vendor = "numpy"
    keys = ()
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
            results = compute(op.type, real_operands(op, values))
            for operand, value in zip(op.outputs, results, strict=False):
                if operand is not None:
                    values[operand.index] = store(value, operand)
            for index in dropped:
                del values[index]
        return [values[index] for index in self._outputs]


def real_operands(op: Operation, values: Mapping[int, Array]) -> list[Array | None]:
    """The numbers that an operation's operands stand for, in their order; None for absent ones."""
    kinds = {} if op.info is None else {info.name: info.kind for info in op.info.inputs}
    found: list[Array | None] = []
    for name, operand in op.inputs.items():
        if operand is None:
            found.append(None)
            continue
        if 0 in operand.shape and operand.index not in values:  # an empty list without memory
            value = np.zeros([dim or 0 for dim in operand.shape], operand.dtype)
        else:
            value = dequantise(values[operand.index], operand)
        if value.dtype == np.float16:  # computed in float32
            value = value.astype(np.float32)
        found.append(value if kinds.get(name, "tensor") == "tensor" else np.atleast_1d(value))
    return found


def _channel_form(values: tuple[float, ...], operand: Operand, rank: int) -> Array:
    scales = np.asarray(values, np.float32)
    quant = operand.type.quantisation
    assert quant is not None
    if quant.channel_axis is None:
        return scales[0]
    shape = [1] * rank
    shape[quant.channel_axis] = -1
    return scales.reshape(shape)


def dequantise(value: Array, operand: Operand) -> Array:
    """Real numbers of an operand."""
    quant = operand.type.quantisation
    if quant is None:
        return value
    shifted = value.astype(np.float32) - np.float32(quant.zero_point)
    return shifted * _channel_form(quant.scales, operand, value.ndim)


def store(value: Any, operand: Operand) -> Array:
    """What an operand's memory holds for real numbers: ties round away from zero."""
    quant = operand.type.quantisation
    dtype = operand.dtype
    if np.size(value) == 1 and np.ndim(value) != len(operand.shape) <= 1:
        value = np.reshape(value, [1] * len(operand.shape))  # a scalar, with an axis or without
    if quant is None:
        return np.asarray(value).astype(dtype, copy=False)
    real = np.asarray(value, np.float32)
    scaled = real / _channel_form(quant.scales, operand, real.ndim)
    rounded = np.trunc(scaled + np.copysign(np.float32(0.5), scaled)) + quant.zero_point
    info = np.iinfo(dtype)
    low = -info.max if quant.zero_point == 0 and info.min < 0 else info.min
    return np.asarray(np.clip(rounded, low, info.max), dtype)
