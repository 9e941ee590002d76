"""Tensor: a predictor's input or output, with the methods of Paddle Lite's Python API."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lite import _core
from lite.api.enums import PrecisionType, TargetType
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
}


class Tensor:
    """A view of one input or output; it keeps its predictor alive.

    Arrays that it hands out are copies: they stay what they are when the predictor runs again.
    """

    __slots__ = ("_core", "_declared", "_index", "_is_input", "_name")

    def __init__(
        self, core: _core.Predictor, index: int, is_input: bool, name: str, declared: str | None
    ) -> None:
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
        """The shape it has now; [] before it was set or computed."""
        return list(self._meta()[0])

    def resize(self, shape: Sequence[int]) -> None:
        """Gives an input another shape; its data must be set again."""
        self._require_input()
        self._core.resize_input(self._index, _dims(shape))

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
        if not isinstance(place, TargetType):
            raise TypeError(f"place must be a TargetType, not {place!r}")
        self._core.set_input(
            self._index, as_array(array, self._declared, self._name), self._meta()[2]
        )

    # -- Lists, as Paddle Lite has them.

    def set_float_data(self, data: Sequence[float], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into a float32 input whose shape resize() has set."""
        self._set_list(data, "float32")

    def set_int8_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int8 input whose shape resize() has set."""
        self._set_list(data, "int8")

    def set_uint8_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into a uint8 input whose shape resize() has set."""
        self._set_list(data, "uint8")

    def set_int32_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int32 input whose shape resize() has set."""
        self._set_list(data, "int32")

    def set_int64_data(self, data: Sequence[int], type: TargetType = TargetType.Host) -> None:
        """Copies numbers into an int64 input whose shape resize() has set."""
        self._set_list(data, "int64")

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

    def _set_list(self, data: Sequence[float], dtype: str) -> None:
        self._require_input()
        shape = self._meta()[0]
        values = _numbers(data, dtype)
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

    def __repr__(self) -> str:
        shape, dtype, lod = self._meta()
        levels = f", lod={lod}" if lod else ""
        return f"Tensor({self._name!r}, shape={list(shape)}, dtype={dtype}{levels})"


def _dims(shape: Sequence[int]) -> list[int]:
    if isinstance(shape, str) or not isinstance(shape, Sequence | np.ndarray):
        raise TypeError(f"a shape must be a list of ints, not {type(shape).__name__}")
    dims = []
    for dim in shape:
        if isinstance(dim, bool | np.bool_) or not isinstance(dim, int | np.integer):
            raise TypeError(f"a shape must be a list of ints, but it holds {dim!r}")
        if not 0 <= dim < 1 << 62:
            raise ValueError(f"shape {list(shape)} has the dimension {dim}, expected 0 or more")
        dims.append(int(dim))
    return dims


def _numbers(data: Sequence[float], dtype: str) -> np.ndarray[Any, Any]:
    if isinstance(data, str | bytes) or not isinstance(data, Sequence | np.ndarray):
        raise TypeError(f"data must be a list of numbers, not {type(data).__name__}")
    values = np.asarray(data)
    if values.dtype.kind not in "biuf" and values.size:
        raise TypeError(f"data must be numbers, but has dtype {values.dtype}")
    if values.ndim > 1:
        raise ValueError(f"data must be a flat list, but has {values.ndim} dimensions")
    if dtype != "float32":
        if values.dtype.kind == "f" and values.size and not (values == np.floor(values)).all():
            raise ValueError(f"data holds numbers that are not {dtype}")
        limits = np.iinfo(dtype)
        if values.size and (values.min() < limits.min or values.max() > limits.max):
            raise ValueError(f"data holds numbers outside [{limits.min}, {limits.max}]")
    return values.astype(dtype)


def as_array(value: Any, declared: str | None, name: str) -> np.ndarray[Any, Any]:
    """An array as it is; lists and numbers as an array of the declared type.

    Raises TypeError for what holds no numbers.
    """
    if isinstance(value, np.ndarray):
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" and array.size:
        raise TypeError(
            f"input '{name}' takes an array of numbers, not {type(value).__name__} "
            f"(dtype {array.dtype})"
        )
    if isinstance(value, np.generic) or hasattr(value, "__array__") or declared is None:
        return array
    if declared == "float32" or (array.dtype.kind in "biu") or not array.size:
        converted = array.astype(declared)
        if array.dtype.kind in "iu" and not (converted == array).all():
            raise ValueError(f"input '{name}' takes {declared}, but the list holds larger numbers")
        return converted
    raise DataTypeError(f"input '{name}' takes {declared}, but the list holds {array.dtype} numbers")


def check_lod(lod: Sequence[Sequence[int]]) -> list[list[int]]:
    """A LoD as lists of ints; raises TypeError or ValueError for what is none."""
    if isinstance(lod, str) or not isinstance(lod, Sequence | np.ndarray):
        raise TypeError(f"a LoD must be a list of lists of ints, not {type(lod).__name__}")
    levels = []
    for level in lod:
        if isinstance(level, str) or not isinstance(level, Sequence | np.ndarray):
            raise TypeError(f"a LoD must be a list of lists of ints, but it holds {level!r}")
        offsets = _dims(level)
        if not offsets or offsets[0] != 0 or any(a > b for a, b in zip(offsets, offsets[1:])):
            raise ValueError(f"LoD offsets {offsets} must start at 0 and never fall")
        levels.append(offsets)
    for upper, lower in zip(levels, levels[1:]):
        if upper[-1] != len(lower) - 1:
            raise ValueError(
                f"LoD level {upper} ends at {upper[-1]}, but the next has {len(lower) - 1} sequences"
            )
    return levels
