"""A model as bytes, for devices that have no format of their own to save a program in.

A line of JSON (types, operations, lengths) and then the constants' elements. Whatever is read is
checked; nothing in it is executed.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from lite.nnadapter.model import Model, Operand, TensorType
from lite.nnadapter.table import UNKNOWN
from lite.nnadapter.types import Lifetime, dtype_of

_MAGIC = b"nnadapter-model 1\n"


def _type_of(type: TensorType) -> list[Any]:
    quant = type.quantisation
    return [
        UNKNOWN if type.precision is None else int(type.precision),
        int(type.layout),
        int(type.lifetime),
        list(type.shape),
        [list(candidate) for candidate in type.candidates],
        None if quant is None else [list(quant.scales), quant.zero_point, quant.channel_axis],
    ]


def save_model(model: Model) -> bytes:
    """The model with its constants; to be called while it can be read."""
    blobs: list[bytes] = []
    operands = []
    for operand in model.operands:
        if operand.is_constant:
            blobs.append(operand.value.tobytes())
        values = operand.shape_values
        operands.append([_type_of(operand.type), None if values is None else list(values)])

    def indices(items: list[Operand | None]) -> list[int | None]:
        return [None if item is None else item.index for item in items]

    header = {
        "operands": operands,
        "operations": [[op.code, indices(op.operands), indices(op.outputs)] for op in model.given],
        "inputs": [operand.index for operand in model.inputs],
        "outputs": [operand.index for operand in model.outputs],
    }
    return _MAGIC + json.dumps(header).encode() + b"\n" + b"".join(blobs)


def load_model(data: bytes) -> Model:
    """What `save_model` wrote; ValueError for anything else."""
    try:
        return _load(data)
    except (KeyError, TypeError, IndexError, RecursionError, OverflowError) as error:
        raise ValueError(f"the saved model is damaged: {error}") from error


def _load(data: bytes) -> Model:
    if not data.startswith(_MAGIC):
        raise ValueError("this is not a saved model")
    end = data.index(b"\n", len(_MAGIC))
    header = json.loads(data[len(_MAGIC) : end])
    offset = end + 1
    operands = []
    for type, values in header["operands"]:
        memory = None
        if Lifetime(type[2]) in (Lifetime.CONSTANT_COPY, Lifetime.CONSTANT_REFERENCE):
            dtype = dtype_of(type[0])
            count = 1
            for dim in type[3]:
                if not isinstance(dim, int) or dim < 0:
                    raise ValueError("a saved constant has an unknown dimension")
                count *= dim
            if count * dtype.itemsize > len(data) - offset:
                raise ValueError("the saved model ends within a constant")
            memory = np.frombuffer(data, dtype, count, offset).reshape(type[3])
            offset += memory.nbytes
        operands.append((type, memory, values))
    if offset != len(data):
        raise ValueError("the saved model has bytes after its end")
    for number in [
        i
        for _, inputs, outputs in header["operations"]
        for i in [*inputs, *outputs]
        if i is not None
    ] + [*header["inputs"], *header["outputs"]]:
        if not 0 <= number < len(operands):
            raise ValueError(f"the saved model names operand {number} of {len(operands)}")
    return Model({**header, "operands": operands})


__all__ = ["load_model", "save_model"]
