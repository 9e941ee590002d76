"""The operations' cases as a file, for nnadapter_device_test on boards without Python.

The format: lite/nnadapter/device_test/case_file.cc.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.errors import ConfigError
from lite.model.atomic import replacing

from .. import capi
from ..types import UNKNOWN, OperationType, Precision
from . import operations  # noqa: F401 - adds the cases
from .case import Array, Case, all_cases

_MAGIC, _VERSION = b"NNACASES", 1
_INPUT, _CONSTANT, _OUTPUT = range(3)


class _Recorder(capi.Model):
    """A model that keeps what it was built of."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[capi.OperandType] = []
        self.values: dict[int, Array] = {}
        self._numbers: dict[int | None, int] = {}

    def number(self, operand: capi.Operand | None) -> int:
        """Its place among the operands; -1 for none."""
        return -1 if operand is None else self._numbers[operand.handle.value]

    def operand(self, kind: capi.OperandType) -> capi.Operand:
        """Keeps its type."""
        result = super().operand(kind)
        self._numbers[result.handle.value] = len(self.kinds)
        self.kinds.append(kind)
        return result

    def set_value(self, operand: capi.Operand, array: Array, copy: bool = True) -> None:
        """Keeps the elements."""
        super().set_value(operand, array, copy)
        self.values[self.number(operand)] = array

    def operation(
        self,
        kind: int | str,
        inputs: Sequence[capi.Operand | None],
        outputs: Sequence[capi.Operand | None] | int = 1,
    ) -> list[capi.Operand]:
        """Keeps the numbers of inputs and outputs."""
        results = super().operation(kind, inputs, outputs)
        self.inputs = [self.number(i) for i in inputs]
        self.results = [self.number(o) for o in results]
        return results

    def finish(self, inputs: Sequence[capi.Operand], outputs: Sequence[capi.Operand]) -> capi.Model:
        """Keeps the numbers of the model's inputs."""
        self.variables = [self.number(i) for i in inputs]
        return super().finish(inputs, outputs)


def write_cases(path: str, only: str = "") -> int:
    """Writes the cases whose name contains `only`; returns how many there are."""
    cases = [case for case in all_cases() if only.lower() in case.name.lower()]
    if not cases:
        raise ConfigError(f"no case has {only!r} in its name")
    body = struct.pack("<I", len(cases)) + b"".join(map(encode, cases))
    with replacing(path) as file:
        file.write(_MAGIC + struct.pack("<II", _VERSION, zlib.crc32(body)) + body)
    return len(cases)


def encode(case: Case) -> bytes:
    """A case's bytes."""
    model = _Recorder()
    case.build(model)
    variables = dict(zip(model.variables, case.variables, strict=True))
    operands = []
    for number, kind in enumerate(model.kinds):
        if number in variables:
            operands.append(_operand(_INPUT, kind, variables[number]))
        elif number in model.results:
            operands.append(_operand(_OUTPUT, kind))
        else:  # a list without elements has no value
            operands.append(_operand(_CONSTANT, kind, model.values.get(number)))
    expected = [_expected(np.asarray(array)) for array in case.expected()]
    return b"".join(
        [
            _text(case.name),
            _text(case.operation),
            struct.pack("<idi", OperationType[case.operation], case.tolerance, case.levels),
            *(struct.pack("<I", len(operands)), *operands),
            *(_array("<i4", model.inputs), _array("<i4", model.results)),
            *(struct.pack("<I", len(expected)), *expected),
        ]
    )


def _array(kind: str, values: Any) -> bytes:
    array = np.asarray(values, kind)
    return struct.pack("<I", array.size) + array.tobytes()


def _text(text: str) -> bytes:
    return _array("u1", list(text.encode("ascii", "backslashreplace")))


def _operand(role: int, kind: capi.OperandType, value: Array | None = None) -> bytes:
    scales, channel, zero = _quantisation(kind)
    elements = b"" if value is None else value.astype(value.dtype.newbyteorder("<")).tobytes()
    return b"".join(
        [
            struct.pack("<Bi", role, kind.precision),
            _array("<i4", kind.shape),
            _array("<f4", scales),
            struct.pack("<iiI", channel, zero, len(elements)),
            elements,
        ]
    )


def _quantisation(kind: capi.OperandType) -> tuple[list[float], int, int]:
    """Scales, their axis and the zero point."""
    if kind.precision == UNKNOWN or not Precision(kind.precision).name.startswith("QUANT"):
        return [], 0, 0
    name = Precision(kind.precision).name
    if name.endswith("PER_CHANNEL"):
        channels = kind.symm_per_channel_params
        return channels.scales[: channels.scale_count], channels.channel_dim, 0
    if "ASYMM" in name:
        return [kind.asymm_per_layer_params.scale], 0, kind.asymm_per_layer_params.zero_point
    return [kind.symm_per_layer_params.scale], 0, 0


def _expected(array: Array) -> bytes:
    kind: tuple[int, str] = (1, "<i8") if array.dtype.kind in "iub" else (0, "<f8")
    return _array("<i4", array.shape) + struct.pack("<B", kind[0]) + _array(kind[1], array)


__all__ = ["encode", "write_cases"]
