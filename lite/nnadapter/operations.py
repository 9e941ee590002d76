"""What each NNAdapter operation takes and gives: the runtime's registry, as Python sees it."""

from __future__ import annotations

import ctypes
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .abi import library
from .types import OperationType, Precision


@dataclass(frozen=True)
class OperandInfo:
    """One operand of an operation's declaration.

    `kind`: "tensor" is computed or constant; "int", "ints", "float", "floats" and "bool" are
    constants; "shape" is a list of numbers that may also be computed. A repeated operand stands
    for one or more; an optional one may be None.
    """

    name: str
    kind: str
    precisions: tuple[Precision, ...]
    optional: bool
    repeated: bool
    doc: str


@dataclass(frozen=True)
class OperationInfo:
    """The declaration of an operation, its operands in the order of NNAdapterModel_addOperation."""

    type: OperationType
    doc: str
    inputs: tuple[OperandInfo, ...]
    outputs: tuple[OperandInfo, ...]

    @property
    def name(self) -> str:
        """Without the prefix NNADAPTER_."""
        return self.type.name


def _operands(described: list[dict[str, Any]]) -> tuple[OperandInfo, ...]:
    return tuple(
        OperandInfo(**{**operand, "precisions": tuple(map(Precision, operand["precisions"]))})
        for operand in described
    )


@functools.cache
def operations() -> Mapping[str, OperationInfo]:
    """All operations by name, in the order of their codes.

    Raises DeviceError where libnnadapter.so cannot be loaded.
    """
    describe = library().NNAdapter_describeOperations
    describe.restype = ctypes.c_char_p
    text = describe()
    if text is None:
        raise MemoryError("NNAdapter_describeOperations")
    found = {}
    for entry in json.loads(text.decode()):
        kind = OperationType(entry["code"])
        if kind.name != entry["name"]:
            raise ValueError(f"operation {kind} is called {entry['name']} in the registry")
        found[kind.name] = OperationInfo(
            kind, entry["doc"], _operands(entry["inputs"]), _operands(entry["outputs"])
        )
    return MappingProxyType(found)


__all__ = ["OperandInfo", "OperationInfo", "operations"]
