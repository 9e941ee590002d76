"""Operators that move, join and repeat."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lite.core.optimizer.graph import Shape
from lite.model.onnx.reader.blocks import turn_blocks
from lite.model.onnx.reader.builder import END, SMALL, Builder
from lite.model.onnx.reader.operators.arithmetic import computed
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.params import MAX_RANK
from lite.model.program import DataType


def integers(tensor: Any, what: str) -> list[int] | None:
    """Integers of an attribute or a constant; None where absent. Raises CannotRead."""
    if tensor is None:
        return None
    if isinstance(tensor, Tensor):
        if tensor.array is None:
            raise CannotRead(f"{what} is computed as the model runs")
        return [int(n) for n in tensor.array.reshape(-1)]
    return [int(n) for n in tensor]


def length(tensor: Tensor, what: str) -> int:
    """How many axes a list speaks of. Raises CannotRead where that is not known or too many."""
    size = tensor.shape[0] if tensor.shape is not None and tensor.rank == 1 else None
    if size is None:
        raise CannotRead(f"the number of elements of {what} is not known")
    if size > MAX_RANK:
        raise CannotRead(f"{what} has {size} elements, a tensor at most {MAX_RANK} dimensions")
    return size


def from_start(b: Builder, axes: Tensor, rank: int) -> Tensor:
    """Axes that are computed, as int64 from 0."""
    wide = b.cast(axes, DataType.INT64)
    below = b.cast(b.binary("less_than", wide, b.like(0, wide)), DataType.INT64)
    moved = b.binary("elementwise_mul", below, b.like(rank, wide))
    return b.binary("elementwise_add", wide, moved)


def places(b: Builder, axes: Tensor, rank: int) -> Tensor:
    """Which of ``rank`` axes each of a list is: true and false, [rank, axes]."""
    listed = b.unsqueeze(from_start(b, axes, rank), [0])
    return b.binary("equal", b.constant(np.arange(rank)[:, None]), listed)


def with_sizes(b: Builder, x: Tensor, sizes: Tensor, rank: int) -> Tensor:
    """The elements in a shape that is a tensor of sizes."""
    if sizes.array is not None:
        return b.reshape(x, [int(n) for n in sizes.array])
    made = b.emit("reshape2", {"X": x, "Shape": b.int32(sizes)})
    made.shape = (None,) * rank
    return made


def counted(b: Builder, size: Tensor) -> Tensor:
    """0, 1, 2 and so on, as many as a tensor [1] says."""
    return b.emit("range", {"Start": b.ints([0]), "End": size, "Step": b.ints([1])})


@adapter
def reshape(b: Builder, call: Call, data: Tensor, shape: Any, **others: Any) -> Tensor:
    """Another shape; 0 copies a dimension unless ``allowzero``, -1 is what is left."""
    if isinstance(shape, Tensor) and shape.array is None:
        # With allowzero a size of 0 is copied all the same: then the elements do not fit, an error.
        made = b.emit("reshape2", {"X": data, "Shape": b.int32(shape)})
        if shape.sizes is not None:
            made.shape = tuple(size if size and size > 0 else None for size in shape.sizes)
        return made
    dims = integers(shape, "shape") or []
    if 0 in dims and others.get("allowzero"):
        if data.array is None:
            raise CannotRead("allowzero with a dimension of 0")
        return b.constant(data.array.reshape(dims))
    return b.reshape(data, dims)


@adapter
def flatten(b: Builder, call: Call, input: Tensor, axis: int) -> Tensor:
    """Two dimensions: those before an axis, and the rest."""
    rank = input.rank
    axis = axis + rank if axis < 0 else axis
    if rank == 0 or axis == 0:
        return b.reshape(input, [1, -1])
    if axis >= rank:
        return b.reshape(input, [-1, 1])
    if axis == 1 and rank == 2:
        return input
    if axis > 1:
        input = b.emit("flatten_contiguous_range", {"X": input}, start_axis=0, stop_axis=axis - 1)
        rank -= axis - 1
    if rank > 2:
        input = b.emit("flatten_contiguous_range", {"X": input}, start_axis=1, stop_axis=rank - 1)
    return input


@adapter
def transpose(b: Builder, call: Call, data: Tensor, perm: Any) -> Tensor:
    """Another order of axes, the reverse one by default."""
    axes = list(perm) if perm is not None else list(range(data.rank))[::-1]
    made = b.transpose(data, axes) if axes else data
    if axes == [1, 0]:
        turn_blocks(made, data)
    return made


@adapter
def squeeze(b: Builder, call: Call, data: Tensor, axes: Any) -> Tensor:
    """Without dimensions of 1: all of them where none are named."""
    if isinstance(axes, Tensor) and axes.array is None:
        gone = b.emit("reduce_any", {"X": places(b, axes, data.rank)}, dim=[1])
        kept = b.emit("where_index", {"Condition": b.emit("logical_not", {"X": gone})})
        sizes = b.emit("gather", {"X": b.shape_of(data), "Index": b.reshape(kept, [-1])})
        return with_sizes(b, data, sizes, data.rank - length(axes, "axes"))
    wanted = integers(axes, "axes")
    if wanted is None:
        return b.emit("squeeze2", {"X": data}, axes=[])
    return b.squeeze(data, wanted)


@adapter
def unsqueeze(b: Builder, call: Call, data: Tensor, axes: Any) -> Tensor:
    """More dimensions of 1, at positions of the result."""
    if isinstance(axes, Tensor) and axes.array is None:
        rank = data.rank + length(axes, "axes")
        fresh = b.emit("reduce_any", {"X": places(b, axes, rank)}, dim=[1])
        # The sizes in order, with 1 wherever an axis is new.
        old = b.cast(b.emit("logical_not", {"X": fresh}), DataType.INT64)
        before = b.emit("cumsum", {"X": old}, axis=0, exclusive=True)
        before = b.binary("elementwise_min", before, b.like(max(data.rank - 1, 0), before))
        known = b.shape_of(data) if data.rank else b.ints([1])
        sizes = b.emit("gather", {"X": known, "Index": before})
        ones = b.emit("fill_any_like", {"X": sizes}, value=1.0)
        inputs = {"Condition": fresh, "X": ones, "Y": sizes}
        return with_sizes(b, data, b.emit("where", inputs), rank)
    wanted = integers(axes, "axes") or []
    if any(axis < 0 for axis in wanted) and (len(wanted) > 1 or data.shape is not None):
        rank = data.rank + len(wanted)
        wanted = [axis + rank if axis < 0 else axis for axis in wanted]
    return b.unsqueeze(data, sorted(wanted))


@adapter
def concat(b: Builder, call: Call, inputs: list[Tensor], axis: int) -> Tensor:
    """Several tensors as one."""
    if len(inputs) == 1:
        return inputs[0]
    made = b.concat(inputs, axis)
    known = [_elements(part) for part in inputs]
    if None not in known and not made.known:
        made.sizes = tuple(size for sizes in known for size in sizes or ())
    return made


def _elements(sizes: Tensor) -> Shape | None:
    """The elements of a short list, as far as they are known."""
    if sizes.sizes is not None or sizes.shape is None or len(sizes.shape) != 1:
        return sizes.sizes
    if sizes.array is not None and sizes.array.dtype.kind == "i" and sizes.array.size <= MAX_RANK:
        return tuple(int(size) for size in sizes.array)
    count = sizes.shape[0]
    return None if count is None or count > MAX_RANK else (None,) * count


@adapter
def expand(b: Builder, call: Call, input: Tensor, shape: Tensor) -> Tensor:
    """Repeated to a shape that broadcasts with its own."""
    target = integers(shape, "shape") if shape.array is not None else None
    if input.shape is not None and target is not None and len(target) >= input.rank:
        aligned = (1,) * (len(target) - input.rank) + tuple(input.shape)
        if all(want != 1 or have == 1 for want, have in zip(target, aligned, strict=True)):
            return b.emit("expand_v2", {"X": input}, shape=target)
    ones = b.full(shape, 1, _number_type(input))
    return computed(b, lambda x: b.binary("elementwise_mul", x, b.cast(ones, x.dtype)), input)


def _number_type(x: Tensor) -> DataType:
    return DataType.INT32 if x.dtype in SMALL else x.dtype


@adapter
def tile(b: Builder, call: Call, input: Tensor, repeats: Tensor, **legacy: Any) -> Tensor:
    """Each axis repeated so often."""
    if call.version < 6:
        raise CannotRead("tiles along one axis")
    if repeats.array is None:
        return b.emit("tile", {"X": input, "RepeatTimes": b.int32(repeats)})
    return b.emit("tile", {"X": input}, repeat_times=integers(repeats, "repeats"))


@adapter
def shape(b: Builder, call: Call, data: Tensor, start: int = 0, end: Any = None) -> Tensor:
    """The dimensions, or some of them."""
    whole = b.shape_of(data)
    if start == 0 and end is None:
        return whole
    if data.shape is not None:
        places = range(data.rank)[start:end]
        start, end = places.start, places.stop
        if not places:
            return b.ints([])
    return b.slice(whole, 0, start, END if end is None else end)


@adapter
def size(b: Builder, call: Call, data: Tensor) -> Tensor:
    """The number of elements."""
    if data.shape is not None and None not in data.shape:
        return b.constant(np.asarray(math.prod(n or 0 for n in data.shape), np.int64))
    made = b.emit("size", {"Input": data})
    made.shape = ()
    return made
