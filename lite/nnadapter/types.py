"""The numbers of nnadapter.h, and numpy's element types of operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.table import (
    MAX_DIMENSIONS,
    MAX_DYNAMIC_SHAPES,
    UNKNOWN,
    VERSION,
    AutoPad,
    DeviceType,
    FuseCode,
    InterpolateMode,
    Layout,
    Lifetime,
    OperationType,
    PadMode,
    Precision,
    ResultCode,
)


def dtype_of(precision: int) -> np.dtype[Any]:
    """numpy's element type of an operand; ValueError for an unknown precision."""
    return np.dtype(Precision(precision).element)


def precision_of(dtype: Any) -> Precision:
    """The precision of unquantised elements; ValueError for a type that operands cannot have."""
    wanted = np.dtype(dtype)
    for precision in Precision:
        if not precision.quantised and dtype_of(precision) == wanted:
            return precision
    raise ValueError(f"no operand has elements of type {wanted}")


__all__ = [
    "MAX_DIMENSIONS",
    "MAX_DYNAMIC_SHAPES",
    "UNKNOWN",
    "VERSION",
    "AutoPad",
    "DeviceType",
    "FuseCode",
    "InterpolateMode",
    "Layout",
    "Lifetime",
    "OperationType",
    "PadMode",
    "Precision",
    "ResultCode",
    "dtype_of",
    "precision_of",
]
