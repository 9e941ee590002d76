"""Operators that cut."""

from __future__ import annotations

import itertools
from typing import Any

from lite.model.onnx.reader.builder import END, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen
from lite.model.onnx.reader.operators.shapes import integers, length, places
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


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
    size = input.shape[axis] if input.shape is not None else None
    if sizes is None and num_outputs is None:
        if size is not None and size % count:
            sizes = _chunks(size, count)
    elif sizes is None:
        if num_outputs != count:
            raise CannotRead(f"num_outputs is {num_outputs}, the outputs are {count}")
        if size is not None:
            sizes = _chunks(size, count)
        elif count > 1:
            return _computed_chunks(b, input, axis, count)
    if sizes is not None and len(sizes) != count:
        raise CannotRead(f"{len(sizes)} sizes for {count} outputs")
    attrs = {"num": count} if sizes is None else {"sections": sizes}
    made = b.emit_all("split", {"X": input}, {"Out": count}, axis=axis, **attrs)
    if size is not None and input.shape is not None:
        at = axis % input.rank
        for part, each in zip(made, sizes or [size // count] * count, strict=True):
            part.shape = (*input.shape[:at], each, *input.shape[at + 1 :])
    return made


def _chunks(size: int, count: int) -> list[int]:
    each = -(-size // count)
    return [max(min(each, size - i * each), 0) for i in range(count)]


def _computed_chunks(b: Builder, x: Tensor, axis: int, count: int) -> list[Tensor]:
    """Parts as equal as can be of an axis whose size is known as the model runs."""
    at = axis % x.rank
    size = b.slice(b.shape_of(x), 0, at, at + 1)
    most = b.binary("elementwise_add", size, b.ints([count - 1]))
    each = b.emit("elementwise_floordiv", {"X": most, "Y": b.ints([count])})
    borders = [b.binary("elementwise_mul", each, b.ints([i])) for i in range(count + 1)]
    return [
        _computed_steps(b, x, start, end, [at], b.ints([1]))
        for start, end in itertools.pairwise(borders)
    ]


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
        if _unknown(starts) or _unknown(ends):
            return _computed_steps(b, data, starts, ends, axes, steps)
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
    return b.emit("strided_slice", inputs, axes=range(rank), as_numpy=True, **attrs)


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
    return b.emit("strided_slice", inputs, axes=wanted, as_numpy=True, **attrs)


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
    return b.emit(
        "strided_slice",
        {"Input": data},
        axes=wanted,
        starts=bounds[0],
        ends=bounds[1],
        strides=bounds[2],
        as_numpy=True,
    )


@adapter
def compress(b: Builder, call: Call, input: Tensor, condition: Tensor, axis: Any) -> Tensor:
    """The elements, or slices, where a condition holds; paddle2onnx's has the input's shape."""
    source = b.flat(input) if axis is None else input
    at = b.reshape(b.emit("where_index", {"Condition": b.flat(condition)}), [-1])
    made = b.emit("gather", {"X": source, "Index": at}, axis=axis or 0)
    if source.shape is not None:
        cut = (axis or 0) % source.rank
        made.shape = (*source.shape[:cut], None, *source.shape[cut + 1 :])
    return made
