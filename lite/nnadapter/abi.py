"""The C API in ctypes: its structures, its functions typed, its codes as exceptions."""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lite.errors import DeviceError

from .types import (
    MAX_DIMENSIONS,
    MAX_DYNAMIC_SHAPES,
    UNKNOWN,
    Layout,
    Precision,
    ResultCode,
    dtype_of,
)

_ASYMMETRIC = {precision for precision in Precision if "_ASYMM_" in precision.name}


class Dimensions(ctypes.Structure):
    """NNAdapterOperandDimensionType."""

    _fields_ = [
        ("count", ctypes.c_uint32),
        ("data", ctypes.c_int32 * MAX_DIMENSIONS),
        ("dynamic_count", ctypes.c_uint32),
        ("dynamic_data", ctypes.c_int32 * MAX_DIMENSIONS * MAX_DYNAMIC_SHAPES),
    ]


class SymmPerLayer(ctypes.Structure):
    """NNAdapterSymmPerLayerQuantParams."""

    _fields_ = [("scale", ctypes.c_float)]


class SymmPerChannel(ctypes.Structure):
    """NNAdapterSymmPerChannelQuantParams."""

    _fields_ = [
        ("channel_dim", ctypes.c_uint32),
        ("scale_count", ctypes.c_uint32),
        ("scales", ctypes.POINTER(ctypes.c_float)),
    ]


class AsymmPerLayer(ctypes.Structure):
    """NNAdapterAsymmPerLayerQuantParams."""

    _fields_ = [("scale", ctypes.c_float), ("zero_point", ctypes.c_int32)]


class _Quant(ctypes.Union):
    _fields_ = [
        ("symm_per_layer_params", SymmPerLayer),
        ("symm_per_channel_params", SymmPerChannel),
        ("asymm_per_layer_params", AsymmPerLayer),
    ]


class OperandType(ctypes.Structure):
    """NNAdapterOperandType."""

    _anonymous_ = ("quant",)
    _fields_ = [
        ("precision", ctypes.c_int32),
        ("layout", ctypes.c_int32),
        ("lifetime", ctypes.c_int32),
        ("dimensions", Dimensions),
        ("quant", _Quant),
    ]

    @property
    def shape(self) -> tuple[int, ...]:
        """Dimensions; -1 where one is unknown."""
        data = self.dimensions.data[: self.dimensions.count]
        return tuple(-1 if d == UNKNOWN else d for d in data)

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy's element type."""
        return dtype_of(self.precision)


ACCESS = ctypes.CFUNCTYPE(
    ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(OperandType), ctypes.c_void_p
)
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)


@dataclass(frozen=True)
class Quantisation:
    """real = scale * (quantised - zero_point); one scale, or one for each index of an axis."""

    scales: tuple[float, ...]
    zero_point: int = 0
    channel_axis: int | None = None


def operand_type(
    precision: int | None,
    shape: Sequence[int] | None,
    *,
    candidates: Sequence[Sequence[int]] = (),
    layout: Layout = Layout.NCHW,
    quantisation: Quantisation | None = None,
) -> OperandType:
    """Describes an operand; both None asks addOperation to infer. -1 is an unknown dimension."""
    result = OperandType(precision=UNKNOWN if precision is None else precision, layout=layout)
    if len(shape or ()) > MAX_DIMENSIONS or len(candidates) > MAX_DYNAMIC_SHAPES:
        raise ValueError(f"shape {shape}, {len(candidates)} candidates: at most 8 axes, 8 shapes")
    result.dimensions.count = len(shape or ())
    for axis, extent in enumerate(shape or ()):
        result.dimensions.data[axis] = UNKNOWN if extent == -1 else extent
    result.dimensions.dynamic_count = len(candidates)
    for row, candidate in enumerate(candidates):
        if len(candidate) != len(shape or ()):
            raise ValueError(f"candidate {list(candidate)} has another rank than {shape}")
        for axis, extent in enumerate(candidate):
            result.dimensions.dynamic_data[row][axis] = extent
    if quantisation is not None:
        _quantise(result, quantisation, precision)
    return result


def _quantise(result: OperandType, quantisation: Quantisation, precision: int | None) -> None:
    scales = quantisation.scales
    if quantisation.channel_axis is not None:
        values = (ctypes.c_float * len(scales))(*scales)
        result.symm_per_channel_params = SymmPerChannel(
            quantisation.channel_axis,
            len(scales),
            ctypes.cast(values, ctypes.POINTER(ctypes.c_float)),
        )
        result.keep = values
    elif precision in _ASYMMETRIC:
        result.asymm_per_layer_params = AsymmPerLayer(scales[0], quantisation.zero_point)
    else:
        result.symm_per_layer_params = SymmPerLayer(scales[0])


_HANDLE = ctypes.c_void_p
_OUT = ctypes.POINTER(ctypes.c_void_p)
TYPE_POINTER = ctypes.POINTER(OperandType)
_U32 = ctypes.c_uint32
SIGNATURES: dict[str, list[Any]] = {
    "NNAdapter_getVersion": [ctypes.POINTER(_U32)],
    "NNAdapter_getDeviceCount": [ctypes.POINTER(_U32)],
    "NNAdapterDevice_acquire": [ctypes.c_char_p, _OUT],
    "NNAdapterDevice_getName": [_HANDLE, ctypes.POINTER(ctypes.c_char_p)],
    "NNAdapterDevice_getVendor": [_HANDLE, ctypes.POINTER(ctypes.c_char_p)],
    "NNAdapterDevice_getType": [_HANDLE, ctypes.POINTER(ctypes.c_int32)],
    "NNAdapterDevice_getVersion": [_HANDLE, ctypes.POINTER(ctypes.c_int32)],
    "NNAdapterContext_create": [_OUT, _U32, ctypes.c_char_p, ctypes.c_void_p, _OUT],
    "NNAdapterModel_create": [_OUT],
    "NNAdapterModel_finish": [_HANDLE],
    "NNAdapterModel_addOperand": [_HANDLE, TYPE_POINTER, _OUT],
    "NNAdapterModel_setOperandValue": [_HANDLE, ctypes.c_void_p, _U32, ctypes.c_bool],
    "NNAdapterModel_getOperandType": [_HANDLE, ctypes.POINTER(TYPE_POINTER)],
    "NNAdapterModel_addOperation": [_HANDLE, ctypes.c_int32, _U32, _OUT, _U32, _OUT, _OUT],
    "NNAdapterModel_identifyInputsAndOutputs": [_HANDLE, _U32, _OUT, _U32, _OUT],
    "NNAdapterModel_getSupportedOperations": [_HANDLE, _HANDLE, ctypes.POINTER(ctypes.c_bool)],
    "NNAdapterModel_getRefusal": [_U32, ctypes.POINTER(ctypes.c_char_p)],
    "NNAdapterCompilation_create": [
        *(_HANDLE, ctypes.c_char_p, ctypes.c_void_p, _U32, ctypes.c_char_p, _HANDLE, _OUT)
    ],
    "NNAdapterCompilation_finish": [_HANDLE],
    "NNAdapterCompilation_queryInputsAndOutputs": [
        *(_HANDLE, ctypes.POINTER(_U32), ctypes.POINTER(TYPE_POINTER)),
        *(ctypes.POINTER(_U32), ctypes.POINTER(TYPE_POINTER)),
    ],
    "NNAdapterExecution_create": [_HANDLE, _OUT],
    "NNAdapterExecution_setInput": [_HANDLE, ctypes.c_int32, ctypes.c_void_p, ACCESS],
    "NNAdapterExecution_setOutput": [_HANDLE, ctypes.c_int32, ctypes.c_void_p, ACCESS],
    "NNAdapterExecution_compute": [_HANDLE],
}
RELEASES = (
    *("Device_release", "Context_destroy", "Model_destroy", "Compilation_destroy"),
    "Execution_destroy",
)


@functools.cache
def library() -> ctypes.CDLL:
    """libnnadapter.so of this package, its functions typed; DeviceError where it is missing."""
    path = Path(__file__).resolve().parent.parent / "libnnadapter.so"
    try:
        result = ctypes.CDLL(str(path))
    except OSError as error:
        raise DeviceError(f"cannot load the NNAdapter runtime {path}: {error}") from None
    for name, arguments in SIGNATURES.items():
        getattr(result, name).argtypes = arguments
    for name in RELEASES:
        function = getattr(result, f"NNAdapter{name}")
        function.argtypes, function.restype = [_HANDLE], None
    result.NNAdapter_getLastErrorMessage.restype = ctypes.c_char_p
    return result


@functools.cache
def extension() -> Any:
    """lite._nnadapter, what of the runtime needs Python; DeviceError where it is missing."""
    try:
        return importlib.import_module("lite._nnadapter")
    except ImportError as error:
        raise DeviceError(f"the NNAdapter runtime is not part of this build: {error}") from error


def include_dir() -> str:
    """The folder of the headers: `-I` for clients and for HAL libraries."""
    return str(Path(__file__).resolve().parent / "include")


def call(name: str, *arguments: Any) -> None:
    """Calls NNAdapter<name>; raises DeviceError unless it returns NO_ERROR."""
    code = getattr(library(), f"NNAdapter{name}")(*arguments)
    if code != ResultCode.NO_ERROR:
        raise error_of(name, code)


def error_of(name: str, code: int) -> DeviceError:
    """The DeviceError of a code that NNAdapter<name> has just returned in this thread."""
    text = library().NNAdapter_getLastErrorMessage().decode(errors="replace")
    known = code in ResultCode.__members__.values()
    label = ResultCode(code).name if known else f"code {code}"
    error = DeviceError(f"NNAdapter{name}: {label}: {text or 'no text'}")
    error.code = ResultCode(code) if known else code  # type: ignore[attr-defined]
    return error
