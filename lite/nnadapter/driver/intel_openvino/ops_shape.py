"""Operations that move elements, and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import (
    PAD_NAMES,
    axes_of,
    axis_of,
    known,
    shape_numbers,
    squeezed_axes,
)
from lite.nnadapter.driver.intel_openvino.graph import Emitter, constant, operation
from lite.nnadapter.hal import Unsupported


@operation("RESHAPE")
def reshape(c: Emitter) -> Any:
    """0 keeps a dimension, -1 is what remains."""
    return ops.reshape(c["input"], c.shape_value("shape"), True)


@operation("TRANSPOSE")
def transpose(c: Emitter) -> Any:
    """Axes reversed where perm is absent."""
    perm = c.numbers("perm", range(c.rank("input"))[::-1])
    return ops.transpose(c["input"], constant(np.asarray(perm, np.int64)))


@operation("SQUEEZE")
def squeeze(c: Emitter) -> Any:
    """Removes axes of extent 1, all of them where axes is absent."""
    axes = squeezed_axes(c.op)
    return ops.squeeze(c["input"], constant(np.asarray(axes, np.int64))) if axes else c["input"]


@operation("UNSQUEEZE")
def unsqueeze(c: Emitter) -> Any:
    """Inserts axes of extent 1, one after the other."""
    value = c["input"]
    for axis in c.numbers("axes"):
        value = ops.unsqueeze(value, constant([int(axis)]))
    return value


def _flattened(c: Emitter, start: int, end: int) -> Any:
    x = c["input"]
    dims = ops.shape_of(x)
    rank = c.rank("input")

    def part(begin: int, stop: int) -> Any:
        return ops.gather(dims, constant(list(range(begin, stop))), constant(0))

    # Not -1, which says nothing of a tensor without elements.
    parts = [ops.reduce_prod(part(start, end + 1), constant([0]), True)]
    if start:
        parts.insert(0, part(0, start))
    if end + 1 < rank:
        parts.append(part(end + 1, rank))
    return ops.reshape(x, ops.concat(parts, 0), False)


@operation("FLATTEN")
def flatten(c: Emitter) -> Any:
    """The axes from start_axis to end_axis become one."""
    rank = c.rank("input")
    start = axis_of(c.op, rank, "start_axis", 0)
    return _flattened(c, start, axis_of(c.op, rank, "end_axis", -1))


@operation("CONCAT")
def concat(c: Emitter) -> Any:
    """Along an axis."""
    return ops.concat(c.repeated, axis_of(c.op, len(c.op.repeated[0].shape)))


@operation("STACK")
def stack(c: Emitter) -> Any:
    """Along a new axis."""
    axis = axis_of(c.op, len(c.op.repeated[0].shape) + 1, default=0)
    return ops.concat([ops.unsqueeze(value, constant([axis])) for value in c.repeated], axis)


@operation("UNSTACK")
def unstack(c: Emitter) -> Any:
    """An axis taken apart."""
    axis = axis_of(c.op, c.rank("input"), default=0)
    parts = ops.split(c["input"], constant(axis), len(c.op.outputs))
    return [ops.squeeze(part, constant([axis])) for part in parts.outputs()]


@operation("SPLIT")
def split(c: Emitter) -> Any:
    """Parts of given lengths."""
    axis = axis_of(c.op, c.rank("input"))
    return ops.variadic_split(c["input"], constant(axis), c.shape_value("split")).outputs()


@operation("SLICE")
def slice_(c: Emitter) -> Any:
    """start:end:step on some axes."""
    count = known(c.shape("starts"))[0]
    axes = c.numbers("axes", range(count))
    steps = c.numbers("steps", [1] * count)
    return ops.slice(
        c["input"],
        c.shape_value("starts"),
        c.shape_value("ends"),
        constant(np.asarray(steps, np.int64)),
        constant(np.asarray(axes, np.int64)),
    )


@operation("EXPAND")
def expand(c: Emitter) -> Any:
    """Broadcasts to a shape; -1 keeps a dimension."""
    numbers = shape_numbers(c.op["shape"])
    if numbers is not None:
        target = constant([1 if dim == -1 else dim for dim in numbers], np.int64)
    else:
        target = ops.maximum(c.shape_value("shape"), constant(1))
    return ops.broadcast(c["input"], target, broadcast_spec="BIDIRECTIONAL")


@operation("TILE")
def tile(c: Emitter) -> Any:
    """Repeats along each axis."""
    return ops.tile(c["input"], c.shape_value("repeats"))


@operation("GATHER")
def gather(c: Emitter) -> Any:
    """Entries of an axis by their indices."""
    axis = axis_of(c.op, c.rank("input"), default=0)
    return ops.gather(c["input"], c["indices"], constant(axis))


@operation("SHAPE")
def shape(c: Emitter) -> Any:
    """The input's dimensions."""
    return ops.shape_of(c["input"])


@operation("MESHGRID")
def meshgrid(c: Emitter) -> Any:
    """Grids of several vectors, the first varying along the first axis."""
    flat = [ops.reshape(value, constant([-1]), False) for value in c.repeated]
    target = ops.concat([ops.shape_of(value) for value in flat], 0)
    forms = [[-1 if i == axis else 1 for i in range(len(flat))] for axis in range(len(flat))]
    return [
        ops.broadcast(ops.reshape(value, constant(form), False), target)
        for value, form in zip(flat, forms, strict=True)
    ]


@operation("ROLL")
def roll(c: Emitter) -> Any:
    """Elements that leave an end come back at the other."""
    x, axes, shifts = c["input"], c.numbers("axes"), c.numbers("shifts")
    if axes:
        return ops.roll(x, constant(shifts, np.int64), constant(axes, np.int64))
    flat = ops.reshape(x, constant([-1]), False)
    rolled = ops.roll(flat, constant([sum(shifts)]), constant([0]))
    return ops.reshape(rolled, ops.shape_of(x), False)


@operation("CHANNEL_SHUFFLE")
def channel_shuffle(c: Emitter) -> Any:
    """The channels' groups interleaved."""
    return ops.shuffle_channels(c["input"], 1, int(c.number("group")))


def _top_k(c: Emitter, k: Any, axis: int, largest: bool) -> Any:
    mode = "max" if largest else "min"
    return ops.topk(c["input"], k, axis, mode, "value", "i64", True)


@operation("ARG_MAX", "ARG_MIN")
def arg_max_min(c: Emitter) -> Any:
    """The first index of the largest or smallest element of an axis."""
    axis = axis_of(c.op, c.rank("input"))
    found = _top_k(c, constant(1), axis, c.type == "ARG_MAX").output(1)
    return found if c.number("keepdim", False) else ops.squeeze(found, constant([axis]))


@operation("TOP_K")
def top_k(c: Emitter) -> Any:
    """The k largest or smallest of an axis, equal ones by their index."""
    axis = axis_of(c.op, c.rank("input"), default=-1)
    k = ops.reshape(c.shape_value("k"), constant(np.zeros(0, np.int64)), False)
    return _top_k(c, k, axis, bool(c.number("largest", True))).outputs()


_REDUCTIONS = {
    "REDUCE_MEAN": ops.reduce_mean,
    "REDUCE_MAX": ops.reduce_max,
    "REDUCE_SUM": ops.reduce_sum,
}


@operation(*_REDUCTIONS)
def reduce(c: Emitter) -> Any:
    """Over some axes, or all."""
    if c.type == "REDUCE_MEAN":
        c.need_float("input")
    if c.type == "REDUCE_SUM":
        c.refuse_int64("input")
    rank = c.rank("input")
    axes = axes_of(c.op, rank) or list(range(rank))
    keep = bool(c.number("keepdim", True))
    if rank != 3 or len(axes) == 3:
        return _REDUCTIONS[c.type](c["input"], constant(axes), keep)
    # OpenVINO's CPU joins what follows, a bias for instance, along a wrong axis of three; a split
    # into one part keeps it out.
    reduced = _REDUCTIONS[c.type](c["input"], constant(axes), True)
    whole = ops.variadic_split(reduced, constant(axes[0]), constant([1])).output(0)
    return whole if keep else ops.squeeze(whole, constant(axes))


@operation("CUM_SUM")
def cum_sum(c: Emitter) -> Any:
    """Running sums; exclusive ones leave out the element itself."""
    c.refuse_int64("input")
    axis = axis_of(c.op, c.rank("input"), default=-1)
    exclusive, reverse = bool(c.number("exclusive", False)), bool(c.number("reverse", False))
    return ops.cum_sum(c["input"], constant(axis), exclusive, reverse)


@operation("PAD")
def pad(c: Emitter) -> Any:
    """Begin and end of each axis."""
    flat = np.asarray(c.numbers("pads"), np.int64)
    mode = PAD_NAMES[c.number("mode", 1)]
    x, value = c["input"], c.get("value")
    if mode == "constant":
        if c.op["input"].dtype.kind in "iu" and abs(c.number("value", 0)) > 2**24:
            raise Unsupported("OpenVINO pads with float32 numbers, which this value is beyond")
        empty = constant(np.zeros(0, np.int64))
        fill = ops.reshape(value, empty, False) if value is not None else c.like(0, x)
        fill = ops.convert(fill, x.get_element_type())
        return ops.pad(x, constant(flat[::2]), constant(flat[1::2]), mode, fill)
    return ops.pad(x, constant(flat[::2]), constant(flat[1::2]), mode)
