"""How an operation is defined in numpy: a function of a Call, under the operation's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lite.nnadapter.driver.emitter import registrar
from lite.nnadapter.model import Array, Operand, Operation

Result = Any  # an array, or a tuple of arrays
Function = Callable[["Call"], Result]

OPERATIONS: dict[str, Function] = {}
operation = registrar(OPERATIONS)


class Call:
    """One execution of one operation: its operands' values by name, quantised ones as real."""

    def __init__(self, op: Operation, values: Mapping[int, Array]) -> None:
        self.op = op
        self.type = op.type
        self._values = values

    def of(self, operand: Operand) -> Array:
        """An operand's elements; an empty list may come without memory."""
        if 0 in operand.shape and operand.index not in self._values:
            return np.zeros([dim or 0 for dim in operand.shape], operand.dtype)
        return dequantise(self._values[operand.index], operand)

    def __getitem__(self, name: str) -> Array:
        return self.of(self.op[name])

    def get(self, name: str) -> Array | None:
        """An operand's elements; None where it is absent or empty."""
        operand = self.op.get(name)
        if operand is None:
            return None
        value = self.of(operand)
        return value if value.size else None

    @property
    def repeated(self) -> list[Array]:
        """The elements of what a repeated operand stands for."""
        return [self.of(operand) for operand in self.op.repeated]

    def number(self, name: str, default: Any = None) -> Any:
        """An operand of one element."""
        value = self.get(name)
        return default if value is None else value.reshape(-1)[0].item()

    def numbers(self, name: str, default: Any = ()) -> list[Any]:
        """A list of numbers."""
        value = self.get(name)
        return list(default) if value is None else list(value.reshape(-1).tolist())

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type of the first output."""
        return self.op.output.dtype


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
