"""Constants of a model: TensorProto messages to arrays, from the file itself or files beside it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from lite.errors import ModelFormatError
from lite.model.onnx.elements import NUMPY, Element, bfloat16_values, type_text
from lite.model.onnx.reader.values import CannotRead
from lite.model.params import empty_aligned
from lite.model.source import Buffer, BufferSource, FileSource, Source

_EXTERNAL = 1
_PORTION = 1 << 24

_BITS = {
    Element.INT4: 4,
    Element.UINT4: 4,
    Element.INT2: 2,
    Element.UINT2: 2,
    Element.BFLOAT16: 16,
}
"""Bits of an element that numpy has no type for."""

_TYPED: dict[Element, str] = {
    Element.FLOAT: "float_data",
    Element.INT64: "int64_data",
    Element.DOUBLE: "double_data",
    Element.UINT32: "uint64_data",
    Element.UINT64: "uint64_data",
}
"""The field that has a tensor's elements, where it is not ``int32_data``."""


class Tensors:
    """Reads the tensors of one model; ``folder`` is where files beside it may lie, ``files`` are
    those that are in memory."""

    def __init__(self, folder: str | None, files: Mapping[str, Buffer] | None = None) -> None:
        self._folder = folder
        self._files: dict[str, Source] = {
            name: BufferSource(data, f"{name}, in memory") for name, data in (files or {}).items()
        }

    def array(self, tensor: Any, what: str) -> tuple[np.ndarray[Any, Any], Element]:
        """The elements as they are held here, and their type in the file.

        Raises ModelFormatError for a damaged tensor and CannotRead for an element type that is not
        read.
        """
        element = element_of(tensor.data_type, what)
        dims = [int(dim) for dim in tensor.dims]
        if any(dim < 0 for dim in dims):
            raise ModelFormatError(f"{what} has the shape {dims[:8]}, expected sizes from 0 up")
        if element in _BITS:
            return _narrow(self._raw(tensor, element, dims, what), element, dims), element
        if element not in NUMPY:
            raise CannotRead(f"{what} holds {type_text(element)}")
        return held(self._plain(tensor, element, dims, what), element, what), element

    def _plain(
        self, tensor: Any, element: Element, dims: list[int], what: str
    ) -> np.ndarray[Any, Any]:
        dtype, count = NUMPY[element], math.prod(dims)
        if tensor.data_location == _EXTERNAL or tensor.HasField("raw_data") or not count:
            data = self._raw(tensor, element, dims, what)
            array: np.ndarray[Any, Any] = data.view(dtype.newbyteorder("<")).reshape(dims)
            return array.astype(dtype, copy=False)
        items = getattr(tensor, _TYPED.get(element, "int32_data"))
        if len(items) != count:
            raise ModelFormatError(
                f"{what} of the shape {dims[:8]} has {len(items)} elements, expected {count}"
            )
        if element is Element.FLOAT16:
            bits = np.array(items, np.int64).astype(np.uint16)
            return bits.view(np.float16).reshape(dims)
        wide: Any = np.uint64 if element in (Element.UINT32, Element.UINT64) else None
        return np.array(items, wide).astype(dtype).reshape(dims)

    def _raw(
        self, tensor: Any, element: Element, dims: list[int], what: str
    ) -> np.ndarray[Any, Any]:
        """The elements' bytes."""
        bits = _BITS.get(element) or NUMPY[element].itemsize * 8
        size = (math.prod(dims) * bits + 7) // 8
        if tensor.data_location == _EXTERNAL:
            return self._external(tensor, size, what)
        data = tensor.raw_data
        if not data and element in _BITS and len(tensor.int32_data):
            kind = np.uint16 if element is Element.BFLOAT16 else np.uint8
            data = np.array(tensor.int32_data, np.int64).astype(kind).tobytes()
        if len(data) != size:
            raise ModelFormatError(
                f"{what} of the shape {dims[:8]} has {len(data)} bytes, expected {size}"
            )
        return np.frombuffer(data, np.uint8)

    def _external(self, tensor: Any, size: int, what: str) -> np.ndarray[Any, Any]:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        source = self._file(entries.get("location", ""), what)
        try:
            offset, length = (int(entries.get(key) or 0) for key in ("offset", "length"))
        except ValueError:
            raise ModelFormatError(f"{what}: offset or length of its data is no number") from None
        if length not in (0, size):
            raise ModelFormatError(f"{what} is said to have {length} bytes, expected {size}")
        if offset < 0 or offset + size > source.size:
            raise ModelFormatError(
                f"{what} needs bytes {offset} to {offset + size} of {source.name}, which has "
                f"{source.size}"
            )
        data = empty_aligned((size,), np.uint8)
        view = memoryview(data)  # type: ignore[arg-type]
        with source.opened():
            for start in range(0, size, _PORTION):
                part = view[start : min(start + _PORTION, size)]
                source.read_into(offset + start, part)
        return data

    def _file(self, location: str, what: str) -> Source:
        """A file in the model's folder; nothing that a path or a link leads out to."""
        if location in self._files:
            return self._files[location]
        if self._folder is None:
            raise ModelFormatError(
                f"{what} lies in a file of its own, {location!r}: load the model by its path"
            )
        folder = os.path.realpath(self._folder)
        named = location.replace("\0", "")
        path = os.path.realpath(os.path.join(folder, named)) if location == named else ""
        if not path.startswith(os.path.join(folder, "")):
            raise ModelFormatError(
                f"{what} lies in {location!r}, which is not inside of the model's folder"
            )
        self._files[location] = FileSource(path, f"external data of {what}")
        return self._files[location]


def element_of(number: int, what: str) -> Element:
    """An element type. Raises ModelFormatError where there is none of the number."""
    try:
        return Element(number)
    except ValueError:
        raise ModelFormatError(f"{what} has element type {number}, which ONNX does not") from None


def held(array: np.ndarray[Any, Any], element: Element, what: str) -> np.ndarray[Any, Any]:
    """The elements in the type in which they are held here."""
    if element is Element.FLOAT16:
        return array.astype(np.float32)
    if element is Element.UINT16:
        return array.astype(np.int32)
    if element in (Element.UINT32, Element.UINT64):
        if array.size and int(array.max()) > np.iinfo(np.int64).max:
            raise CannotRead(f"{what} holds numbers of uint64 beyond those of int64")
        return array.astype(np.int64)
    if element is Element.BOOL:
        truth: np.ndarray[Any, Any] = np.not_equal(array.view(np.uint8), 0)
        return truth
    return array


def _narrow(data: np.ndarray[Any, Any], element: Element, dims: list[int]) -> np.ndarray[Any, Any]:
    """bfloat16 as float32, and integers of less than a byte as bytes."""
    if element is Element.BFLOAT16:
        return bfloat16_values(data.view("<u2")).reshape(dims)
    bits = _BITS[element]
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    parts: np.ndarray[Any, Any] = (data[:, None] >> shifts & ((1 << bits) - 1)).reshape(-1)[
        : math.prod(dims)
    ]
    if element in (Element.INT4, Element.INT2):
        half = 1 << (bits - 1)
        parts = ((parts.astype(np.int8) ^ half) - half).astype(np.int8)
    return parts.reshape(dims)
