"""The numbers of nnadapter.h, and numpy's element types of operands."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

VERSION = 1
# An unknown dimension, or an unknown precision.
UNKNOWN = -65535
MAX_DIMENSIONS = 8
MAX_DYNAMIC_SHAPES = 8


class ResultCode(IntEnum):
    """What a function of the C API returns."""

    NO_ERROR = 0
    OUT_OF_MEMORY = 1
    INVALID_DIMENSIONS = 2
    INVALID_PARAMETER = 3
    DEVICE_NOT_FOUND = 4
    DEVICE_INTERNAL_ERROR = 5
    FEATURE_NOT_SUPPORTED = 6


class Precision(IntEnum):
    """Element types; QUANT_* carry scales (and zero points)."""

    BOOL8 = 0
    INT8 = 1
    UINT8 = 2
    INT16 = 3
    UINT16 = 4
    INT32 = 5
    UINT32 = 6
    INT64 = 7
    UINT64 = 8
    FLOAT16 = 9
    FLOAT32 = 10
    FLOAT64 = 11
    QUANT_INT8_SYMM_PER_LAYER = 24
    QUANT_INT8_SYMM_PER_CHANNEL = 25
    QUANT_UINT8_ASYMM_PER_LAYER = 26
    QUANT_INT16_SYMM_PER_LAYER = 27
    QUANT_INT16_SYMM_PER_CHANNEL = 28
    QUANT_UINT16_ASYMM_PER_LAYER = 29
    QUANT_INT32_SYMM_PER_LAYER = 30
    QUANT_INT32_SYMM_PER_CHANNEL = 31
    QUANT_UINT32_ASYMM_PER_LAYER = 32


class Layout(IntEnum):
    """Meaning of the axes of a 4-D operand."""

    NCHW = 0
    NHWC = 1
    HWCN = 2
    HWNC = 3


class Lifetime(IntEnum):
    """Where an operand's elements live."""

    TEMPORARY_VARIABLE = 0
    TEMPORARY_SHAPE = 1
    CONSTANT_COPY = 2
    CONSTANT_REFERENCE = 3
    MODEL_INPUT = 4
    MODEL_OUTPUT = 5


class DeviceType(IntEnum):
    """Kind of a device."""

    CPU = 0
    GPU = 1
    ACCELERATOR = 2


class FuseCode(IntEnum):
    """Activation that an operation applies to its result."""

    NONE = 0
    RELU = 1
    RELU1 = 2
    RELU6 = 3


class AutoPad(IntEnum):
    """How paddings are found."""

    NONE = 0
    SAME = 1
    VALID = 2


class PadMode(IntEnum):
    """What PAD and GRID_SAMPLE read outside."""

    NONE = 0
    CONSTANT = 1
    REFLECT = 2
    REPLICATE = 3
    EDGE = 4


class InterpolateMode(IntEnum):
    """How GRID_SAMPLE reads between elements."""

    NONE = 0
    BILINEAR = 1
    NEAREST = 2


class OperationType(IntEnum):
    """The operations; negative codes are a driver's own."""

    ABS = 0
    ADAPTIVE_AVERAGE_POOL_2D = 1
    ADAPTIVE_MAX_POOL_2D = 2
    ADD = 3
    AND = 4
    ARG_MAX = 5
    ARG_MIN = 6
    ASSIGN = 7
    AVERAGE_POOL_2D = 8
    BATCH_NORMALIZATION = 9
    CAST = 10
    CHANNEL_SHUFFLE = 11
    CLIP = 12
    CONCAT = 13
    CONV_2D = 14
    CONV_2D_TRANSPOSE = 15
    COS = 16
    CUM_SUM = 17
    DEFORMABLE_CONV_2D = 18
    DEQUANTIZE = 19
    DIV = 20
    EQUAL = 21
    EXP = 22
    EXPAND = 23
    FILL = 24
    FILL_LIKE = 25
    FLATTEN = 26
    FLOOR = 27
    FLOOR_DIV = 28
    FULLY_CONNECTED = 29
    GATHER = 30
    GELU = 31
    GREATER = 32
    GREATER_EQUAL = 33
    GRID_SAMPLE = 34
    GROUP_NORMALIZATION = 35
    HARD_SIGMOID = 36
    HARD_SWISH = 37
    INSTANCE_NORMALIZATION = 38
    LAYER_NORMALIZATION = 39
    LEAKY_RELU = 40
    LESS = 41
    LESS_EQUAL = 42
    LOG = 43
    LOG_SOFTMAX = 44
    LP_NORMALIZATION = 45
    LRN = 46
    MAT_MUL = 47
    MAX = 48
    MAX_POOL_2D = 49
    MESHGRID = 50
    MIN = 51
    MUL = 52
    NOT = 53
    NOT_EQUAL = 54
    OR = 55
    PAD = 56
    POW = 57
    PRIOR_BOX = 58
    PRELU = 59
    QUANTIZE = 60
    RANGE = 61
    REDUCE_MEAN = 62
    REDUCE_MAX = 63
    REDUCE_SUM = 64
    RELU = 65
    RELU6 = 66
    RESHAPE = 67
    RESIZE_NEAREST = 68
    RESIZE_LINEAR = 69
    ROI_ALIGN = 70
    ROLL = 71
    RSQRT = 72
    SHAPE = 73
    SIGMOID = 74
    SIN = 75
    SLICE = 76
    SOFTMAX = 77
    SOFTPLUS = 78
    SPLIT = 79
    SQUARE = 80
    SQUEEZE = 81
    STACK = 82
    SUB = 83
    SUM = 84
    SWISH = 85
    TANH = 86
    TILE = 87
    TOP_K = 88
    TRANSPOSE = 89
    UNSQUEEZE = 90
    UNSTACK = 91
    WHERE = 92
    XOR = 93
    NON_MAX_SUPPRESSION = 94
    YOLO_BOX = 95


_DTYPES: dict[Precision, type[Any]] = {
    Precision.BOOL8: np.bool_,
    Precision.INT8: np.int8,
    Precision.UINT8: np.uint8,
    Precision.INT16: np.int16,
    Precision.UINT16: np.uint16,
    Precision.INT32: np.int32,
    Precision.UINT32: np.uint32,
    Precision.INT64: np.int64,
    Precision.UINT64: np.uint64,
    Precision.FLOAT16: np.float16,
    Precision.FLOAT32: np.float32,
    Precision.FLOAT64: np.float64,
    Precision.QUANT_INT8_SYMM_PER_LAYER: np.int8,
    Precision.QUANT_INT8_SYMM_PER_CHANNEL: np.int8,
    Precision.QUANT_UINT8_ASYMM_PER_LAYER: np.uint8,
    Precision.QUANT_INT16_SYMM_PER_LAYER: np.int16,
    Precision.QUANT_INT16_SYMM_PER_CHANNEL: np.int16,
    Precision.QUANT_UINT16_ASYMM_PER_LAYER: np.uint16,
    Precision.QUANT_INT32_SYMM_PER_LAYER: np.int32,
    Precision.QUANT_INT32_SYMM_PER_CHANNEL: np.int32,
    Precision.QUANT_UINT32_ASYMM_PER_LAYER: np.uint32,
}


def dtype_of(precision: int) -> np.dtype[Any]:
    """numpy's element type of an operand; ValueError for an unknown precision."""
    return np.dtype(_DTYPES[Precision(precision)])


def precision_of(dtype: Any) -> Precision:
    """The precision of unquantised elements; ValueError for a type that operands cannot have."""
    wanted = np.dtype(dtype)
    for precision, candidate in _DTYPES.items():
        if precision <= Precision.FLOAT64 and np.dtype(candidate) == wanted:
            return precision
    raise ValueError(f"no operand has elements of type {wanted}")
