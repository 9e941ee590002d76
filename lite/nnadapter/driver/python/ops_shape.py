"""Operations that move elements, and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.python.registry import Call, operation
from lite.nnadapter.model import Array


@operation("RESHAPE")
def reshape(c: Call) -> Array:
    """0 keeps a dimension, -1 is what remains."""
    x = c["input"]
    shape = [x.shape[i] if dim == 0 else dim for i, dim in enumerate(c.numbers("shape"))]
    return x.reshape(shape)


@operation("TRANSPOSE")
def transpose(c: Call) -> Array:
    """Axes reversed where perm is absent."""
    return c["input"].transpose(c.numbers("perm") or None)


@operation("SQUEEZE")
def squeeze(c: Call) -> Array:
    """Removes axes of extent 1, all of them where axes is absent."""
    x = c["input"]
    axes = {axis % x.ndim for axis in c.numbers("axes", range(x.ndim))}
    return x.reshape([dim for i, dim in enumerate(x.shape) if i not in axes or dim != 1])


@operation("UNSQUEEZE")
def unsqueeze(c: Call) -> Array:
    """Inserts axes of extent 1; one after the other, as Paddle does."""
    x = c["input"]
    for axis in c.numbers("axes"):
        x = np.expand_dims(x, axis)
    return x


@operation("FLATTEN")
def flatten(c: Call) -> Array:
    """The axes from start_axis to end_axis become one."""
    x = c["input"]
    start, end = c.number("start_axis", 0) % x.ndim, c.number("end_axis", -1) % x.ndim
    return x.reshape([*x.shape[:start], -1 if x.size else 0, *x.shape[end + 1 :]])


@operation("CONCAT")
def concat(c: Call) -> Array:
    """Along an axis."""
    return np.concatenate(c.repeated, c.number("axis"))


@operation("STACK")
def stack(c: Call) -> Array:
    """Along a new axis."""
    return np.stack(c.repeated, c.number("axis", 0))


@operation("UNSTACK")
def unstack(c: Call) -> list[Array]:
    """An axis taken apart."""
    return list(np.moveaxis(c["input"], c.number("axis", 0), 0))


@operation("SPLIT")
def split(c: Call) -> list[Array]:
    """Parts of given lengths, -1 being the rest."""
    x, axis, lengths = c["input"], c.number("axis"), c.numbers("split")
    if -1 in lengths:
        lengths[lengths.index(-1)] = x.shape[axis] - sum(lengths) - 1
    return list(np.split(x, np.cumsum(lengths)[:-1], axis))


@operation("SLICE")
def slice_(c: Call) -> Array:
    """start:end:step on some axes; bounds beyond an axis are clipped."""
    x = c["input"]
    starts, ends = c.numbers("starts"), c.numbers("ends")
    axes = c.numbers("axes", range(len(starts)))
    steps = c.numbers("steps", [1] * len(starts))
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        size = x.shape[axis]
        begin = start + size if start < 0 else start
        stop = end + size if end < 0 else end
        if step < 0:
            index[axis] = slice(min(begin, size - 1), stop if stop >= 0 else None, step)
        else:
            index[axis] = slice(max(begin, 0), max(stop, 0), step)
    return x[tuple(index)]


@operation("EXPAND")
def expand(c: Call) -> Array:
    """Broadcasts to a shape; -1 keeps a dimension."""
    x, shape = c["input"], c.numbers("shape")
    x = x.reshape([1] * (len(shape) - x.ndim) + list(x.shape))
    wanted = [x.shape[axis] if want == -1 else int(want) for axis, want in enumerate(shape)]
    return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(wanted)))


@operation("TILE")
def tile(c: Call) -> Array:
    """Repeats along each axis."""
    return np.tile(c["input"], c.numbers("repeats"))


@operation("GATHER")
def gather(c: Call) -> Array:
    """Entries of an axis by their indices."""
    return np.take(c["input"], c["indices"], axis=c.number("axis", 0))


@operation("SHAPE")
def shape(c: Call) -> Array:
    """The input's dimensions."""
    return np.asarray(c["input"].shape, np.int64)


@operation("MESHGRID")
def meshgrid(c: Call) -> list[Array]:
    """Grids of several vectors, the first varying along the first axis."""
    return list(np.meshgrid(*[v.reshape(-1) for v in c.repeated], indexing="ij"))


@operation("ROLL")
def roll(c: Call) -> Array:
    """Elements that leave an end come back at the other."""
    axes = c.numbers("axes")
    if not axes:
        return np.roll(c["input"], sum(c.numbers("shifts")))
    return np.roll(c["input"], c.numbers("shifts"), axes)


@operation("CHANNEL_SHUFFLE")
def channel_shuffle(c: Call) -> Array:
    """The channels' groups interleaved."""
    x = c["input"]
    n, channels, *rest = x.shape
    group = int(c.number("group"))
    return x.reshape([n, group, channels // group, *rest]).swapaxes(1, 2).reshape(x.shape)


@operation("ARG_MAX", "ARG_MIN")
def arg_max_min(c: Call) -> Array:
    """The first index of the largest or smallest element of an axis."""
    x, axis = c["input"], c.number("axis")
    found = x.argmax(axis) if c.type == "ARG_MAX" else x.argmin(axis)
    return np.expand_dims(found, axis) if c.number("keepdim", False) else found


@operation("TOP_K")
def top_k(c: Call) -> tuple[Array, Array]:
    """The k largest or smallest of an axis, equal ones by their index."""
    x, axis, k = c["input"], c.number("axis", -1), int(c.number("k"))
    keys = -x if c.number("largest", True) else x
    order = np.argsort(keys, axis, kind="stable").take(range(k), axis)
    return np.take_along_axis(x, order, axis), order.astype(c.op.outputs[1].dtype)  # type: ignore[union-attr]


@operation("REDUCE_MEAN", "REDUCE_MAX", "REDUCE_SUM")
def reduce(c: Call) -> Array:
    """Over some axes, or all."""
    x = c["input"]
    axes = tuple({axis % x.ndim for axis in c.numbers("axes", range(x.ndim))})
    keep = bool(c.number("keepdim", True))
    functions: dict[str, Any] = {
        "REDUCE_MEAN": np.mean,
        "REDUCE_MAX": np.max,
        "REDUCE_SUM": np.sum,
    }
    function = functions[c.type]
    return np.asarray(function(x, axis=axes, keepdims=keep))


@operation("CUM_SUM")
def cum_sum(c: Call) -> Array:
    """Running sums; exclusive ones leave out the element itself."""
    x, axis = c["input"], c.number("axis", -1)
    if c.number("reverse", False):
        x = np.flip(x, axis)
    result = np.cumsum(x, axis, dtype=x.dtype)
    if c.number("exclusive", False):
        result = result - x
    return np.flip(result, axis) if c.number("reverse", False) else result


@operation("PAD")
def pad(c: Call) -> Array:
    """Begin and end of each axis."""
    x, flat = c["input"], c.numbers("pads")
    pads = list(zip(flat[::2], flat[1::2], strict=True))
    mode = int(c.number("mode", 1))
    if mode in (0, 1):
        value = c.get("value")
        return np.pad(x, pads, constant_values=0 if value is None else value.reshape(-1)[0])
    return np.pad(x, pads, mode="reflect" if mode == 2 else "edge")
