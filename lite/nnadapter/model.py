"""A model as a HAL written in Python sees it: operations, operands by name, constants in numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lite.nnadapter.abi import Quantisation
from lite.nnadapter.operations import OperationInfo, operations
from lite.nnadapter.types import (
    UNKNOWN,
    Layout,
    Lifetime,
    OperationType,
    Precision,
    dtype_of,
)

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int | None, ...]

_CONSTANT = (Lifetime.CONSTANT_COPY, Lifetime.CONSTANT_REFERENCE)


@dataclass(frozen=True)
class TensorType:
    """Element type and shape; None is a dimension that is not known before the model runs."""

    precision: Precision | None
    shape: Shape
    candidates: tuple[Shape, ...] = ()
    quantisation: Quantisation | None = None
    layout: Layout = Layout.NCHW
    lifetime: Lifetime = Lifetime.TEMPORARY_VARIABLE

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy's element type of the memory; ValueError where it is not known."""
        if self.precision is None:
            raise ValueError("the element type of this tensor is not known")
        return dtype_of(self.precision)

    @classmethod
    def of(cls, described: Sequence[Any]) -> TensorType:
        """From the bridge's tuple."""
        precision, layout, lifetime, shape, candidates, quantisation = described
        quant = None
        if quantisation is not None:
            scales, zero_point, axis = quantisation
            quant = Quantisation(tuple(scales), zero_point, axis)
        return cls(
            None if precision == UNKNOWN else Precision(precision),
            tuple(shape),
            tuple(tuple(candidate) for candidate in candidates),
            quant,
            Layout(layout),
            Lifetime(lifetime),
        )


class Operand:
    """A tensor of the model: an input, an intermediate, an output or a constant."""

    def __init__(
        self,
        index: int,
        type: TensorType,
        memory: Array | None = None,
        shape_values: Shape | None = None,
    ) -> None:
        self.index = index
        self.type = type
        #: Numbers of a shape that follows from the inputs' shapes (None: not known), or None.
        self.shape_values = shape_values
        self._memory = memory
        self._value: Array | None = None

    @property
    def precision(self) -> Precision | None:
        """The element type's code; None where it is not known."""
        return self.type.precision

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy's element type."""
        return self.type.dtype

    @property
    def shape(self) -> Shape:
        """Dimensions; None where one is not known before the model runs."""
        return self.type.shape

    @property
    def is_constant(self) -> bool:
        """Whether its elements are part of the model."""
        return self.type.lifetime in _CONSTANT

    @property
    def value(self) -> Array:
        """A constant's elements, read-only and yours to keep.

        Raises ValueError for operands that are no constants, and for constants that were not read
        while `build` or `supports` ran.
        """
        if self._value is None:
            if not self.is_constant:
                raise ValueError(f"{self} is not a constant")
            if self._memory is None:
                raise ValueError(f"{self}: constants can be read while the model is being built")
            self._value = self._memory.copy()
            self._value.flags.writeable = False
        return self._value

    def __repr__(self) -> str:
        kind = self.precision.name if self.precision is not None else "UNKNOWN"
        dims = ", ".join("?" if dim is None else str(dim) for dim in self.shape)
        return f"%{self.index}:{kind}[{dims}]"


class Operation:
    """One operation: its type's name and its operands in the definition's order."""

    def __init__(
        self,
        index: int,
        code: int,
        operands: Sequence[Operand | None],
        outputs: Sequence[Operand | None],
    ) -> None:
        self.index = index
        self.code = code
        self.operands = list(operands)
        self.outputs = list(outputs)
        known = code in OperationType.__members__.values()
        #: The declaration; None for a driver's own operation.
        self.info: OperationInfo | None = operations()[OperationType(code).name] if known else None
        #: The name of the operation without NNADAPTER_, for instance "CONV_2D".
        self.type = f"CUSTOM_{code}" if self.info is None else self.info.name
        self._names, self._repeated = _operand_names(self.info, len(self.operands))

    @property
    def inputs(self) -> dict[str, Operand | None]:
        """Operands by name, absent ones None; of a repeated one name0, name1, ..."""
        return dict(zip(self._names, self.operands, strict=True))

    def __getitem__(self, name: str) -> Operand:
        """The operand of this name; KeyError where the operation has none or it is absent."""
        operand = self.get(name)
        if operand is None:
            raise KeyError(f"{self.type} has no operand {name!r} here; it has {list(self.inputs)}")
        return operand

    def get(self, name: str) -> Operand | None:
        """The operand of this name, or None."""
        return self.inputs.get(name)

    @property
    def repeated(self) -> list[Operand]:
        """What a repeated operand stands for: CONCAT's tensors, for instance."""
        return [operand for operand in self.operands[self._repeated] if operand is not None]

    @property
    def output(self) -> Operand:
        """The first output."""
        if not self.outputs or self.outputs[0] is None:
            raise ValueError(f"{self.type} has no first output")
        return self.outputs[0]

    def number(self, name: str, default: Any = None) -> Any:
        """A constant of one element as int, float or bool; `default` where it is absent.

        Raises ValueError where it is not constant or not one number.
        """
        operand = self.get(name)
        if operand is None:
            if default is None:
                raise ValueError(f"{self.type} needs its operand {name!r}")
            return default
        value = operand.value
        if value.size != 1:
            raise ValueError(f"{self.type}: {name} has {value.size} elements, not one")
        return value.reshape(()).item()

    def numbers(self, name: str, default: Sequence[int] = ()) -> list[Any]:
        """A constant list of numbers; `default` where it is absent or empty."""
        operand = self.get(name)
        if operand is None or 0 in operand.shape:
            return list(default)
        return list(operand.value.reshape(-1).tolist())

    def __repr__(self) -> str:
        return f"{self.type}({', '.join(map(repr, self.operands))}) -> {self.outputs}"


def _operand_names(info: OperationInfo | None, count: int) -> tuple[list[str], slice]:
    """Names of `count` inputs, and which of them a repeated one stands for."""
    declared = () if info is None else info.inputs
    names: list[str] = []
    repeated = slice(0, 0)
    for position, operand in enumerate(declared):
        if operand.repeated:
            repeated = slice(position, max(position, count - (len(declared) - 1 - position)))
            names += [f"{operand.name}{i}" for i in range(repeated.stop - position)]
        else:
            names.append(operand.name)
    # Operands beyond the definition.
    names += [f"operand{i}" for i in range(len(names), count)]
    return names[:count], repeated


@dataclass
class Model:
    """Operations in an order in which they can run, the model's inputs and its outputs."""

    described: dict[str, Any]
    operands: list[Operand] = field(init=False)
    operations: list[Operation] = field(init=False)
    inputs: list[Operand] = field(init=False)
    outputs: list[Operand] = field(init=False)

    def __post_init__(self) -> None:
        described, self.described = self.described, {}
        self.operands = [
            Operand(i, TensorType.of(type), memory, None if values is None else tuple(values))
            for i, (type, memory, values) in enumerate(described["operands"])
        ]
        # The order that was given is the one in which the caller is answered.
        self.given = [
            Operation(i, code, self._pick(inputs), self._pick(outputs))
            for i, (code, inputs, outputs) in enumerate(described["operations"])
        ]
        self.inputs = [self.operands[i] for i in described["inputs"]]
        self.outputs = [self.operands[i] for i in described["outputs"]]
        self.operations = list(_ordered(self.given))

    def _pick(self, indices: Sequence[int | None]) -> list[Operand | None]:
        return [None if i is None else self.operands[i] for i in indices]

    def _close(self) -> None:
        """Called when the memory that the constants were read from may go away."""
        for operand in self.operands:
            operand._memory = None


def _ordered(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Each operation after those that compute its operands; ValueError for a cycle."""
    producer = {out.index: op for op in operations for out in op.outputs if out is not None}
    waits: dict[int, int] = {}
    readers: dict[int, list[Operation]] = {}
    for op in operations:
        sources = {
            producer[operand.index].index
            for operand in op.operands
            if operand is not None and operand.index in producer
        }
        waits[op.index] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(op)
    ready = [op for op in operations if not waits[op.index]]
    for op in ready:  # grows while it is walked
        yield op
        for reader in readers.get(op.index, ()):
            waits[reader.index] -= 1
            if not waits[reader.index]:
                ready.append(reader)
    if len(ready) != len(operations):
        raise ValueError("the model's operations form a cycle")


__all__ = ["Model", "Operand", "Operation", "Quantisation", "TensorType"]
