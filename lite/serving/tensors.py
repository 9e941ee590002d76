"""Tensors of the KServe v2 protocol as arrays, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lite.errors import DataTypeError, ShapeError

_TYPES = {
    "BOOL": "bool",
    **{f"INT{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"UINT{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "FP16": "float16",
    "FP32": "float32",
    "FP64": "float64",
}
_NAMES = {numpy_name: name for name, numpy_name in _TYPES.items()}


def datatype(numpy_name: str) -> str:
    """The protocol's name of an element type."""
    return _NAMES[numpy_name]


def array_of(name: str, kind: str, shape: Sequence[int], data: Any) -> np.ndarray[Any, Any]:
    """An array from a tensor's values: numbers, nested or flat, or one piece of raw bytes.

    Raises DataTypeError for types that no model takes, ShapeError where the shape needs another
    number of values.
    """
    if kind not in _TYPES:
        raise DataTypeError(f"input '{name}' is {kind}, expected one of {', '.join(_TYPES)}")
    dtype = np.dtype(_TYPES[kind])
    if len(data) == 1 and isinstance(data[0], bytes | memoryview):
        if len(data[0]) % dtype.itemsize:
            raise ShapeError(f"input '{name}' has {len(data[0])} bytes of {kind}")
        values = np.frombuffer(data[0], dtype.newbyteorder("<")).astype(dtype, copy=False)
    else:
        try:
            given = np.asarray(data)
            plain = given.dtype.kind in "biuf"  # else numpy makes NaN of null, and 1 of "1"
            # Floats are converted at once; of large integers `given` may have lost digits.
            values = np.asarray(given if plain and dtype.kind == "f" else data, dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise DataTypeError(f"the values of input '{name}' are no {kind}: {error}") from None
        if not plain or (dtype.kind != "f" and not np.array_equal(given, values)):
            found = next((v for v in _flat(data) if not _fits(v, dtype)), given.dtype.name)
            raise DataTypeError(f"the values of input '{name}' are no {kind}: one is {found!r}")
    if any(dim < 0 for dim in shape) or int(np.prod(shape, dtype=object)) != values.size:
        raise ShapeError(
            f"input '{name}' has {values.size} values, which its shape {list(shape)} does not hold"
        )
    return values.reshape(tuple(shape))


def _flat(data: Any) -> Iterator[Any]:
    for item in data if isinstance(data, list | tuple) else [data]:
        yield from _flat(item) if isinstance(item, list | tuple) else [item]


def _fits(value: Any, dtype: np.dtype[Any]) -> bool:
    if not isinstance(value, int | float):
        return False
    return dtype.kind == "f" or bool(np.asarray(value, dtype) == value)


def raw_of(array: np.ndarray[Any, Any]) -> bytes:
    """An array's elements as the protocol's bytes."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
