"""Element types, precisions and places, with the names and numbers of ``paddle.inference``."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from lite.errors import DataTypeError


class _Enum(IntEnum):
    """Prints as Paddle's do: PaddleDType.FLOAT32 and <PaddleDType.FLOAT32: 0>."""

    def __str__(self) -> str:
        return f"{_PADDLE_NAMES[type(self).__name__]}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self.value}>"


class DataType(_Enum):
    """The type of a tensor's elements."""

    FLOAT64 = 7
    FLOAT32 = 0
    FLOAT16 = 5
    BFLOAT16 = 8
    INT64 = 1
    INT32 = 2
    UINT8 = 3
    INT8 = 4
    BOOL = 6


class PrecisionType(_Enum):
    """In what a model computes. On the CPU that is float32, whatever is asked for."""

    Float32 = 0
    Int8 = 1
    Half = 2
    Bfloat16 = 3


class PlaceType(_Enum):
    """Where a tensor's memory is: always the CPU's."""

    UNK = -1
    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM = 4


_PADDLE_NAMES = {
    "DataType": "PaddleDType",
    "PrecisionType": "Precision",
    "PlaceType": "PaddlePlace",
}


class _PrecisionNames:
    """``Config.Half`` is ``PrecisionType.Half``, and so on."""

    __slots__ = ()
    Precision: ClassVar[type[PrecisionType]] = PrecisionType
    Float32: ClassVar[PrecisionType] = PrecisionType.Float32
    Int8: ClassVar[PrecisionType] = PrecisionType.Int8
    Half: ClassVar[PrecisionType] = PrecisionType.Half
    Bfloat16: ClassVar[PrecisionType] = PrecisionType.Bfloat16


_BYTES = {"FLOAT64": 8, "INT64": 8, "FLOAT16": 2, "BFLOAT16": 2, "UINT8": 1, "INT8": 1, "BOOL": 1}


def num_bytes(dtype: DataType) -> int:
    """Bytes of one element."""
    return _BYTES.get(dtype.name, 4)


def data_type(name: str) -> DataType:
    """The DataType of an element type's name. DataTypeError where Paddle has none."""
    found = DataType.__members__.get(name.upper())
    if found is None:
        raise DataTypeError(f"paddle.inference has no DataType for {name}; use lite.load()")
    return found
