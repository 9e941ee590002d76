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
    of, sizes = _drawn(b, dtype, shape, input)
    return b.filled(
        "gaussian_random", sizes, mean=mean, std=scale, seed=int(seed or 0), dtype=int(of)
    )


def _drawn(
    b: Builder, dtype: int | None, shape: Any, like: Tensor | None
) -> tuple[DataType, Tensor]:
    """The type and the sizes of random numbers."""
    of = like.dtype if dtype is None and like is not None else held_type(dtype or 1, "it")[0]
    sizes = b.shape_of(like) if like is not None else b.ints(shape)
    return of if of in FLOATS else DataType.FP32, sizes


@adapter
def random_uniform(
    b: Builder,
    call: Call,
    dtype: int | None,
    high: float,
    low: float,
    seed: float | None,
    shape: Any = None,
    input: Tensor | None = None,
) -> Tensor:
    """Numbers between two bounds, each as likely: as random_normal's."""
    of, sizes = _drawn(b, dtype, shape, input)
    seed = int(seed or 0)
    return b.filled("uniform_random", sizes, min=low, max=high, seed=seed, dtype=int(of))


@adapter
def multinomial(
    b: Builder, call: Call, input: Tensor, dtype: int, sample_size: int, seed: float | None
) -> Tensor:
    """Classes as likely as the logarithms say: as random_normal's, the seed does not matter."""
    odds = b.emit("softmax", {"X": input}, axis=-1)
    made = b.emit("multinomial", {"X": odds}, num_samples=sample_size, replacement=True)
    return b.cast(made, held_type(dtype, "it")[0])


@adapter
def bernoulli(
    b: Builder, call: Call, input: Tensor, dtype: int | None, seed: float | None
) -> Tensor:
    """Ones as likely as the input says, else zeros."""
    of = input.dtype if dtype is None else held_type(dtype, "it")[0]
    drawn = random_uniform(b, call, None, 1.0, 0.0, seed, input=input)
    return b.cast(b.binary("less_than", drawn, input), of)
