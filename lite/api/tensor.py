"""Tensor: a predictor's input or output, with the methods of Paddle Lite's Python API."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from lite import _core
from lite.api import arguments
from lite.api.enums import PrecisionType, TargetType
from lite.api.no_pickle import no_pickle
from lite.errors import DataTypeError, LiteError, ShapeError

_PRECISIONS = {
    "float32": PrecisionType.FP32,
    "float64": PrecisionType.FP64,
    "float16": PrecisionType.FP16,
    "int8": PrecisionType.INT8,
    "int16": PrecisionType.INT16,
    "int32": PrecisionType.INT32,
    "int64": PrecisionType.INT64,
    "uint8": PrecisionType.UINT8,
    "bool": PrecisionType.BOOL,
    "complex64": PrecisionType.Unk,  # Paddle Lite has no name for these
    "complex128": PrecisionType.Unk,
}


class Tensor:
    """A view of one input or output; it keeps its predictor alive.

    Arrays that it hands out are copies: they stay what they are when the predictor runs again.
    """

    __slots__ = ("_core", "_declared", "_index", "_is_input", "_name")

    def __init__(
        self, core: _core.Predictor, index: int, is_input: bool, name: str, declared: str | None
    ) -> None:
        if not isinstance(core, _core.Predictor):
            raise TypeError("tensors are had from a predictor's get_input and get_output")
        self._core = core
        self._index = index
        self._is_input = is_input
        self._name = name
        self._declared = declared

    def _meta(self) -> tuple[tuple[int, ...], str, list[list[int]]]:
        if self._is_input:
            return self._core.input_meta(self._index)
        return self._core.output_meta(self._index)

    def _require_input(self) -> None:
        if not self._is_input:
            raise LiteError(f"output '{self._name}' is written by run() and cannot be set")

    def name(self) -> str:
        """The variable's name."""
        return self._name

    def shape(self) -> list[int]:
        """The shape it has now.

        Before it was set or computed: what the model declares (-1 is free) for a CxxPredictor, []
        for a LightPredictor, as in Paddle Lite.
        """
        return list(self._meta()[0])

    def resize(self, shape: Sequence[int]) -> None:
        """Gives an input another shape; its data must be set again."""
        self._require_input()
        self._core.resize_input(self._index, _dims(shape, "the shape"))

    def precision(self) -> PrecisionType:
        """The element type it has now."""
        return _PRECISIONS[self._meta()[1]]

    def target(self) -> TargetType:
        """Where its memory is: always the host."""
        return TargetType.Host

    def lod(self) -> list[list[int]]:
        """The offsets of its sequences, level by level."""
        return self._meta()[2]

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Sets the offsets, e.g. [[0, 3, 5]]. Raises ValueError for offsets that do not rise."""
        self._require_input()
        self._core.set_input_lod(self._index, check_lod(lod))

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy as an array. Raises LiteError before there is data."""
        if self._is_input:
            return self._core.copy_input(self._index)
        return self._core.copy_output(self._index)

    def from_numpy(self, array: Any, place: TargetType = TargetType.Host) -> None:
        """Copies an array (or a list of numbers, taken as the declared type) into an input.

        Raises DataTypeError where the model declares another element type: values are never
        reinterpreted. The shape becomes the array's, the LoD stays.
        """
        self._require_input()
        _require_place(place)
        self._core.set_input(
            self._index, as_array(array, self._declared, self._name), self._meta()[2]
        )

    # -- Lists, as Paddle Lite has them.

    def set_float_data(self, data: Sequence[float], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into a float32 input whose shape resize() has set."""
        self._set_list(data, "float32", type)

    def set_int8_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int8 input whose shape resize() has set."""
        self._set_list(data, "int8", type)

    def set_uint8_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into a uint8 input whose shape resize() has set."""
        self._set_list(data, "uint8", type)

    def set_int32_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int32 input whose shape resize() has set."""
        self._set_list(data, "int32", type)

    def set_int64_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int64 input whose shape resize() has set."""
        self._set_list(data, "int64", type)

    def float_data(self) -> list[float]:
        """The elements, in memory order."""
        return self._get_list("float32")

    def int8_data(self) -> list[int]:
        """The elements, in memory order."""
        return self._get_list("int8")

    def uint8_data(self) -> list[int]:
        """The elements, in memory order."""
        return self._get_list("uint8")

    def int32_data(self) -> list[int]:
        """The elements, in memory order."""
        return self._get_list("int32")

    def int64_data(self) -> list[int]:
        """The elements, in memory order."""
        return self._get_list("int64")

    def _set_list(self, data: Sequence[float], dtype: str, place: TargetType) -> None:
        self._require_input()
        _require_place(place)
        shape = self._meta()[0]
        values = _numbers(data, dtype)
        if any(dim < 0 for dim in shape):
            raise ShapeError(
                f"input '{self._name}' has the declared shape {list(shape)}, of which -1 is free; "
                "call resize() first"
            )
        if values.size != math.prod(shape):
            raise ShapeError(
                f"input '{self._name}' has shape {list(shape)}, which takes {math.prod(shape)} "
                f"elements, but {values.size} were given; call resize() first"
            )
        self._core.set_input(self._index, values.reshape(shape), self._meta()[2])

    def _get_list(self, dtype: str) -> list[Any]:
        array = self.numpy()
        if array.dtype.name != dtype:
            raise DataTypeError(f"'{self._name}' holds {array.dtype.name}, not {dtype}")
        return list(array.reshape(-1).tolist())

    def __reduce__(self) -> NoReturn:
        no_pickle(self)

    def __repr__(self) -> str:
        shape, dtype, lod = self._meta()
        levels = f", lod={lod}" if lod else ""
        return f"Tensor({self._name!r}, shape={list(shape)}, dtype={dtype}{levels})"


def _require_place(place: TargetType) -> None:
    if not isinstance(place, TargetType):
        raise TypeError(f"the place of data must be a TargetType, not {place!r}")


def _dims(values: Sequence[int], what: str) -> list[int]:
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | np.ndarray):
        raise TypeError(f"{what} must be a list of ints, not {type(values).__name__}")
    dims = [arguments.integer(value, f"an item of {what}") for value in values]
    for dim in dims:
        if not 0 <= dim < 1 << 62:
            raise ValueError(f"{what} {dims} holds {dim}, expected 0 or more")
    return dims


def _numbers(data: Sequence[float], dtype: str) -> np.ndarray[Any, Any]:
    if isinstance(data, str | bytes) or not isinstance(data, Sequence | np.ndarray):
        raise TypeError(f"data must be a list of numbers, not {type(data).__name__}")
    values = np.asarray(data)
    if values.ndim > 1:
        raise ValueError(f"data must be a flat list, but has {values.ndim} dimensions")
    return _converted(values, dtype, "data")


def _converted(values: np.ndarray[Any, Any], dtype: str, what: str) -> np.ndarray[Any, Any]:
    """The same numbers in another element type; ValueError for numbers that it cannot hold."""
    if not values.size:
        return np.empty(values.shape, dtype)
    kind = np.dtype(dtype).kind
    if values.dtype.kind not in ("biufc" if kind == "c" else "biuf"):
        raise TypeError(f"{what} must be numbers, but has dtype {values.dtype}")
    if kind in "fc":
        with np.errstate(over="ignore"):
            converted = values.astype(dtype)
        if not np.array_equal(np.isfinite(values), np.isfinite(converted)):
            raise ValueError(f"{what} holds numbers beyond {dtype}'s range")
        return converted
    whole = values.dtype.kind != "f" or (np.isfinite(values) & (values == np.floor(values))).all()
    if not whole:
        raise ValueError(f"{what} holds numbers that are not {dtype}")
    low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    # As Python ints: numpy would compare int64 with uint64 as floats.
    if int(values.min()) < low or int(values.max()) > high:
        raise ValueError(f"{what} holds numbers outside [{low}, {high}]")
    return values.astype(dtype)


def as_array(value: Any, declared: str | None, name: str) -> np.ndarray[Any, Any]:
    """An array in this machine's byte order; lists and numbers as an array of the declared type.

    Raises TypeError or DataTypeError for what holds no numbers, ValueError for lists of numbers
    that the declared type cannot hold, LiteError for more than the memory limit.
    """
    is_list = False
    if type(value) is not np.ndarray:
        # Importing numpy.ma takes longer than many a first run.
        if isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())):
            raise TypeError(f"input '{name}' takes an array without a mask; use array.filled(...)")
        if isinstance(value, bytes | bytearray | str):
            raise TypeError(f"input '{name}' takes numbers; use numpy.frombuffer for raw bytes")
        is_list = not isinstance(value, np.generic) and not hasattr(value, "__array__")
    array = np.asarray(value)
    if array.dtype.kind not in "biufc" and (array.size or not is_list):
        error = TypeError if is_list else DataTypeError
        raise error(
            f"input '{name}' takes an array of {declared or 'numbers'}, not "
            f"{type(value).__name__} of dtype {array.dtype}"
        )
    if is_list and declared is not None:
        return _converted(array, declared, f"the list for input '{name}'")
    if not _core.fits_memory_limit(array.nbytes):
        # A broadcast array is small until it is copied.
        raise LiteError(
            f"input '{name}' of shape {array.shape} takes {array.nbytes} bytes, the limit is "
            f"{_core.memory_limit()} (lite.set_memory_limit)"
        )
    if not array.dtype.isnative:
        return array.astype(array.dtype.newbyteorder("="))
    return array


def check_lod(lod: Sequence[Sequence[int]]) -> list[list[int]]:
    """A LoD as lists of ints; raises TypeError or ValueError for what is none."""
    if isinstance(lod, str) or not isinstance(lod, Sequence | np.ndarray):
        raise TypeError(f"a LoD must be a list of lists of ints, not {type(lod).__name__}")
    levels = []
    for level in lod:
        if isinstance(level, str) or not isinstance(level, Sequence | np.ndarray):
            raise TypeError(f"a LoD must be a list of lists of ints, but it holds {level!r}")
        offsets = _dims(level, "a level of the LoD")
        if not offsets or offsets[0] != 0 or any(a > b for a, b in pairwise(offsets)):
            raise ValueError(f"LoD offsets {offsets} must start at 0 and never fall")
        levels.append(offsets)
    for upper, lower in pairwise(levels):
        if upper[-1] != len(lower) - 1:
            raise ValueError(
                f"LoD level {upper} ends at {upper[-1]}, but the next has {len(lower) - 1} "
                "sequences"
            )
    return levels
