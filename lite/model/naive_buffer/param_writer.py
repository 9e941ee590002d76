"""Parameters as `.nb` files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from lite.errors import LiteError
from lite.model.naive_buffer import schema
from lite.model.naive_buffer.flat_builder import Chunk, External, FlatBuilder
from lite.model.params import ALIGNMENT, DATA_TYPES

MAX_BYTES = 2**32 - 2**16
"""Sizes are 32 bits wide in a `.nb` file; a record has some bytes besides its data."""


def data_type(name: str, array: np.ndarray) -> int:
    """The number of a parameter's element type; LiteError where a `.nb` file has none."""
    number = DATA_TYPES.get(array.dtype.newbyteorder("="))
    if number is None:
        known = ", ".join(str(dtype) for dtype in DATA_TYPES)
        raise LiteError(
            f"parameter {name!r} has {array.dtype}, which a .nb file cannot hold; it can hold "
            f"{known}"
        )
    if array.nbytes > MAX_BYTES:
        raise LiteError(
            f"parameter {name!r} has {array.nbytes} bytes, a .nb file holds tensors below 4 GiB"
        )
    return int(number)


def _write_param(builder: FlatBuilder, name: str, array: np.ndarray) -> int:
    number = data_type(name, array)
    key = builder.string(name)
    lod = builder.numbers("i64", ())
    dims = builder.numbers("i64", array.shape)
    data = builder.external(name, array.nbytes)
    if number:
        tensor = builder.table(schema.PARAM_TENSOR, (1, 2, 3, 4), (lod, dims, number, data))
    else:
        tensor = builder.table(schema.PARAM_TENSOR, (1, 2, 4), (lod, dims, data))
    return builder.table(schema.PARAM, (1, 2, 3), (key, schema.PARAM_TENSOR_TAG, tensor))


def param_chunks(name: str, array: np.ndarray) -> list[Chunk]:
    """One parameter's flatbuffer, its data outside (meta version 2)."""
    builder = FlatBuilder()
    return builder.finish(_write_param(builder, name, array))


def combined_chunks(names: Iterable[str], params: Mapping[str, np.ndarray]) -> list[Chunk]:
    """The flatbuffer of all parameters, their data outside (meta version 1)."""
    builder = FlatBuilder()
    tables = [_write_param(builder, name, params[name]) for name in names]
    vector = builder.references(tables)
    if builder.offset > MAX_BYTES:
        raise LiteError(
            f"the parameters have {builder.offset} bytes, a .nb file of meta version 1 holds less "
            f"than 4 GiB; write meta version 2"
        )
    return builder.finish(builder.table(schema.COMBINED_PARAMS, (0,), (vector,)))


def size_of(chunks: Iterable[Chunk]) -> int:
    """The bytes of a buffer with its external parts."""
    return sum(chunk.size if isinstance(chunk, External) else len(chunk) for chunk in chunks)


def slack_before(chunks: Iterable[Chunk], position: int) -> int:
    """The bytes to leave before a buffer at ``position`` so that its data is aligned."""
    for chunk in chunks:
        if isinstance(chunk, External):
            break
        position += len(chunk)
    return -position % ALIGNMENT
