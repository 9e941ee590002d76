"""Sequences of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.shapes import integers
from lite.model.onnx.reader.translate import Call, adapter, held_type
from lite.model.onnx.reader.values import CannotRead, Tensor, TensorList, limited
from lite.model.program import DataType


@adapter
def sequence_construct(b: Builder, call: Call, inputs: list[Tensor]) -> TensorList:
    """A list of these."""
    return TensorList("", inputs[0].dtype, list(inputs))


@adapter
def sequence_empty(b: Builder, call: Call, dtype: int) -> TensorList:
    """A list of none."""
    return TensorList("", held_type(dtype, "the result")[0], [])


def _place(items: list[Tensor], position: Tensor | None) -> int | None:
    """A known position in a list of known tensors, from 0; None where it is not known."""
    if position is None:
        return len(items)
    if position.array is None:
        return None
    at = (integers(position, "position") or [0])[0]
    return at + len(items) if at < 0 else at


@adapter
def sequence_insert(
    b: Builder, call: Call, input_sequence: TensorList, tensor: Tensor, position: Tensor | None
) -> TensorList:
    """One more: at the end, or before a position."""
    items = input_sequence.items
    at = _place(items, position) if items is not None else None
    if items is not None and at is not None:
        if not 0 <= at <= len(items):
            raise CannotRead(f"position {at} of {len(items)}")
        return TensorList("", tensor.dtype, [*items[:at], tensor, *items[at:]])
    if position is not None:
        raise CannotRead("a position that is computed")
    before = b.use(input_sequence)
    made = b.copy(TensorList(before, tensor.dtype))
    assert isinstance(made, TensorList)
    end = b.variable(DataType.INT64, (1,))
    b.append("lod_array_length", {"X": [before]}, {"Out": [end.name]})
    b.append("write_to_array", {"X": [b.use(tensor)], "I": [end.name]}, {"Out": [made.name]})
    return made


@adapter
def sequence_at(b: Builder, call: Call, input_sequence: TensorList, position: Tensor) -> Tensor:
    """One of the list."""
    items = input_sequence.items
    at = _place(items, position) if items is not None else None
    if items is not None and at is not None:
        if not 0 <= at < len(items):
            raise CannotRead(f"position {at} of {len(items)}")
        return b.emit("assign", {"X": items[at]})
    ranks = {None if item.shape is None else len(item.shape) for item in items or []}
    name = b.use(input_sequence)
    place = b.reshape(b.cast(position, DataType.INT64), [1])
    count = b.variable(DataType.INT64, (1,))
    b.append("lod_array_length", {"X": [name]}, {"Out": [count.name]})
    below = b.cast(b.binary("less_than", place, b.ints([0])), DataType.INT64)
    place = b.binary("elementwise_add", place, b.binary("elementwise_mul", below, count))
    rank = ranks.pop() if len(ranks) == 1 else None
    made = b.variable(input_sequence.dtype, None if rank is None else (None,) * rank)
    b.append("read_from_array", {"X": [name], "I": [b.use(place)]}, {"Out": [made.name]})
    return made


@adapter
def sequence_erase(
    b: Builder, call: Call, input_sequence: TensorList, position: Tensor | None
) -> TensorList:
    """All but one."""
    items = input_sequence.items
    known = position if position is not None else b.constant(np.asarray(-1, np.int64))
    at = _place(items, known) if items is not None else None
    if items is None or at is None or not 0 <= at < len(items):
        raise CannotRead("a list or a position that is computed")
    return TensorList("", input_sequence.dtype, [*items[:at], *items[at + 1 :]])


@adapter
def sequence_length(b: Builder, call: Call, input_sequence: TensorList) -> Tensor:
    """How many there are."""
    if input_sequence.items is not None:
        return b.constant(np.asarray(len(input_sequence.items), np.int64))
    made = b.variable(DataType.INT64, (1,))
    b.append("lod_array_length", {"X": [b.use(input_sequence)]}, {"Out": [made.name]})
    return b.reshape(made, [])


@adapter
def concat_from_sequence(
    b: Builder, call: Call, input_sequence: TensorList, axis: int, new_axis: int
) -> Tensor:
    """The list as one tensor."""
    items = input_sequence.items
    if items:
        if new_axis:
            return b.emit("stack", {"X": items}, axis=axis)
        return b.concat(items, axis)
    made = b.variable(input_sequence.dtype, None)
    index = b.variable(DataType.INT32, (None,))
    outputs = {"Out": [made.name], "OutIndex": [index.name]}
    attrs = {"axis": axis, "use_stack": bool(new_axis)}
    b.append("tensor_array_to_tensor", {"X": [b.use(input_sequence)]}, outputs, attrs)
    return made


@adapter
def split_to_sequence(
    b: Builder, call: Call, input: Tensor, split: Tensor | None, axis: int, keepdims: int
) -> TensorList:
    """The parts of a tensor along an axis of known size."""
    size = input.shape[axis] if input.shape is not None else None
    if size is None:
        raise CannotRead("the size of the axis is not known")
    limited(size * 256)  # each part is an operator's output
    given: Any = integers(split, "split")
    if given is None:
        sizes = [1] * size
    elif split is not None and split.shape == ():
        sizes = [min(given[0], size - at) for at in range(0, size, max(given[0], 1))]
    else:
        sizes = given
    parts = b.emit_all("split", {"X": input}, {"Out": len(sizes)}, sections=sizes, axis=axis)
    if split is None and not keepdims:
        parts = [b.squeeze(part, [axis % input.rank]) for part in parts]
    return TensorList("", input.dtype, parts)
