"""OrtValue over a numpy array: there is one memory, the CPU's."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.errors import DataTypeError
from lite.model.onnx.elements import ELEMENTS, NUMPY, Element, bfloat16_values, type_text


class OrtValue:
    """A tensor in the CPU's memory: the array that it was made of, not a copy.

    bfloat16, which numpy has not, is held as the float32 of the same value; such a value has no
    memory in the model's type.
    """

    def __init__(self, array: np.ndarray[Any, Any], element: Element | None = None) -> None:
        self._array = array
        self._element = element

    @staticmethod
    def ortvalue_from_numpy(
        numpy_obj: np.ndarray[Any, Any], device_type: str = "cpu", device_id: int = 0, *_: Any
    ) -> OrtValue:
        """A tensor that holds an array."""
        only_cpu(device_type)
        return OrtValue(np.asarray(numpy_obj))

    @staticmethod
    def ortvalue_from_numpy_with_onnx_type(
        data: np.ndarray[Any, Any], onnx_element_type: int
    ) -> OrtValue:
        """The bytes of an array as another type of the same size; uint16 as bfloat16, too."""
        array = np.ascontiguousarray(data)
        if onnx_element_type == Element.BFLOAT16 and array.dtype.itemsize == 2:
            return OrtValue(bfloat16_values(array.view(np.uint16)), Element.BFLOAT16)
        wanted = element_type_of(onnx_element_type)
        if wanted.itemsize != array.dtype.itemsize:
            raise DataTypeError(f"an array of {array.dtype.name} has not the size of {wanted.name}")
        return OrtValue(array.view(wanted))

    @staticmethod
    def ortvalue_from_shape_and_type(
        shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0,
        *_: Any,
    ) -> OrtValue:  # fmt: skip
        """A tensor of zeros; the type is numpy's or a number of ONNX's."""
        only_cpu(device_type)
        return OrtValue(np.zeros(list(shape), element_type_of(element_type)))

    @staticmethod
    def from_dlpack(data: Any) -> OrtValue:
        """The memory of another library's tensor in the CPU's memory, which is not copied."""
        return OrtValue(np.from_dlpack(data))

    def __dlpack__(self, **how: Any) -> Any:
        return self._array.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()

    def numpy(self) -> np.ndarray[Any, Any]:
        """The array."""
        return self._array

    def shape(self) -> list[int]:
        """The dimensions."""
        return list(self._array.shape)

    def data_ptr(self) -> int:
        """The address of the first element. Raises DataTypeError for bfloat16."""
        if self._element is not None:
            raise DataTypeError("a bfloat16 tensor is held as float32 here; take numpy()")
        return self._array.ctypes.data

    def element_type(self) -> int:
        """The number of ``TensorProto.DataType``."""
        return int(self._element or ELEMENTS[self._array.dtype.name])

    def data_type(self) -> str:
        """Such as ``tensor(float)``."""
        return f"tensor({type_text(self.element_type())})"

    def tensor_size_in_bytes(self) -> int:
        """The elements' bytes in the model's type."""
        return self._array.size * 2 if self._element else self._array.nbytes

    def device_name(self) -> str:
        """``cpu``."""
        return "cpu"

    def is_tensor(self) -> bool:
        """True: there is nothing else."""
        return True

    def is_tensor_sequence(self) -> bool:
        """False."""
        return False

    is_sparse_tensor = is_tensor_sequence
    has_value = is_tensor

    def update_inplace(self, np_arr: np.ndarray[Any, Any]) -> None:
        """Other elements in the same array."""
        self._array[...] = np_arr


def only_cpu(device_type: str) -> None:
    """Raises ValueError for another device."""
    if device_type.lower() != "cpu":
        raise ValueError(f"the device {device_type!r}: tensors are in the CPU's memory only")


def as_numpy(value: Any) -> np.ndarray[Any, Any]:
    """The array of what a run is given."""
    return value.numpy() if isinstance(value, OrtValue) else np.asarray(value)


def element_type_of(given: Any) -> np.dtype[Any]:
    """numpy's type for one of its own or ONNX's number. Raises DataTypeError."""
    if not isinstance(given, int):
        named: np.dtype[Any] = np.dtype(given)
        return named
    try:
        return NUMPY[Element(given)]
    except (KeyError, ValueError):
        raise DataTypeError(f"numpy has no element type for tensor({type_text(given)})") from None


def memory_at(address: int, shape: Sequence[int], element_type: Any) -> np.ndarray[Any, Any]:
    """The array at an address, which the caller keeps alive. Raises ValueError for none."""
    dtype, dims = element_type_of(element_type), [int(dim) for dim in shape]
    if any(dim < 0 for dim in dims):
        raise ValueError(f"memory of the shape {dims}: expected sizes from 0 up")
    size = math.prod(dims) * dtype.itemsize
    if not address and size:
        raise ValueError(f"the address of {size} bytes is 0")
    held: Any = (ctypes.c_char * size).from_address(address) if size else bytearray()
    return np.frombuffer(held, dtype).reshape(dims)
