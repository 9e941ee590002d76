"""Constants, and tensors of one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import FLOATS, Builder
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@adapter
def constant(b: Builder, call: Call, **given: Any) -> Tensor:
    """A tensor, a number or a list of them, whichever the node has."""
    found = [(name, value) for name, value in given.items() if value is not None]
    if len(found) != 1:
        raise CannotRead(f"{len(found)} values, expected one")
    name, value = found[0]
    reader = call.reader
    if name == "value":
        return reader.constant(value, call.node.outputs[0])
    if name == "sparse_value":
        return reader.dense(value, call.node.outputs[0])
    if name.startswith("value_string"):
        raise CannotRead("text")
    return b.constant(value, np.float32 if "float" in name else np.int64)


@adapter
def constant_of_shape(b: Builder, call: Call, input: Tensor, value: Any) -> Tensor:
    """One number in a shape that may be computed."""
    if value is None:
        number = b.constant(np.zeros((), np.float32))
    else:
        number = call.reader.constant(value, "value")
    if number.array is None or number.array.size != 1:
        raise CannotRead("a value of more than one element")
    made = b.full(input, number.array, number.dtype)
    made.bits = number.bits
    return made


@adapter
def random_normal(
    b: Builder,
    call: Call,
    dtype: int | None,
    mean: float,
    scale: float,
    seed: float | None,
    shape: Any = None,
    input: Tensor | None = None,
) -> Tensor:
    """Numbers of a normal distribution: other ones in each run, and than another engine's."""
    of = input.dtype if dtype is None and input is not None else held_type(dtype or 1, "it")[0]
    if of not in FLOATS:
        of = DataType.FP32
    sizes = b.shape_of(input) if input is not None else b.ints(shape)
    return b.filled(
        "gaussian_random", sizes, mean=mean, std=scale, seed=int(seed or 0), dtype=int(of)
    )
