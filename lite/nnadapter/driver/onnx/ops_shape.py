"""Operations that move elements, and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import (
    PAD_NAMES,
    axes_of,
    axis_of,
    known,
    shape_numbers,
    squeezed_axes,
)
from lite.nnadapter.driver.onnx.graph import Emitter, operation


@operation("RESHAPE")
def reshape(c: Emitter) -> Any:
    """0 keeps a dimension, -1 is what remains."""
    return c.node("Reshape", [c["input"], c.shape_value("shape")])


@operation("TRANSPOSE")
def transpose(c: Emitter) -> Any:
    """Axes reversed where perm is absent."""
    rank = c.rank("input")
    if rank < 2:
        return c["input"]
    perm = [int(axis) % rank for axis in c.numbers("perm")]
    return c.node("Transpose", [c["input"]], perm=perm or None)


@operation("SQUEEZE")
def squeeze(c: Emitter) -> Any:
    """Removes axes of extent 1, all of them where axes is absent."""
    axes = squeezed_axes(c.op)
    return c.node("Squeeze", [c["input"], c.ints(axes)]) if axes else c["input"]


@operation("UNSQUEEZE")
def unsqueeze(c: Emitter) -> Any:
    """Inserts axes of extent 1, one after the other."""
    value = c["input"]
    for axis in c.numbers("axes"):
        value = c.node("Unsqueeze", [value, c.ints([axis])])
    return value


@operation("FLATTEN")
def flatten(c: Emitter) -> Any:
    """The axes from start_axis to end_axis become one."""
    rank = c.rank("input")
    start = axis_of(c.op, rank, "start_axis", 0)
    end = axis_of(c.op, rank, "end_axis", -1)
    dims = c.node("Shape", [c["input"]])
    # Not -1, which says nothing of a tensor without elements.
    joined = c.node("Slice", [dims, c.ints([start]), c.ints([end + 1])])
    parts = [c.node("ReduceProd", [joined], keepdims=1)]
    if start:
        parts.insert(0, c.node("Slice", [dims, c.ints([0]), c.ints([start])]))
    if end + 1 < rank:
        parts.append(c.node("Slice", [dims, c.ints([end + 1]), c.ints([rank])]))
    return c.node("Reshape", [c["input"], c.node("Concat", parts, axis=0)], allowzero=1)


@operation("CONCAT")
def concat(c: Emitter) -> Any:
    """Along an axis."""
    return c.node("Concat", c.repeated, axis=axis_of(c.op, len(c.op.repeated[0].shape)))


@operation("STACK")
def stack(c: Emitter) -> Any:
    """Along a new axis."""
    axis = axis_of(c.op, len(c.op.repeated[0].shape) + 1, default=0)
    values = [c.node("Unsqueeze", [value, c.ints([axis])]) for value in c.repeated]
    return c.node("Concat", values, axis=axis)


def _many(c: Emitter, values: Any) -> list[str]:
    return [values] if isinstance(values, str) else list(values)


@operation("UNSTACK")
def unstack(c: Emitter) -> Any:
    """An axis taken apart."""
    axis, count = axis_of(c.op, c.rank("input"), default=0), len(c.op.outputs)
    parts = _many(c, c.node("Split", [c["input"]], count, axis=axis, num_outputs=count))
    return [c.node("Squeeze", [part, c.ints([axis])]) for part in parts]


@operation("SPLIT")
def split(c: Emitter) -> Any:
    """Parts of given lengths."""
    axis = axis_of(c.op, c.rank("input"))
    lengths = shape_numbers(c.op["split"])
    if lengths is None or -1 not in lengths:
        split = c.shape_value("split")
    else:
        others = c.ints([length for length in lengths if length != -1])
        rest = c.node("ReduceSum", [others], keepdims=1)
        rest = c.node("Sub", [c.dims("input", axis, axis + 1), rest])
        parts = [rest if length == -1 else c.ints([length]) for length in lengths]
        split = c.node("Concat", parts, axis=0)
    return _many(c, c.node("Split", [c["input"], split], len(c.op.outputs), axis=axis))


@operation("SLICE")
def slice_(c: Emitter) -> Any:
    """start:end:step on some axes."""
    count = known(c.shape("starts"))[0]
    axes, steps = c.numbers("axes", range(count)), c.numbers("steps", [1] * count)
    bounds = [c.shape_value("starts"), c.shape_value("ends")]
    return c.node("Slice", [c["input"], *bounds, c.ints(axes), c.ints(steps)])


@operation("EXPAND")
def expand(c: Emitter) -> Any:
    """Broadcasts to a shape; -1 keeps a dimension."""
    numbers = shape_numbers(c.op["shape"])
    if numbers is not None:
        target = c.ints([1 if dim == -1 else dim for dim in numbers])
    else:
        target = c.node("Max", [c.shape_value("shape"), c.ints([1])])
    return c.node("Expand", [c["input"], target])


@operation("TILE")
def tile(c: Emitter) -> Any:
    """Repeats along each axis; axes are counted from the last one."""
    x, repeats = c["input"], shape_numbers(c.op["repeats"])
    if repeats is None:
        return c.node("Tile", [x, c.shape_value("repeats")])
    more = len(repeats) - c.rank("input")
    if more > 0:
        x = c.node("Unsqueeze", [x, c.ints(range(more))])
    return c.node("Tile", [x, c.ints([*[1] * -more, *repeats])])


@operation("GATHER")
def gather(c: Emitter) -> Any:
    """Entries of an axis by their indices."""
    axis = axis_of(c.op, c.rank("input"), default=0)
    return c.node("Gather", [c["input"], c["indices"]], axis=axis)


@operation("SHAPE")
def shape(c: Emitter) -> Any:
    """The input's dimensions."""
    return c.node("Shape", [c["input"]])


@operation("MESHGRID")
def meshgrid(c: Emitter) -> Any:
    """Grids of several vectors, the first varying along the first axis."""
    flat = [c.node("Reshape", [value, c.ints([-1])]) for value in c.repeated]
    target = c.node("Concat", [c.node("Shape", [value]) for value in flat], axis=0)
    forms = [[-1 if i == axis else 1 for i in range(len(flat))] for axis in range(len(flat))]
    return [
        c.node("Expand", [c.node("Reshape", [value, c.ints(form)]), target])
        for value, form in zip(flat, forms, strict=True)
    ]


@operation("ROLL")
def roll(c: Emitter) -> Any:
    """Elements that leave an end come back at the other."""
    value, axes, shifts = c["input"], c.numbers("axes"), c.numbers("shifts")
    if not axes:
        flat = _rolled(c, c.node("Reshape", [value, c.ints([-1])]), 0, sum(shifts))
        return c.node("Reshape", [flat, c.dims("input")], allowzero=1)
    for axis, shift in zip(axes, shifts, strict=True):
        value = _rolled(c, value, axis % c.rank("input"), shift)
    return value


def _rolled(c: Emitter, value: str, axis: int, shift: int) -> str:
    """What the last `shift` entries are goes to the front."""
    size = c.node("Shape", [value], start=axis, end=axis + 1)
    border = c.node("Mod", [c.ints([-shift]), c.node("Max", [size, c.ints([1])])])
    front = c.node("Slice", [value, border, size, c.ints([axis])])
    back = c.node("Slice", [value, c.ints([0]), border, c.ints([axis])])
    return str(c.node("Concat", [front, back], axis=axis))


@operation("CHANNEL_SHUFFLE")
def channel_shuffle(c: Emitter) -> Any:
    """The channels' groups interleaved."""
    x, group = c["input"], c.ints([int(c.number("group"))])
    each = c.node("Div", [c.dims("input", 1, 2), group])
    form = c.node("Concat", [c.ints([0]), group, each, c.ints([-1])], axis=0)
    turned = c.node("Transpose", [c.node("Reshape", [x, form])], perm=[0, 2, 1, 3])
    return c.node("Reshape", [turned, c.dims("input")])


@operation("ARG_MAX", "ARG_MIN")
def arg_max_min(c: Emitter) -> Any:
    """The first index of the largest or smallest element of an axis."""
    return c.node(
        "ArgMax" if c.type == "ARG_MAX" else "ArgMin",
        [c["input"]],
        axis=axis_of(c.op, c.rank("input")),
        keepdims=int(c.number("keepdim", False)),
    )


@operation("TOP_K")
def top_k(c: Emitter) -> Any:
    """The k largest or smallest of an axis, equal ones by their index."""
    k = c.node("Reshape", [c.shape_value("k"), c.ints([1])])
    axis = axis_of(c.op, c.rank("input"), default=-1)
    return c.node("TopK", [c["input"], k], 2, axis=axis, largest=int(c.number("largest", True)))


_REDUCTIONS = {"REDUCE_MEAN": "ReduceMean", "REDUCE_MAX": "ReduceMax", "REDUCE_SUM": "ReduceSum"}


@operation(*_REDUCTIONS)
def reduce(c: Emitter) -> Any:
    """Over some axes, or all."""
    if c.type == "REDUCE_MEAN":
        c.need_float("input")
    rank = c.rank("input")
    axes, keep = axes_of(c.op, rank) or list(range(rank)), bool(c.number("keepdim", True))
    return c.node(_REDUCTIONS[c.type], [c["input"], c.ints(axes)], keepdims=int(keep))


@operation("CUM_SUM")
def cum_sum(c: Emitter) -> Any:
    """Running sums; exclusive ones leave out the element itself."""
    axis = c.constant(np.int64(axis_of(c.op, c.rank("input"), default=-1)))
    exclusive, reverse = int(c.number("exclusive", False)), int(c.number("reverse", False))
    return c.node("CumSum", [c["input"], axis], exclusive=exclusive, reverse=reverse)


@operation("PAD")
def pad(c: Emitter) -> Any:
    """Begin and end of each axis."""
    flat = c.numbers("pads")
    mode = PAD_NAMES[c.number("mode", 1)]
    inputs: list[str | None] = [c["input"], c.ints([*flat[::2], *flat[1::2]])]
    if mode == "constant" and c.get("value") is not None:
        inputs.append(c.scalar("value"))
    return c.node("Pad", inputs, mode=mode)
