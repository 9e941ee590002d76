"""Gathering, scattering, and where elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import SMALL, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen, computed, wide
from lite.model.onnx.reader.operators.shapes import counted, integers, with_sizes
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.params import NUMPY_TYPES
from lite.model.program import DataType


def from_zero(b: Builder, indices: Tensor, data: Tensor, axis: int) -> Tensor:
    """Positions with those counted from the end made positive."""
    if indices.array is not None:
        if (indices.array >= 0).all():
            return indices
        size = data.shape[axis] if data.shape is not None else None
        if size is not None:
            made = np.where(indices.array < 0, indices.array + size, indices.array)
            return Tensor(indices.name, indices.dtype, indices.shape, made)
    count = b.cast(b.slice(b.shape_of(data), 0, axis, axis + 1), indices.dtype)
    below = b.cast(b.binary("less_than", indices, b.like(0, indices)), indices.dtype)
    moved = b.binary("elementwise_add", indices, b.binary("elementwise_mul", below, count))
    moved.shape = indices.shape
    return moved


def _gathered(b: Builder, data: Tensor, indices: Tensor, axis: int) -> Tensor:
    """``gather`` takes a list: of other shapes, its result is given theirs."""
    rank = indices.rank
    if rank == 1:
        made = b.emit("gather", {"X": data, "Index": indices}, axis=axis)
        if data.shape is not None:
            shape = list(data.shape)
            shape[axis] = indices.shape[0] if indices.shape else None
            made.shape = tuple(shape)
        return made
    if rank == 0:
        made = _gathered(b, data, b.reshape(indices, [1]), axis)
        return b.emit("squeeze2", {"X": made}, axes=[axis])
    flat = b.flat(indices)
    if axis == 0 and data.shape is not None and data.rank == 2 and data.dtype is DataType.FP32:
        return b.emit("lookup_table_v2", {"Ids": indices, "W": data}, padding_idx=-1)
    made = _gathered(b, data, flat, axis)
    parts = []
    if axis:
        parts.append(b.slice(b.shape_of(data), 0, 0, axis))
    parts.append(b.shape_of(indices))
    if axis + 1 < data.rank:
        parts.append(b.slice(b.shape_of(data), 0, axis + 1))
    return with_sizes(b, made, b.concat(parts, 0), data.rank - 1 + rank)


@adapter
def gather(b: Builder, call: Call, data: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Slices of an axis."""
    axis = axis % data.rank if axis < 0 else axis
    at = from_zero(b, indices, data, axis)
    if data.array is not None and at.array is not None:
        try:
            return b.constant(np.take(data.array, at.array, axis))
        except IndexError:
            raise CannotRead("an index beyond the axis") from None
    known = _known_sizes(data, at)
    if known is not None:
        return b.constant(known)
    return _moved(b, lambda x: _gathered(b, x, at, axis), data)


def _known_sizes(data: Tensor, at: Tensor) -> np.ndarray[Any, Any] | None:
    """Dimensions out of a shape of which others may not be known."""
    if data.sizes is None or at.array is None or at.array.size == 0:
        return None
    inside = (at.array >= 0) & (at.array < len(data.sizes))
    found = [data.sizes[i] for i in at.array.reshape(-1)] if inside.all() else [None]
    return None if None in found else np.array(found, np.int64).reshape(at.array.shape)


def _moved(b: Builder, emit: Any, x: Tensor) -> Tensor:
    """Operators that move elements know fewer types than ONNX has."""
    made: Tensor = computed(b, emit, x) if x.dtype in SMALL else emit(x)
    made.bits = x.bits
    return made


@adapter
def gather_elements(b: Builder, call: Call, data: Tensor, indices: Tensor, axis: int) -> Tensor:
    """An element of an axis for each position."""
    axis %= data.rank
    at = from_zero(b, indices, data, axis)

    def emit(x: Tensor) -> Tensor:
        made = b.emit("take_along_axis", {"Input": x, "Index": at}, Axis=axis)
        made.shape = indices.shape
        return made

    return _moved(b, emit, data)


def _depth(indices: Tensor, data: Tensor, batch_dims: int = 0) -> int:
    """How many axes of the data an index has positions in."""
    depth = indices.shape[-1] if indices.shape else None
    if depth is None and data.rank == batch_dims + 1:
        return 1
    if depth is None:
        raise CannotRead("the number of positions of an index is not known")
    return depth


def _with_batches(b: Builder, indices: Tensor, batch_dims: int) -> Tensor:
    """Indices with the positions of the axes, in front, that they share with the data."""
    indices, sizes = b.cast(indices, DataType.INT64), b.shape_of(indices)
    first = b.slice(indices, indices.rank - 1, 0, 1)
    nothing = b.binary("elementwise_mul", first, b.like(0, first))
    columns = []
    for axis in range(batch_dims):
        steps = b.reshape(counted(b, b.slice(sizes, 0, axis, axis + 1)), [-1])
        steps = b.reshape(steps, [-1 if i == axis else 1 for i in range(indices.rank)])
        columns.append(b.binary("elementwise_add", nothing, steps))
    return b.concat([*columns, indices], indices.rank - 1)


@adapter
def gather_nd(b: Builder, call: Call, data: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Slices by lists of positions."""
    if batch_dims and not 0 < batch_dims < indices.rank:
        raise CannotRead(f"batch_dims is {batch_dims}, the indices have {indices.rank} dimensions")
    at = _positive_nd(b, indices, data, _depth(indices, data, batch_dims), batch_dims)
    if batch_dims:
        at = _with_batches(b, at, batch_dims)
    return _moved(b, lambda x: b.emit("gather_nd", {"X": x, "Index": at}), data)


def _positive_nd(
    b: Builder, indices: Tensor, data: Tensor, depth: int, batch_dims: int = 0
) -> Tensor:
    if indices.array is not None and (indices.array >= 0).all():
        return indices
    count = b.slice(b.shape_of(data), 0, batch_dims, batch_dims + depth)
    below = b.cast(b.binary("less_than", indices, b.like(0, indices)), DataType.INT64)
    moved = b.binary("elementwise_mul", below, count)
    made = b.binary("elementwise_add", b.cast(indices, DataType.INT64), moved)
    made.shape = indices.shape
    return made


_ROWS = (DataType.FP32, DataType.FP64, DataType.INT32, DataType.INT64)
"""What `scatter` replaces rows of."""

_REDUCTIONS = {"none": "assign", "add": "add", "mul": "mul", "max": "amax", "min": "amin"}


@adapter
def scatter_elements(
    b: Builder,
    call: Call,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    axis: int,
    reduction: str = "none",
) -> Tensor:
    """Elements of an axis replaced, or combined with others."""
    if reduction not in _REDUCTIONS:
        raise CannotRead(f"reduction {reduction!r}")
    axis %= data.rank
    at = from_zero(b, indices, data, axis)
    attrs = {"Axis": axis, "Reduce": _REDUCTIONS[reduction]}

    def emit(x: Tensor, new: Tensor) -> Tensor:
        made = b.emit("put_along_axis", {"Input": x, "Index": at, "Value": new}, **attrs)
        made.shape = data.shape
        return made

    return computed(b, emit, data, updates)


@adapter
def scatter_nd(
    b: Builder,
    call: Call,
    data: Tensor,
    indices: Tensor,
    updates: Tensor,
    reduction: str = "none",
) -> Tensor:
    """Slices replaced, or added to."""
    depth = _depth(indices, data)
    if 0 in (updates.shape or ()):
        return data
    if reduction == "add":
        at = _positive_nd(b, indices, data, depth)
        inputs = {"X": data, "Index": at, "Updates": updates}
        return computed(
            b,
            lambda x, u: b.emit("scatter_nd_add", {**inputs, "X": x, "Updates": u}),
            data,
            updates,
        )
    if reduction not in _REDUCTIONS:
        raise CannotRead(f"reduction {reduction!r}")
    return computed(b, lambda x, u: _scattered(b, x, indices, u, depth, reduction), data, updates)


def _scattered(
    b: Builder, x: Tensor, indices: Tensor, updates: Tensor, depth: int, reduction: str
) -> Tensor:
    """Positions as one number each, and slices as rows: then it is a scatter along an axis."""
    at = b.cast(_positive_nd(b, indices, x, depth), DataType.INT64)
    sizes = b.shape_of(x)
    steps = b.emit(
        "cumprod", {"X": b.slice(sizes, 0, 0, depth)}, dim=0, exclusive=True, reverse=True
    )
    steps.shape = (depth,)
    row = b.reduce("sum", b.binary("elementwise_mul", at, steps), [-1], True)
    rows = b.reduce("prod", b.slice(sizes, 0, 0, depth), [0], True)
    # Not -1, which could be anything where there are no rows.
    wide = b.reduce("prod", b.slice(sizes, 0, depth), [0], True) if depth < x.rank else b.ints([1])
    source = with_sizes(b, x, b.concat([rows, wide], 0), 2)
    flat = b.reshape(row, [-1, 1])
    new = with_sizes(b, updates, b.concat([b.slice(b.shape_of(flat), 0, 0, 1), wide], 0), 2)
    if reduction == "none" and x.dtype in _ROWS:
        made = b.emit("scatter", {"X": source, "Ids": flat, "Updates": new}, overwrite=True)
    else:
        zeros = b.full(b.shape_of(new), 0, DataType.INT64)
        places = b.binary("elementwise_add", zeros, flat)
        attrs = {"Axis": 0, "Reduce": _REDUCTIONS[reduction]}
        made = b.emit("put_along_axis", {"Input": source, "Index": places, "Value": new}, **attrs)
    made = with_sizes(b, made, sizes, x.rank)
    made.shape = x.shape
    return made


@adapter
def one_hot(
    b: Builder, call: Call, indices: Tensor, depth: Tensor, values: Tensor, axis: int
) -> Tensor:
    """One of two values: at an index, and elsewhere."""
    rank = indices.rank + 1
    axis = axis % rank
    size = b.reshape(b.cast(depth, DataType.INT64), [1])
    at = b.unsqueeze(b.cast(indices, DataType.INT64), [axis])
    below = b.cast(b.binary("less_than", at, b.like(0, at)), DataType.INT64)
    at = b.binary("elementwise_add", at, b.binary("elementwise_mul", below, size))
    steps = {"Start": b.ints([0]), "End": size, "Step": b.ints([1])}
    row = b.emit("range", steps)
    places = b.reshape(row, [-1 if i == axis else 1 for i in range(rank)])
    hit = b.binary("equal", at, places)
    return chosen(b, hit, b.slice(values, 0, 1, 2), b.slice(values, 0, 0, 1))


@adapter
def non_zero(b: Builder, call: Call, X: Tensor) -> Tensor:
    """The positions of what is not zero, an axis a row."""
    truth = X if X.dtype is DataType.BOOL else b.cast(X, DataType.BOOL)
    return b.transpose(b.emit("where_index", {"Condition": truth}), [1, 0])


@adapter
def unique(b: Builder, call: Call, X: Tensor, axis: int | None, sorted: int) -> list[Tensor | None]:
    """Different elements, or slices of an axis, in order; where they were, and how often."""
    slots = dict.fromkeys(("Out", "Indices", "Index", "Counts"), 1)
    at = None if axis is None else axis % X.rank
    axes = [] if at is None else [at]
    made = b.emit_all("unique", {"X": wide(b, X)}, slots, axis=axes, is_sorted=True, dtype=3)
    for one in made:
        one.shape = (None,)
    if at is not None and X.shape is not None:
        made[0].shape = (*X.shape[:at], None, *X.shape[at + 1 :])
    if not sorted:
        made = _as_they_come(b, made, at or 0)
    return [b.cast(made[0], X.dtype), *made[1:]]


def _as_they_come(b: Builder, made: list[Tensor], axis: int) -> list[Tensor]:
    """What is sorted by value, sorted by where each was first; the inverse follows."""
    found, first, inverse, counts = made

    def order(x: Tensor) -> Tensor:
        return b.emit("argsort", {"X": x}, "Indices", axis=-1)

    places = order(first)
    parts = [
        b.emit("gather", {"X": x, "Index": places}, axis=along)
        for x, along in ((found, axis), (first, 0), (counts, 0))
    ]
    for part, x in zip(parts, (found, first, counts), strict=True):
        part.shape = x.shape
    moved = b.emit("gather", {"X": order(places), "Index": inverse}, axis=0)
    moved.shape = inverse.shape
    return [parts[0], parts[1], moved, parts[2]]


@adapter
def trilu(b: Builder, call: Call, input: Tensor, k: Tensor | None, upper: int) -> Tensor:
    """A triangle of each matrix."""
    if k is not None and k.array is None:
        return _computed_triangle(b, input, k, bool(upper))
    number = (integers(k, "k") or [0])[0]
    limit = max(-(1 << 31), min(number, (1 << 31) - 1))
    return computed(
        b, lambda x: b.emit("tril_triu", {"X": x}, diagonal=limit, lower=not upper), input
    )


def _computed_triangle(b: Builder, x: Tensor, k: Tensor, upper: bool) -> Tensor:
    sizes, rank = b.shape_of(x), x.rank
    down = b.unsqueeze(counted(b, b.slice(sizes, 0, rank - 2, rank - 1)), [1])
    right = counted(b, b.slice(sizes, 0, rank - 1, rank))
    distance = b.binary("elementwise_sub", right, down)
    limit = b.reshape(b.cast(k, DataType.INT64), [])
    kept = b.binary("greater_equal" if upper else "less_equal", distance, limit)
    made = chosen(b, kept, x, b.like(0, x))
    made.shape = x.shape
    return made


@adapter
def eye_like(b: Builder, call: Call, input: Tensor, dtype: Any, k: int) -> Tensor:
    """Ones on a diagonal, in the shape of a matrix."""
    from lite.model.onnx.reader.translate import held_type

    type = input.dtype if dtype is None else held_type(int(dtype), "the result")[0]
    rows = b.slice(b.shape_of(input), 0, 0, 1)
    columns = b.slice(b.shape_of(input), 0, 1, 2)
    down, right = b.unsqueeze(counted(b, rows), [1]), counted(b, columns)
    shift = b.constant(np.asarray(k, np.int64))
    made = b.cast(b.binary("equal", b.binary("elementwise_add", down, shift), right), type)
    made.shape = (None, None)
    return made


@adapter
def range_(b: Builder, call: Call, start: Tensor, limit: Tensor, delta: Tensor, **_: Any) -> Tensor:
    """Numbers in equal steps."""
    known = [value.array for value in (start, limit, delta)]
    if all(array is not None for array in known):
        first, last, step = (array.reshape(-1)[0].item() for array in known)  # type: ignore
        if step == 0 or (last - first) / step > 1 << 24:
            raise CannotRead(f"{first} to {last} in steps of {step}")
        count = max(int(np.ceil((last - first) / step)), 0)
        made = first + np.arange(count, dtype=NUMPY_TYPES[start.dtype]) * step
        return b.constant(made.astype(NUMPY_TYPES[start.dtype]))
    ends = [b.reshape(value, [1]) for value in (start, limit, delta)]
    return computed(b, lambda s, e, d: b.emit("range", {"Start": s, "End": e, "Step": d}), *ends)


@adapter
def reverse_sequence(
    b: Builder, call: Call, input: Tensor, sequence_lens: Tensor, batch_axis: int, time_axis: int
) -> Tensor:
    """The first elements of each sequence the other way round, so many as its length."""
    batches, times = batch_axis % input.rank, time_axis % input.rank
    rest = [axis for axis in range(input.rank) if axis not in (batches, times)]
    order = [batches, times, *rest]
    x = b.transpose(input, order)
    length = b.unsqueeze(b.cast(sequence_lens, DataType.INT64), [1])
    at = b.unsqueeze(counted(b, b.slice(b.shape_of(x), 0, 1, 2)), [0])
    mirrored = b.binary("elementwise_sub", b.binary("elementwise_sub", length, b.ints([1])), at)
    source = chosen(b, b.binary("less_than", at, length), mirrored, at)
    made = _rows_of_each(b, x, source)
    return b.transpose(made, [int(axis) for axis in np.argsort(order)])


@adapter
def tensor_scatter(
    b: Builder,
    call: Call,
    past_cache: Tensor,
    update: Tensor,
    write_indices: Tensor | None,
    mode: str,
    axis: int,
) -> Tensor:
    """A cache with new elements from an index of each batch on."""
    at = axis % past_cache.rank
    if at == 0 or mode not in ("linear", "circular"):
        raise CannotRead(f"axis {axis}, mode {mode!r}")
    order = [0, at, *(i for i in range(1, past_cache.rank) if i != at)]
    old, new = b.transpose(past_cache, order), b.transpose(update, order)
    size, count = (b.slice(b.shape_of(x), 0, 1, 2) for x in (old, new))
    place = b.unsqueeze(counted(b, size), [0])
    if write_indices is None:
        first = b.full(b.slice(b.shape_of(old), 0, 0, 1), 0, DataType.INT64)
    else:
        first = b.cast(write_indices, DataType.INT64)
    source = b.binary("elementwise_sub", place, b.unsqueeze(first, [1]))
    if mode == "circular":
        source = b.binary("elementwise_mod", source, size)
    inside = b.binary(
        "logical_and",
        b.binary("greater_equal", source, b.ints([0])),
        b.binary("less_than", source, count),
    )
    last = b.binary("elementwise_sub", count, b.ints([1]))
    clamped = b.binary("elementwise_max", b.binary("elementwise_min", source, last), b.ints([0]))
    wide = b.unsqueeze(inside, range(2, past_cache.rank))
    made = chosen(b, wide, _rows_of_each(b, new, clamped), old)
    made.shape = old.shape
    return b.transpose(made, [int(i) for i in np.argsort(order)])


def _rows_of_each(b: Builder, x: Tensor, rows: Tensor) -> Tensor:
    """x[i, rows[i, j]] for each i and j."""
    batch = b.unsqueeze(counted(b, b.slice(b.shape_of(x), 0, 0, 1)), [1])
    batch = b.binary("elementwise_add", batch, b.emit("fill_any_like", {"X": rows}, value=0.0))
    index = b.emit("stack", {"X": [batch, rows]}, axis=-1)
    return b.emit("gather_nd", {"X": x, "Index": index})
