"""Slices, gathers and scatters."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.control_flow import is_list, one_of_list

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
    back = [i for i, stride in enumerate(strides) if stride < 0]
    if op.flag("as_numpy"):
        for i in back:
            dim = op.shape("Input")[axes[i]]
            if isinstance(starts, str) or starts[i] < (-1 if dim is None else -dim):
                raise CannotExport("backwards from before the beginning")
        back = []
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
    """A slice replaced by a number or a tensor; others keep what they are.

    Which elements these are, the same slice of their numbers says.
    """
    x, rank = op["Input"], op.rank("Input")
    lists = [
        op.numbers(name, "", f"{name.capitalize()}TensorList")
        for name in ("starts", "ends", "steps")
    ]
    whole = op.shape_of(x)
    count = op.node("ReduceProd", [whole], keepdims=0)
    line = op.node("Range", [op.const(np.int64(0)), count, op.const(np.int64(1))])
    places = op.node("Reshape", [line, whole]) if rank else op.reshape(line, [1])
    axes = op.integers("axes")
    if axes:
        if any(isinstance(numbers, str) for numbers in (lists[1], lists[2])) and (
            isinstance(lists[2], str) or min(lists[2]) < 0
        ):
            raise CannotExport("a slice that is computed, and may go backwards")
        if isinstance(lists[1], list) and isinstance(lists[2], list):
            # Backwards an end of -1 means all.
            pairs = zip(lists[1], lists[2], strict=True)
            lists[1] = [-_END if step < 0 and end == -1 else end for end, step in pairs]
        begin, end, step = (op.listed(numbers) for numbers in lists)
        places = op.node("Slice", [places, begin, end, op.ints(axes), step])
    places = op.squeeze(places, op.integers("decrease_axes"))
    for axis in op.integers("none_axes"):
        places = op.unsqueeze(places, [axis])
    rank += len(op.integers("none_axes")) - len(op.integers("decrease_axes"))
    chosen = op.shape_of(places)
    if op.has("ValueTensor"):
        values, own = op["ValueTensor"], op.rank("ValueTensor")
        if own > rank:
            if None in op.shape("ValueTensor")[: own - rank] or any(
                dim != 1 for dim in op.shape("ValueTensor")[: own - rank]
            ):
                raise CannotExport("values of more dimensions than what they replace")
            values = op.squeeze(values, range(own - rank))
        values = op.cast(values, op.dtype("Input"))
    else:
        values = _plain_values(op)
    updates = op.node("Expand", [values, chosen])
    made = op.node("ScatterND", [op.flat(x), op.reshape(places, [-1, 1]), op.flat(updates)])
    return op.node("Reshape", [made, whole])


def _plain_values(op: Op) -> str:
    names = ("fp32_values", "fp64_values", "int32_values", "int64_values", "bool_values", "values")
    for name in names:
        values = op.attr(name, [])
        if values:
            array = np.asarray([getattr(v, "value", v) for v in values]).astype(op.dtype("Input"))
            return op.const(array.reshape(op.integers("shape")))
    raise CannotExport("no value")


@operator("index_put", opset=16)
def index_put(op: Op) -> Any:
    """Elements that masks or positions name, replaced or added to."""
    x, value, rank = op["x"], op["value"], op.rank("x")
    add = op.flag("accumulate")
    count = len(op.names("indices"))
    if any(op.dtype("indices", i) == np.bool_ for i in range(count)):
        if count > 1 or any(dim != 1 for dim in op.shape("value")):
            raise CannotExport("a mask with positions, or with values of its own")
        number = op.reshape(value, [])
        changed = op.node("Add", [x, number]) if add else number
        mask = op.unsqueeze(op["indices"], range(op.rank("indices"), rank))
        return {"out": op.node("Where", [mask, changed, x])}
    names = [op.cast(name, np.int64) for name in op.names("indices")]
    whole = names[0]
    for name in names[1:]:
        whole = op.node("Add", [whole, name])
    shape = op.shape_of(whole)
    columns = [op.unsqueeze(op.node("Expand", [name, shape]), [-1]) for name in names]
    places = op.node("Concat", columns, axis=-1)
    target = op.concat([shape, op.shape_of(x, count)]) if count < rank else shape
    updates = op.node("Expand", [value, target])
    return {"out": op.node("ScatterND", [x, places, updates], reduction="add" if add else None)}


@operator("index_add", opset=16)
def index_add(op: Op) -> Any:
    """Slices added where an index says."""
    rank = op.rank("X")
    axis = op.axis(int(op.attr("axis")), rank)
    order = [axis, *(i for i in range(rank) if i != axis)]
    x, added = (op.transpose(op[slot], order) for slot in ("X", "AddValue"))
    places = op.unsqueeze(op.cast(op["Index"], np.int64), [-1])
    made = op.node("ScatterND", [x, places, added], reduction="add")
    return op.node("Identity", [op.transpose(made, [order.index(i) for i in range(rank)])])


@operator("repeat_interleave")
def repeat_interleave(op: Op) -> Any:
    """Every slice several times in a row."""
    rank, times = op.rank("X"), int(op.attr("Repeats"))
    if not rank:
        raise CannotExport("a number")
    axis = op.axis(int(op.attr("dim")), rank)
    if op.has("RepeatsTensor"):
        return _each_repeated(op, axis)
    if times < 1:
        raise CannotExport(f"Repeats {times}")
    wide = op.node(
        "Tile",
        [
            op.unsqueeze(op["X"], [axis + 1]),
            op.ints([times if i == axis + 1 else 1 for i in range(rank + 1)]),
        ],
    )
    parts = [op.shape_of(op["X"], 0, axis)] if axis else []
    length = op.node("Mul", [op.shape_of(op["X"], axis, axis + 1), op.ints([times])])
    parts += [length, *([op.shape_of(op["X"], axis + 1)] if axis + 1 < rank else [])]
    return op.node("Reshape", [wide, op.concat(parts)])


def _each_repeated(op: Op, axis: int) -> Any:
    """Each slice as often as its own number says."""
    repeats = op.cast(op.flat(op["RepeatsTensor"]), np.int64)
    repeats = op.node("Expand", [repeats, op.shape_of(op["X"], axis, axis + 1)])
    total = op.reduce("Sum", repeats, [0], keep=False)
    line = op.node("Range", [op.const(np.int64(0)), total, op.const(np.int64(1))])
    ends = op.node("CumSum", [repeats, op.const(np.int64(0))])
    passed = op.node("GreaterOrEqual", [op.unsqueeze(line, [1]), op.unsqueeze(ends, [0])])
    places = op.reduce("Sum", op.cast(passed, np.int64), [1], keep=False)
    return op.node("Gather", [op["X"], places], axis=axis)


@operator("searchsorted")
def search_sorted(op: Op) -> Any:
    """How many of a sorted line are below each value, or not above it."""
    line, values = op["SortedSequence"], op["Values"]
    if op.rank("SortedSequence") != 1:
        raise CannotExport("lines of several dimensions")
    above = "Greater" if op.flag("right") else "GreaterOrEqual"
    below = op.node("Not", [op.node(above, [line, op.unsqueeze(values, [-1])])])
    below = op.cast(below, np.int64)
    made = op.reduce("Sum", below, [-1], keep=False)
    if op.dtype("Values").kind == "f":  # what is not finite goes to the end
        rest = op.node("Sub", [values, values])
        finite = op.node("Equal", [rest, op.like("Values", 0)])
        made = op.node("Where", [finite, made, op.shape_of(line)])
    return op.cast(made, np.int32) if op.flag("out_int32") else made


@operator("shard_index")
def shard_index(op: Op) -> Any:
    """The number within a shard, another one outside of it."""
    size = -(-int(op.attr("index_num")) // int(op.attr("nshards")))
    x, shard = op["X"], int(op.attr("shard_id"))
    own = op.node("Equal", [op.node("Div", [x, op.like("X", size)]), op.like("X", shard)])
    rest = op.node("Mod", [x, op.like("X", size)])
    return op.node("Where", [own, rest, op.like("X", int(op.attr("ignore_value")))])
