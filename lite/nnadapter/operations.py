"""What each NNAdapter operation takes and gives, as the table declares it."""

from __future__ import annotations

from collections.abc import Mapping

from lite.nnadapter.table import Operand as OperandInfo
from lite.nnadapter.table import OperationType as OperationInfo


def operations() -> Mapping[str, OperationInfo]:
    """All operations by name, in the order of their codes."""
    return OperationInfo.__members__


__all__ = ["OperandInfo", "OperationInfo", "operations"]
