"""Slices, gathers and scatters."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import Op
from lite.model.onnx.operators.control_flow import is_list, one_of_list
from lite.model.onnx.registry import CannotExport, operator

_END = 2**31 - 1


@operator("slice")
def slice_operator(op: Op) -> Any:
    """Then the axes that are named to go, go. Of a list it takes one."""
    if is_list(op, op.value("Input").name):
        op.need_opset(16)
        return one_of_list(op)
    axes = op.integers("axes")
    starts = op.numbers("starts", "StartsTensor", "StartsTensorList")
    ends = op.numbers("ends", "EndsTensor", "EndsTensorList")
    if not axes:
        return op.node("Identity", [op["Input"]])
    if len({op.axis(axis, op.rank("Input")) for axis in axes}) < len(axes):
        raise CannotExport(f"axes {axes} name one twice")
    parts = [op.listed(starts), op.listed(ends), op.ints(axes)]
    x = op.node("Slice", [op["Input"], *parts])
    return op.squeeze(x, op.integers("decrease_axis"))


@operator("strided_slice")
def strided_slice(op: Op) -> Any:
    """With steps. Going backwards an end of -1 means all; numbers below the beginning are it."""
    axes = op.integers("axes")
    if not axes:
        return op.node("Identity", [op["Input"]])
    starts, ends, strides = (
        op.numbers(name, f"{name.capitalize()}Tensor", f"{name.capitalize()}TensorList")
        for name in ("starts", "ends", "strides")
    )
    if isinstance(strides, str):
        raise CannotExport("strides that are computed")
    if op.flag("as_numpy") and min(strides) < 0:
        raise CannotExport("numpy's way of going backwards")
    back = [i for i, stride in enumerate(strides) if stride < 0]
    if back:
        if isinstance(starts, str) or isinstance(ends, str):
            raise CannotExport("backwards between computed ends")
        ends = list(ends)
        for i in back:
            dim = op.shape("Input")[axes[i]]
            if ends[i] == -1:
                ends[i] = -_END
            elif ends[i] < -1 and dim is None:
                raise CannotExport("backwards to an end that counts from a free dimension's end")
            elif ends[i] < -1:
                ends[i] = max(ends[i] + int(dim or 0), 0)
    inputs = [op.listed(starts), op.listed(ends), op.ints(axes), op.listed(strides)]
    made = op.node("Slice", [op["Input"], *inputs])
    dropped = op.integers("decrease_axis")
    # Paddle leaves one dimension where all are named.
    return op.flat(made) if len(dropped) == op.rank("Input") else op.squeeze(made, dropped)


@operator("crop_tensor")
def crop(op: Op) -> Any:
    """From offsets; -1 is what is left of a dimension."""
    rank = op.rank("X")
    shape = op.numbers("shape", "Shape", "ShapeTensor")
    offsets = op.numbers("offsets", "Offsets", "OffsetsTensor")
    if isinstance(offsets, list) and not offsets:
        offsets = [0] * rank
    if isinstance(shape, list) and isinstance(offsets, list):
        ends = [
            _END if size == -1 else begin + size for size, begin in zip(shape, offsets, strict=True)
        ]
        return op.slice(op["X"], offsets, ends, range(rank))
    begins, sizes = op.listed(offsets), op.listed(shape)
    rest = op.node("Equal", [sizes, op.ints([-1])])
    ends_of = op.node("Where", [rest, op.ints([_END]), op.node("Add", [begins, sizes])])
    return op.node("Slice", [op["X"], begins, ends_of, op.ints(range(rank))])


@operator("flip", "reverse")
def flip(op: Op) -> Any:
    """Backwards along axes."""
    axes = op.integers("axis")
    if not axes:
        return op.node("Identity", [op["X"]])
    axes = [op.axis(axis, op.rank("X")) for axis in axes]
    axes = sorted(set(axes))
    count = len(axes)
    if not count:
        return op.node("Identity", [op["X"]])
    return op.slice(op["X"], [-1] * count, [-_END] * count, axes, [-1] * count)


@operator("roll")
def roll(op: Op) -> Any:
    """What leaves at the end comes in at the beginning."""
    shifts = op.numbers("shifts", "ShiftsTensor")
    axes, x = op.integers("axis"), op["X"]
    if isinstance(shifts, str):
        raise CannotExport("shifts that are computed")
    flat = not axes
    shape = op.shape_of(x) if flat else ""
    if flat:
        x, axes = op.flat(x), [0]
    for axis, shift in zip(axes, shifts, strict=True):
        place = op.axis(axis, 1 if flat else op.rank("X"))
        size = op.shape_of(x, place, place + 1)
        start = op.node("Mod", [op.ints([-shift]), size])  # never negative
        back = op.node("Slice", [x, start, op.ints([_END]), op.ints([place])])
        front = op.node("Slice", [x, op.ints([0]), start, op.ints([place])])
        x = op.concat([back, front], place)
    if flat:
        return op.node("Reshape", [x, shape])
    return x if x != op["X"] else op.node("Identity", [x])


def _axis(op: Op, slot: str, attribute: str, rank: int) -> int:
    axis = op.numbers(attribute, slot)
    if isinstance(axis, str):
        raise CannotExport("an axis that is computed")
    return op.axis(axis[0] if axis else 0, rank)


@operator("gather", "index_select", "take")
def gather(op: Op) -> Any:
    """Rows of an axis; an index of shape [n, 1] is a list."""
    rank = op.rank("X")
    index = op["Index"]
    if op.type == "gather":
        axis = _axis(op, "Axis", "axis", rank)
        if op.rank("Index") == 2:
            index = op.flat(index)
    else:
        axis = op.axis(int(op.attr("dim" if op.type == "index_select" else "axis")), rank)
        if op.type == "index_select" and op.rank("Index") == 2:
            index = op.flat(index)
    return op.node("Gather", [op["X"], _index(op, index, "Index")], axis=axis)


def _index(op: Op, name: str, slot: str) -> str:
    dtype = op.dtype(slot)
    return name if dtype in (np.int32, np.int64) else op.cast(name, np.int64)


@operator("gather_nd")
def gather_nd(op: Op) -> Any:
    """Parts by the leading coordinates."""
    if op.shape("Index")[-1] == 0:
        lead = op.shape_of(op["Index"], 0, -1)
        return op.node("Expand", [op["X"], op.concat([lead, op.shape_of(op["X"])])])
    return op.node("GatherND", [op["X"], op.cast(op["Index"], np.int64)])


@operator("take_along_axis")
def take_along_axis(op: Op) -> Any:
    """One element for each of the index."""
    axis = op.axis(int(op.attr("Axis", 0)), op.rank("Input"))
    x, places = op["Input"], _index(op, op["Index"], "Index")
    if op.rank("Input"):
        return {"Result": op.node("GatherElements", [x, places], axis=axis)}
    made = op.node("GatherElements", [op.flat(x), op.flat(places)], axis=0)
    return {"Result": op.reshape(made, [])}


@operator("index_sample")
def index_sample(op: Op) -> Any:
    """Of each row its own columns."""
    return op.node("GatherElements", [op["X"], _index(op, op["Index"], "Index")], axis=1)


@operator("lookup_table", "lookup_table_v2")
def lookup(op: Op) -> Any:
    """Rows of a table; that of ``padding_idx`` is zero."""
    ids = op.cast(op["Ids"], np.int64)
    if op.type == "lookup_table":
        ids = op.squeeze(ids, [op.rank("Ids") - 1])
    rows = op.node("Gather", [op["W"], ids], axis=0)
    padding = int(op.attr("padding_idx"))
    if padding < 0 and padding != -1:
        padding += op.static("W")[0]
    if padding == -1:
        return rows
    blank = op.unsqueeze(op.node("Equal", [ids, op.const(np.int64(padding))]), [-1])
    return op.node("Where", [blank, op.like("W", 0), rows])


@operator("scatter")
def scatter(op: Op) -> Any:
    """Rows replaced, or set to zero and then summed."""
    op.need_opset(16)
    x, updates = op["X"], op["Updates"]
    if not op.rank("Ids"):
        updates = op.unsqueeze(updates, [0]) if op.rank("Updates") < op.rank("X") else updates
    places = op.reshape(op.cast(op["Ids"], np.int64), [-1, 1])
    if op.flag("overwrite", True):
        return op.node("ScatterND", [x, places, updates])
    zeros = op.node("Expand", [op.like("X", 0), op.shape_of(updates)])
    x = op.node("ScatterND", [x, places, zeros])
    return op.node("ScatterND", [x, places, updates], reduction="add")


@operator("scatter_nd_add", opset=16)
def scatter_nd_add(op: Op) -> Any:
    """Added at coordinates."""
    places = op.cast(op["Index"], np.int64)
    return op.node("ScatterND", [op["X"], places, op["Updates"]], reduction="add")


@operator("put_along_axis", opset=18)
def put_along_axis(op: Op) -> Any:
    """One element for each of the index, replaced or combined."""
    kinds = {"assign": None, "add": "add", "mul": "mul", "multiply": "mul", "amax": "max"}
    kind = str(op.attr("Reduce", "assign"))
    if kind not in (*kinds, "amin"):
        raise CannotExport(f"reduction {kind}")
    if kind != "assign" and not op.flag("Include_self", True):
        raise CannotExport(f"reduction {kind} without the elements that were there")
    reduction = "min" if kind == "amin" else kinds[kind]
    axis = op.axis(int(op.attr("Axis", 0)), op.rank("Input"))
    x, places = op["Input"], _index(op, op["Index"], "Index")
    if not op.rank("Input"):
        x, places = op.flat(x), op.flat(places)
    values = op.node("Expand", [op["Value"], op.shape_of(places)])
    made = op.node("ScatterElements", [x, places, values], axis=axis, reduction=reduction)
    return {"Result": made if op.rank("Input") else op.reshape(made, [])}


@operator("where")
def where(op: Op) -> Any:
    """By truth values; runtimes choose no truth values, so they go as bytes."""
    x, y = op["X"], op["Y"]
    condition = op["Condition"]
    if op.dtype("Condition") != np.bool_:
        condition = op.cast(condition, np.bool_)
    if op.dtype("X") == np.bool_:
        made = op.node("Where", [condition, op.cast(x, np.uint8), op.cast(y, np.uint8)])
        return op.cast(made, np.bool_)
    return op.node("Where", [condition, x, y])


@operator("where_index")
def where_index(op: Op) -> Any:
    """The coordinates of what is not zero, a row each."""
    return op.node("Transpose", [op.node("NonZero", [op["Condition"]])], perm=[1, 0])


@operator("masked_select")
def masked_select(op: Op) -> Any:
    """The elements where the mask holds, in one dimension; both repeat to one shape."""
    x, mask = op["X"], op["Mask"]
    repeated = op.flat(op.node("Expand", [x, op.shape_of(mask)]))
    chosen = op.flat(op.node("Expand", [mask, op.shape_of(x)]))
    return {"Y": op.node("Compress", [repeated, chosen], axis=0)}


@operator("unique")
def unique(op: Op) -> Any:
    """Sorted, with indices, the way back and counts."""
    sorted_flag = int(op.flag("is_sorted"))
    axes = op.integers("axis")
    made = op.node(
        "Unique", [op["X"]], outputs=4, axis=axes[0] if axes else None, sorted=sorted_flag
    )
    number = int(op.attr("dtype", 3))
    wide = [made[0], *(name if number == 3 else op.cast(name, np.int32) for name in made[1:])]
    old = op.has("X") and not op.flag("is_sorted")
    if old:  # "Index" is then the way back
        return {"Out": wide[0], "Index": wide[2], "Counts": wide[3]}
    return dict(zip(("Out", "Indices", "Index", "Counts"), wide, strict=True))


@operator("set_value")
def set_value(op: Op) -> Any:
    """A slice replaced by a number or a tensor; others keep what they are."""
    x, shape = op["Input"], op.static("Input")
    lists = [
        op.numbers(name, "", f"{name.capitalize()}TensorList")
        for name in ("starts", "ends", "steps")
    ]
    if any(isinstance(numbers, str) for numbers in lists):
        raise CannotExport("a slice that is computed")
    op.need_small(float(np.prod([float(dim) for dim in shape])))
    index: list[slice] = [slice(None)] * (len(shape) + 1)
    for axis, begin, end, step in zip(op.integers("axes"), *lists, strict=True):
        # Backwards an end of -1 means all.
        stop = None if int(step) < 0 and int(end) == -1 else int(end)
        index[axis + 1] = slice(int(begin), stop, int(step))
    places = np.indices(shape, np.int64)[tuple(index)]
    places = np.squeeze(places, tuple(axis + 1 for axis in op.integers("decrease_axes")))
    for axis in op.integers("none_axes"):
        places = np.expand_dims(places, min(axis + 1, places.ndim))
    places = np.moveaxis(places, 0, -1)
    values = op["ValueTensor"] if op.has("ValueTensor") else _plain_values(op)
    if op.has("ValueTensor") and op.rank("ValueTensor") > places.ndim - 1:
        values = op.reshape(values, places.shape[:-1] or [])
    updates = op.node("Expand", [values, op.ints(places.shape[:-1])])
    return op.node("ScatterND", [x, op.const(np.ascontiguousarray(places)), updates])


def _plain_values(op: Op) -> str:
    names = ("fp32_values", "fp64_values", "int32_values", "int64_values", "bool_values", "values")
    for name in names:
        values = op.attr(name, [])
        if values:
            array = np.asarray([getattr(v, "value", v) for v in values]).astype(op.dtype("Input"))
            return op.const(array.reshape(op.integers("shape")))
    raise CannotExport("no value")
