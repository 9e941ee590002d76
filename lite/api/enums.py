"""Places and modes, with the names and numbers of Paddle Lite's Python API."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from lite.api import arguments

_E = TypeVar("_E", bound=IntEnum)


class _Enum(IntEnum):
    # Python 3.11 would print the number.
    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class TargetType(_Enum):
    """Where a kernel runs. Host, X86 and ARM all mean this machine's CPU here."""

    Unk = 0
    Host = 1
    X86 = 2
    ARM = 4
    OpenCL = 5
    Any = 6
    FPGA = 7
    XPU = 9
    BM = 10
    MLU = 11
    RKNPU = 12
    APU = 13
    HUAWEI_ASCEND_NPU = 14
    IMAGINATION_NNA = 15
    INTEL_FPGA = 16
    Metal = 17
    NNAdapter = 18


class PrecisionType(_Enum):
    """Element types as kernels name them."""

    Unk = 0
    FP32 = 1
    INT8 = 2
    INT32 = 3
    Any = 4
    FP16 = 5
    BOOL = 6
    INT64 = 7
    INT16 = 8
    UINT8 = 9
    FP64 = 10


class DataLayoutType(_Enum):
    """Memory layouts."""

    Unk = 0
    NCHW = 1
    Any = 2
    NHWC = 3
    ImageDefault = 4
    ImageFolder = 5
    ImageNW = 6
    MetalTexture2DArray = 7
    MetalTexture2D = 8


class PowerMode(_Enum):
    """Which cores runs use: HIGH the fast ones, LOW the slow ones, FULL all, NO_BIND any.

    The system chooses among a mode's cores, so RAND_HIGH is HIGH and RAND_LOW is LOW.
    """

    LITE_POWER_HIGH = 0
    LITE_POWER_LOW = 1
    LITE_POWER_FULL = 2
    LITE_POWER_NO_BIND = 3
    LITE_POWER_RAND_HIGH = 4
    LITE_POWER_RAND_LOW = 5


class CLTuneMode(_Enum):
    """OpenCL tuning modes."""

    CL_TUNE_NONE = 0
    CL_TUNE_RAPID = 1
    CL_TUNE_NORMAL = 2
    CL_TUNE_EXHAUSTIVE = 3


class CLPrecisionType(_Enum):
    """OpenCL precisions."""

    CL_PRECISION_AUTO = 0
    CL_PRECISION_FP32 = 1
    CL_PRECISION_FP16 = 2


class Place:
    """A target with precision, layout and device number.

    The keyword ``percision`` is spelled as in Paddle Lite; ``precision`` works too.
    """

    __slots__ = ("device", "layout", "precision", "target")

    def __init__(
        self,
        target: TargetType,
        percision: PrecisionType = PrecisionType.FP32,
        layout: DataLayoutType = DataLayoutType.NCHW,
        device: int = 0,
        *,
        precision: PrecisionType | None = None,
    ) -> None:
        self.target = _as(TargetType, target)
        self.precision = _as(PrecisionType, percision if precision is None else precision)
        self.layout = _as(DataLayoutType, layout)
        self.device = arguments.integer(device, "device")

    def is_valid(self) -> bool:
        """False while target, precision or layout is unknown."""
        return bool(self.target and self.precision and self.layout)

    def __repr__(self) -> str:
        return f"Place({self.target.name}, {self.precision.name}, {self.layout.name})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, int, int, int]:
        return (self.target, self.precision, self.layout, self.device)


def _as(enum: type[_E], value: object) -> _E:
    if not isinstance(value, enum):
        raise TypeError(f"expected a {enum.__name__}, not {value!r}")
    return value
