"""Operators that move, join, cut and repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import END, SMALL, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen, computed
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
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
    """How many elements a list has. Raises CannotRead where that is not known."""
    size = tensor.shape[0] if tensor.shape is not None and tensor.rank == 1 else None
    if size is None:
        raise CannotRead(f"the number of elements of {what} is not known")
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
        size = shape.shape[0] if shape.shape else None
        made.shape = None if size is None else (None,) * size
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
    return b.transpose(data, axes) if axes else data


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
    if not wanted:
        return data
    made = b.emit("squeeze2", {"X": data}, axes=wanted)
    if made.shape is None and data.shape is not None:
        dropped = {axis % data.rank for axis in wanted}
        made.shape = tuple(dim for i, dim in enumerate(data.shape) if i not in dropped)
    return made


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
    if any(axis < 0 for axis in wanted):
        rank = data.rank + len(wanted)
        wanted = [axis + rank if axis < 0 else axis for axis in wanted]
    return b.unsqueeze(data, sorted(wanted))


@adapter
def concat(b: Builder, call: Call, inputs: list[Tensor], axis: int) -> Tensor:
    """Several tensors as one."""
    if len(inputs) == 1:
        return inputs[0]
    return b.concat(inputs, axis)


@adapter
def split(
    b: Builder, call: Call, input: Tensor, split: Any, axis: int, num_outputs: Any = None
) -> list[Tensor]:
    """Parts along an axis: of given sizes, or as equal as can be."""
    count = len(call.outputs)
    if isinstance(split, Tensor) and split.array is None:
        parts = [b.slice(b.int32(split), 0, i, i + 1) for i in range(count)]
        inputs: dict[str, Any] = {"X": input, "SectionsTensorList": parts}
        return b.emit_all("split", inputs, {"Out": count}, axis=axis, sections=[-1] * count)
    sizes = integers(split, "split")
    if sizes is None and num_outputs is None:
        size = input.shape[axis] if input.shape is not None else None
        if size is not None and size % count:
            sizes = _chunks(size, count)
    elif sizes is None:
        size = input.shape[axis] if input.shape is not None else None
        if num_outputs != count:
            raise CannotRead(f"num_outputs is {num_outputs}, the outputs are {count}")
        if size is not None:
            sizes = _chunks(size, count)
        elif count > 1:
            raise CannotRead("num_outputs where the size of the axis is not known")
    if sizes is None:
        return b.emit_all("split", {"X": input}, {"Out": count}, num=count, axis=axis)
    if len(sizes) != count:
        raise CannotRead(f"{len(sizes)} sizes for {count} outputs")
    return b.emit_all("split", {"X": input}, {"Out": count}, sections=sizes, axis=axis)


def _chunks(size: int, count: int) -> list[int]:
    each = -(-size // count)
    return [max(min(each, size - i * each), 0) for i in range(count)]


@adapter
def slice_(
    b: Builder, call: Call, data: Tensor, starts: Any, ends: Any, axes: Any, steps: Any = None
) -> Tensor:
    """A part of some axes."""
    if _unknown(axes):
        return _computed_axes(b, data, starts, ends, axes, steps)
    if isinstance(steps, Tensor) and steps.array is None:
        return _computed_steps(b, data, starts, ends, axes, steps)
    if steps is not None and integers(steps, "steps") != [1] * len(integers(steps, "") or []):
        return _strided(b, data, starts, ends, axes, integers(steps, "steps") or [])
    wanted = integers(axes, "axes")
    if wanted is None:
        known = starts if isinstance(starts, list) else range(length(starts, "starts"))
        wanted = list(range(len(known)))
    count = len(wanted)
    first, last = (None if _unknown(part) else integers(part, "") for part in (starts, ends))
    if first and last and any(map(_is_empty, first, last)):
        return _strided(b, data, starts, ends, axes, [1] * count)
    if any(axis < 0 for axis in wanted):
        wanted = [axis % data.rank for axis in wanted]
    inputs: dict[str, Any] = {"Input": data}
    attrs: dict[str, Any] = {"axes": wanted}
    for name, slot, part in (
        ("starts", "StartsTensor", starts),
        ("ends", "EndsTensor", ends),
    ):
        if isinstance(part, Tensor) and part.array is None:
            inputs[slot], attrs[name] = b.int32(part), [-1] * count
        else:
            attrs[name] = [min(max(n, -END - 1), END) for n in integers(part, name) or []]
    return b.emit("slice", inputs, **attrs)


def _computed_axes(
    b: Builder, data: Tensor, starts: Tensor, ends: Tensor, axes: Tensor, steps: Tensor | None
) -> Tensor:
    """A part of axes that are computed as the model runs: as one of all axes."""
    rank = data.rank
    at = places(b, axes, rank)
    named = b.emit("reduce_any", {"X": at}, dim=[1])
    mask = b.cast(at, DataType.INT64)

    def spread(part: Tensor, rest: int) -> Tensor:
        """What an axis has of a list, and ``rest`` where the list does not name it."""
        row = b.unsqueeze(b.cast(b.int32(part), DataType.INT64), [0])
        own = b.reduce("sum", b.binary("elementwise_mul", mask, row), [1], False)
        return chosen(b, named, own, b.ints([rest] * rank))

    inputs = {
        "Input": data,
        "StartsTensor": b.int32(spread(starts, 0)),
        "EndsTensor": b.int32(spread(ends, END)),
        "StridesTensor": b.int32(spread(steps, 1) if steps is not None else b.ints([1] * rank)),
    }
    attrs: dict[str, Any] = dict.fromkeys(("starts", "ends", "strides"), [1] * rank)
    made = b.emit("strided_slice", inputs, axes=range(rank), as_numpy=True, **attrs)
    made.shape = (None,) * rank
    return made


def _unknown(part: Any) -> bool:
    return isinstance(part, Tensor) and part.array is None


def _is_empty(start: int, end: int) -> bool:
    """Whether a part is certainly of no elements, which `slice` refuses."""
    return end <= -END or ((start < 0) == (end < 0) and start >= end)


def _computed_steps(
    b: Builder, data: Tensor, starts: Tensor, ends: Tensor, axes: Any, steps: Tensor
) -> Tensor:
    """Everything but the axes is computed as the model runs."""
    count = length(steps, "steps")
    wanted = integers(axes, "axes") or list(range(count))
    inputs = {
        "Input": data,
        "StartsTensor": b.int32(starts),
        "EndsTensor": b.int32(ends),
        "StridesTensor": b.int32(steps),
    }
    attrs: dict[str, Any] = dict.fromkeys(("starts", "ends", "strides"), [1] * count)
    wanted = [axis % data.rank for axis in wanted]
    made = b.emit("strided_slice", inputs, axes=wanted, as_numpy=True, **attrs)
    made.shape = (None,) * data.rank
    return made


def _strided(
    b: Builder, data: Tensor, starts: Any, ends: Any, axes: Any, steps: list[int]
) -> Tensor:
    first, last = integers(starts, "starts"), integers(ends, "ends")
    wanted = integers(axes, "axes")
    assert first is not None and last is not None
    wanted = list(range(len(first))) if wanted is None else wanted
    if any(axis < 0 for axis in wanted):
        wanted = [axis % data.rank for axis in wanted]
    if not len(first) == len(last) == len(steps) == len(wanted) or 0 in steps:
        raise CannotRead("starts, ends, axes and steps do not fit")
    for i, axis in enumerate(wanted):
        if steps[i] < 0 and first[i] < -1:  # where numpy has nothing left, ONNX begins at 0
            size = data.shape[axis] if data.shape is not None else None
            if size is None:
                raise CannotRead(f"a step back from {first[i]} of an axis of unknown size")
            first[i] = max(first[i] + size, 0)
    bounds = [[min(max(n, -END - 1), END) for n in part] for part in (first, last, steps)]
    made = b.emit(
        "strided_slice",
        {"Input": data},
        axes=wanted,
        starts=bounds[0],
        ends=bounds[1],
        strides=bounds[2],
        as_numpy=True,
    )
    if made.shape is None and data.shape is not None:
        made.shape = tuple(None if i in wanted else dim for i, dim in enumerate(data.shape))
    return made


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
        made = b.emit("tile", {"X": input, "RepeatTimes": b.int32(repeats)})
    else:
        made = b.emit("tile", {"X": input}, repeat_times=integers(repeats, "repeats"))
    made.shape = made.shape or (None if input.shape is None else (None,) * input.rank)
    return made


@adapter
def pad(
    b: Builder,
    call: Call,
    data: Tensor,
    pads: Any,
    mode: str,
    constant_value: Tensor | None = None,
    axes: Tensor | None = None,
    value: float = 0.0,
) -> Tensor:
    """More elements around; negative numbers take some away."""
    if isinstance(pads, Tensor) and (pads.array is None or (axes and axes.array is None)):
        return _computed_pads(b, data, pads, mode, constant_value, axes)
    amounts = integers(pads, "pads") or []
    rank = data.rank
    named = integers(axes, "axes")
    if named is not None:
        begins, ends = [0] * rank, [0] * rank
        for i, axis in enumerate(named):
            begins[axis], ends[axis] = amounts[i], amounts[i + len(named)]
        amounts = begins + ends
    if len(amounts) != 2 * rank:
        raise CannotRead(f"{len(amounts)} numbers in pads for {rank} dimensions")
    number = _padding_number(constant_value, value)
    cut, amounts = _cropped(b, data, amounts)
    pairs = [amounts[i + side * rank] for i in range(rank) for side in (0, 1)]
    if not any(pairs):
        return cut
    if mode == "constant":
        return computed(b, lambda x: _padded(b, x, pairs, number), cut)
    if mode not in ("reflect", "edge", "wrap"):
        raise CannotRead(f"mode {mode!r}")
    return computed(b, lambda x: _mirrored(b, x, pairs, mode), cut)


def _padding_number(value: Tensor | None, default: float) -> float:
    if value is None:
        return default
    if value.array is None or value.array.size != 1:
        raise CannotRead("the value is computed as the model runs")
    number = value.array.reshape(-1)[0].item()
    if isinstance(number, int) and int(np.float32(number)) != number:
        raise CannotRead(f"a value of {number}, which float32 does not hold")
    return float(number)


def _computed_pads(
    b: Builder, x: Tensor, pads: Tensor, mode: str, value: Any, axes: Tensor | None
) -> Tensor:
    """Padding that is computed as the model runs."""
    number = _padding_number(value, 0.0)
    rank = x.rank
    pairs = b.transpose(b.reshape(pads, [2, -1]), [1, 0])
    if axes is not None:
        at = b.cast(places(b, axes, rank), DataType.INT64)
        spread = b.binary("elementwise_mul", b.unsqueeze(at, [2]), b.unsqueeze(pairs, [0]))
        pairs = b.reduce("sum", spread, [1], False)
    if mode == "constant":
        inputs = {"Paddings": b.int32(b.reshape(pairs, [-1]))}
        attrs: dict[str, Any] = {"paddings": [0] * (2 * rank), "pad_value": number}
        made = computed(b, lambda y: b.emit("pad", {"X": y, **inputs}, **attrs), x)
        made.shape = (None,) * rank
        return made
    raise CannotRead(f"mode {mode!r} with pads that are computed as the model runs")


def _cropped(b: Builder, x: Tensor, amounts: list[int]) -> tuple[Tensor, list[int]]:
    rank = len(amounts) // 2
    for axis in range(rank):
        start, end = -min(amounts[axis], 0), min(amounts[axis + rank], 0)
        if start or end:
            x = b.slice(x, axis, start, end or END)
    return x, [max(n, 0) for n in amounts]


def _padded(b: Builder, x: Tensor, pairs: list[int], number: Any) -> Tensor:
    return b.emit("pad", {"X": x}, paddings=pairs, pad_value=float(number))


def _mirrored(b: Builder, x: Tensor, pairs: list[int], mode: str) -> Tensor:
    """Padding with the input's own elements: of the last three axes of five at most."""
    modes = {"edge": "replicate", "wrap": "circular", "reflect": "reflect"}
    rank = x.rank
    added = 5 - rank
    # New axes stand in front of all where all are padded, else behind the first two.
    at = 0 if rank <= 3 else 2
    wide = [*pairs[: 2 * at], *[0] * (2 * max(added, 0)), *pairs[2 * at :]]
    if added < 0 or any(wide[:4]):
        raise CannotRead(f"mode {mode!r} on the first axes of {rank} dimensions")
    places = range(at, at + added)
    return b.squeeze(_pad3d(b, b.unsqueeze(x, places), wide[4:], modes[mode]), places)


def _pad3d(b: Builder, x: Tensor, pairs: list[int], mode: str) -> Tensor:
    """The last three axes of five; the attribute names them from the last one."""
    front, height, width = pairs[0:2], pairs[2:4], pairs[4:6]
    made = b.emit("pad3d", {"X": x}, paddings=[*width, *height, *front], mode=mode)
    made.shape = (None,) * 5
    return made


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
    if data.array is not None:
        return b.constant(np.asarray(data.array.size, np.int64))
    made = b.emit("size", {"Input": data})
    made.shape = ()
    return made


@adapter
def compress(b: Builder, call: Call, input: Tensor, condition: Tensor, axis: Any) -> Tensor:
    """The elements, or slices, where a condition holds."""
    source = b.flat(input) if axis is None else input
    at = b.reshape(b.emit("where_index", {"Condition": condition}), [-1])
    made = b.emit("gather", {"X": source, "Index": at}, axis=axis or 0)
    made.shape = None if source.shape is None else (None,) * source.rank
    return made
