"""Tensor: the handle of a predictor's input or output, valid for all its runs and shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np

from lite.api.no_pickle import no_pickle
from lite.api.tensor import as_array
from lite.errors import DataTypeError, LiteError, ShapeError
from lite.inference.enums import DataType, data_type
from lite.inference.errors import ArgumentError, ArgumentValueError

if TYPE_CHECKING:
    from lite import _core

_Array = np.ndarray[Any, Any]


class Owner(Protocol):
    """The predictor that a handle belongs to, as handles use it."""

    _core: _core.Predictor
    _inputs: dict[str, Input]
    _outputs: dict[str, int]
    _has_run: bool


# Paddle takes an array as it is, or as the first of these types that holds all its values.
_TAKEN = [np.dtype(t) for t in "int8 uint8 int32 int64 float32 float16 float64 bool".split()]
_INTEGERS = ("int32", "int64")
_MAX_DIM = 1 << 31
_NOTHING_YET: list[int] = [0]


class Input:
    """What an input was given. The data are in the predictor's core, unless it cannot take them.

    reshape() and set_lod() count when the predictor runs: what is set later may make them right.
    """

    __slots__ = ("declared", "dtype", "has_data", "index", "lod", "misfit", "name", "shape")

    def __init__(self, index: int, name: str, declared: str | None) -> None:
        self.index = index
        self.name = name
        self.declared = declared
        self.dtype = "float32"
        self.has_data = False
        self.misfit: _Array | None = None
        self.shape: list[int] | None = None
        self.lod: list[list[int]] = []

    def set(self, predictor: Owner, data: _Array) -> None:
        """Copies an array, whose shape and type the input then has."""
        array = as_array(_taken(np.asarray(data), self.name), None, self.name)
        self.dtype = array.dtype.name
        self.shape = None
        fitting = self._fitting(array)
        self.misfit = array.copy() if fitting is None else None
        if fitting is not None:
            predictor._core.set_input(self.index, fitting, self.lod)
        self.has_data = True

    def _fitting(self, array: _Array) -> _Array | None:
        """The array in the declared type; operators on indices take both kinds of integers."""
        if self.declared in (None, array.dtype.name):
            return array
        if self.declared not in _INTEGERS or array.dtype.name not in _INTEGERS:
            return None
        if self.declared == "int32" and array.size:
            limits = np.iinfo(np.int32)
            if array.min() < limits.min or array.max() > limits.max:
                return None
        return array.astype(self.declared)

    def dims(self, predictor: Owner) -> list[int]:
        """The shape that was set, or that of the data."""
        if self.shape is not None:
            return list(self.shape)
        if self.misfit is not None:
            return list(self.misfit.shape)
        return list(predictor._core.input_meta(self.index)[0] if self.has_data else _NOTHING_YET)

    def copy(self, predictor: Owner) -> _Array:
        """The data, in the shape that was set."""
        if not self.has_data:
            raise LiteError(f"input '{self.name}' has no data: call copy_from_cpu() first")
        self._reshape(predictor)
        if self.misfit is not None:
            return np.array(self.misfit)
        array: _Array = predictor._core.copy_input(self.index)
        return array if array.dtype.name == self.dtype else array.astype(self.dtype)

    def prepare(self, predictor: Owner) -> None:
        """Makes the data ready to run. Raises LiteError without any, DataTypeError, ShapeError."""
        if not self.has_data:
            raise LiteError(f"input '{self.name}' has no data: call copy_from_cpu() before run()")
        if self.shape is not None:
            self._reshape(predictor)
        if self.misfit is not None:
            raise DataTypeError(
                f"input '{self.name}' takes {self.declared}, but got {self.dtype}; convert the "
                f"array: array.astype({self.declared!r})"
            )
        predictor._core.set_input_lod(self.index, self.lod)

    def _reshape(self, predictor: Owner) -> None:
        if self.shape is None:
            return
        shape = self.shape
        core = predictor._core
        data = core.copy_input(self.index) if self.misfit is None else self.misfit
        if min(shape, default=0) < 0 or math.prod(shape) > data.size:
            raise ShapeError(
                f"input '{self.name}' was given {data.size} elements, then reshape({shape}); call "
                "copy_from_cpu() with an array of that shape"
            )
        data = data.reshape(-1)[: math.prod(shape)].reshape(shape)
        if self.misfit is None:
            core.set_input(self.index, data, self.lod)
        else:
            self.misfit = data
        self.shape = None

    def forget(self, predictor: Owner) -> None:
        """Drops the data and keeps the shape."""
        self.shape = self.dims(predictor)
        self.has_data = False
        self.misfit = None


class Tensor:
    """An input or output of a predictor, which it keeps alive.

    Arrays that it hands out are copies, which later runs leave alone.
    """

    __slots__ = ("_input", "_name", "_output", "_predictor", "_writable")

    def __init__(self, predictor: Owner, name: str, writable: bool) -> None:
        self._predictor = predictor
        self._name = name
        self._writable = writable
        self._input: Input | None = predictor._inputs.get(name)
        self._output = predictor._outputs.get(name, -1)
        # A variable may be both: each way of asking then has its own.
        if self._input is not None and self._output >= 0 and not writable:
            self._input = None

    def copy_from_cpu(self, data: _Array) -> None:
        """Copies an array into an input, which then has its shape and type.

        Any layout and byte order is right. A type that the model does not take is a DataTypeError
        when the predictor runs. Raises ArgumentError (a TypeError) for what is no array of numbers.
        """
        if _is_text(data):
            raise ArgumentValueError(
                f"'{self._name}' is a tensor of numbers; lists of str are for models that tokenise "
                "text, which are not run here"
            )
        if not isinstance(data, np.ndarray):
            raise ArgumentError(f"copy_from_cpu() takes a numpy.ndarray, not {type(data).__name__}")
        self._as_input("copy_from_cpu").set(self._predictor, data)

    def share_external_data(self, data: Any) -> None:
        """Copies a ``paddle.Tensor``: memory is not shared here. ArgumentError for an array."""
        if isinstance(data, np.ndarray) or not callable(getattr(data, "numpy", None)):
            raise ArgumentError(
                f"share_external_data() takes a paddle.Tensor, not {type(data).__name__}; "
                "copy_from_cpu() takes arrays"
            )
        self.copy_from_cpu(np.asarray(data.numpy()))

    def share_external_data_by_ptr_name(
        self, data: str, shape: Sequence[int], dtype: DataType, place: Any
    ) -> NoReturn:
        """Raises LiteError: shared memory of another process is not read."""
        raise LiteError(
            "share_external_data_by_ptr_name(): memory is not shared here; use copy_from_cpu()"
        )

    def copy_to_cpu(self) -> _Array:
        """A copy of the elements, writable and C-contiguous. LiteError before there are any."""
        if self._input is not None:
            return self._input.copy(self._predictor)
        return self._predictor._core.copy_output(self._output)

    def shape(self) -> list[int]:
        """The shape it has now; [0] before there is any."""
        if self._input is not None:
            return self._input.dims(self._predictor)
        if not self._predictor._has_run:
            return list(_NOTHING_YET)
        return list(self._predictor._core.output_meta(self._output)[0])

    def type(self) -> DataType:
        """The element type it has now; FLOAT32 before there is any."""
        if self._input is not None:
            return data_type(self._input.dtype)
        if not self._predictor._has_run:
            return DataType.FLOAT32
        return data_type(self._predictor._core.output_meta(self._output)[1])

    def lod(self) -> list[list[int]]:
        """The offsets of its sequences, level by level."""
        if self._input is not None:
            return [list(level) for level in self._input.lod]
        return self._predictor._core.output_meta(self._output)[2]

    def reshape(self, shape: Sequence[int]) -> None:
        """Gives an input another shape. copy_from_cpu() gives it the array's, so nobody needs it.

        Data that are there stay, as many as the shape takes. It is checked when the predictor runs.
        """
        held = self._as_input("reshape")
        if isinstance(shape, int):
            raise ArgumentValueError("reshape(int) is for lists of str, which are not run here")
        held.shape = _dims(shape)

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Sets the offsets, e.g. [[0, 3, 5]]. They are checked when the predictor runs."""
        if self._input is None:
            raise LiteError(f"output '{self._name}' is written by run() and cannot be set")
        if isinstance(lod, str) or not isinstance(lod, Sequence | np.ndarray):
            raise ArgumentError(f"set_lod() takes a list of lists, not {type(lod).__name__}")
        levels = [_dims(level) for level in lod]
        if any(offset < 0 for level in levels for offset in level):
            raise ArgumentError(f"set_lod({levels}): offsets are 0 or more")
        self._input.lod = levels

    def _as_input(self, method: str) -> Input:
        if self._input is None or not self._writable:
            raise LiteError(
                f"{method}(): '{self._name}' is the handle of an output, which is read only; "
                "inputs are set through get_input_handle()"
            )
        return self._input

    def __reduce__(self) -> NoReturn:
        no_pickle(self)

    def __repr__(self) -> str:
        kind = "output" if self._input is None else "input"
        return f"Tensor({kind} {self._name!r}, shape={self.shape()}, type={self.type().name})"


def _is_text(data: object) -> bool:
    if isinstance(data, np.ndarray):
        return data.dtype.kind == "U" and data.ndim == 1
    return isinstance(data, list) and bool(data) and isinstance(data[0], str)


def _taken(array: _Array, name: str) -> _Array:
    if array.dtype.newbyteorder("=") in _TAKEN:
        return array
    for dtype in _TAKEN:
        if np.can_cast(array.dtype, dtype, "safe"):
            return array.astype(dtype)
    raise ArgumentError(f"input '{name}' cannot take an array of {array.dtype}")


def _dims(values: Any) -> list[int]:
    if isinstance(values, str | bytes) or not isinstance(values, Sequence | np.ndarray):
        raise ArgumentError(f"a shape is a list of ints, not {type(values).__name__}")
    dims = []
    for value in values:
        if not hasattr(value, "__index__") or not -_MAX_DIM <= value.__index__() < _MAX_DIM:
            raise ArgumentError(f"a shape is a list of ints of 32 bits, but it holds {value!r}")
        dims.append(value.__index__())
    return dims
