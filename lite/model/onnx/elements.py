"""ONNX's element types: their numbers, numpy's names for them, and what they are here."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from lite.model.program import DataType


class Element(IntEnum):
    """``TensorProto.DataType``."""

    FLOAT = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    STRING = 8
    BOOL = 9
    FLOAT16 = 10
    DOUBLE = 11
    UINT32 = 12
    UINT64 = 13
    COMPLEX64 = 14
    COMPLEX128 = 15
    BFLOAT16 = 16
    FLOAT8E4M3FN = 17
    FLOAT8E4M3FNUZ = 18
    FLOAT8E5M2 = 19
    FLOAT8E5M2FNUZ = 20
    UINT4 = 21
    INT4 = 22
    FLOAT4E2M1 = 23
    FLOAT8E8M0 = 24
    UINT2 = 25
    INT2 = 26


NUMPY: dict[Element, np.dtype[Any]] = {
    element: np.dtype(name)
    for element, name in {
        Element.FLOAT: "float32",
        Element.UINT8: "uint8",
        Element.INT8: "int8",
        Element.UINT16: "uint16",
        Element.INT16: "int16",
        Element.INT32: "int32",
        Element.INT64: "int64",
        Element.BOOL: "bool",
        Element.FLOAT16: "float16",
        Element.DOUBLE: "float64",
        Element.UINT32: "uint32",
        Element.UINT64: "uint64",
    }.items()
}
"""The element types that numpy has; a model of ours holds no complex numbers."""

ELEMENTS: dict[str, Element] = {dtype.name: element for element, dtype in NUMPY.items()}
"""By numpy's name."""

HELD: dict[Element, DataType] = {
    Element.FLOAT: DataType.FP32,
    Element.FLOAT16: DataType.FP32,
    Element.BFLOAT16: DataType.FP32,
    Element.DOUBLE: DataType.FP64,
    Element.BOOL: DataType.BOOL,
    Element.INT8: DataType.INT8,
    Element.UINT8: DataType.UINT8,
    Element.INT16: DataType.INT16,
    Element.UINT16: DataType.INT32,
    Element.INT32: DataType.INT32,
    Element.UINT32: DataType.INT64,
    Element.INT64: DataType.INT64,
    Element.UINT64: DataType.INT64,
    Element.INT4: DataType.INT8,
    Element.UINT4: DataType.UINT8,
    Element.INT2: DataType.INT8,
    Element.UINT2: DataType.UINT8,
}
"""What a tensor is here; halves are computed in float32, as everywhere."""


def bfloat16_values(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float32 of the bits of bfloat16 (uint16), which are its upper half."""
    wide = bits.astype(np.uint32) << 16
    return wide.view(np.float32)


def type_text(element: int) -> str:
    """An element type as ONNX Runtime writes it, ``float`` or ``int64``."""
    try:
        return Element(element).name.lower()
    except ValueError:
        return f"element type {element}"
