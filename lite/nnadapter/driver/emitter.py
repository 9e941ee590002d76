"""What the devices share that translate a model operation by operation, whatever their values are.

A device has a table of functions by operation type, filled through `registrar`, and its Emitter
adds to this one what builds its own nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from lite.nnadapter.driver.attributes import Window, image_size, window
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Operand, Operation, Shape

Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., Any])


def registrar(table: dict[str, Function]) -> Callable[..., Callable[[Function], Function]]:
    """The decorator that enters a function into a device's table, for some operation types."""

    def operation(*names: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            for name in names:
                assert name not in table, name
                table[name] = function
            return function

        return add

    return operation


class OperationEmitter(Generic[Value]):
    """One operation that is being emitted: its operands by name, its constants as numbers.

    `real` gives the value that stands for an operand's real numbers.
    """

    def __init__(self, op: Operation, real: Callable[[Operand], Value]) -> None:
        self.op = op
        self.type = op.type
        self.number = op.number
        self.numbers = op.numbers
        self._real = real

    def __getitem__(self, name: str) -> Value:
        return self._real(self.op[name])

    def get(self, name: str) -> Value | None:
        """An operand's value; None where it is absent or empty."""
        operand = self.op.get(name)
        return None if operand is None or 0 in operand.shape else self._real(operand)

    @property
    def repeated(self) -> list[Value]:
        """The values of what a repeated operand stands for."""
        return [self._real(operand) for operand in self.op.repeated]

    def shape(self, name: str) -> Shape:
        """An operand's dimensions."""
        return self.op[name].shape

    def rank(self, name: str) -> int:
        """How many dimensions an operand has."""
        return len(self.op[name].shape)

    def dtype(self, name: str) -> np.dtype[Any]:
        """The element type of an operand's real numbers."""
        operand = self.op[name]
        return operand.dtype if operand.type.quantisation is None else np.dtype(np.float32)

    def window(self, kernel: Sequence[int]) -> Window:
        """The window that a kernel (height, width) slides over the input."""
        return window(self.op, kernel, image_size(self.op["input"]))

    def need_float(self, *names: str) -> None:
        """Refuses operands that are neither float nor quantised."""
        for name in names:
            if self.dtype(name).kind != "f":
                raise Unsupported(f"{self.type} is for float tensors here, not {self.dtype(name)}")

    @property
    def fuse_code(self) -> int:
        """The FuseCode of the activation that the operation applies to its result."""
        return int(self.number("fuse_code", 0)) if "fuse_code" in self.op.inputs else 0
