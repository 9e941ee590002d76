"""What changes shapes, and what asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator


@operator("reshape", "reshape2")
def reshape(op: Op) -> Any:
    """0 copies a dimension in both."""
    target = op.numbers("shape", "Shape", "ShapeTensor")
    if op.has("ShapeTensor") and isinstance(target, str):
        # Known numbers stay numbers: more is known of the shape then.
        names = [
            op.int64(value) if value.array is None else op.ints([int(value.array.reshape(-1)[0])])
            for value in op.source.inputs["ShapeTensor"]
        ]
        target = op.concat(names)
    return {"Out": op.node("Reshape", [op["X"], op.listed(target)])}


@operator("flatten", "flatten2")
def flatten(op: Op) -> Any:
    """To a matrix."""
    if not op.rank("X"):
        return {"Out": op.flat(op["X"])}
    return {"Out": op.node("Flatten", [op["X"]], axis=int(op.attr("axis")))}


@operator("flatten_contiguous_range")
def flatten_range(op: Op) -> Any:
    """Some neighbouring dimensions become one."""
    x, shape = op["X"], op.shape("X")
    rank = len(shape)
    if not rank:
        return {"Out": op.flat(x)}
    first, last = (op.axis(int(op.attr(f"{end}_axis", 1)), rank) for end in ("start", "stop"))
    merged = shape[first : last + 1]
    rest = [*shape[:first], *shape[last + 1 :]]
    if None not in merged and None not in rest:
        count = int(np.prod([int(d or 0) for d in merged]))
        known = [int(d or 0) for d in rest]
        if 0 in known or not count:
            listed = op.ints([*known[:first], count, *known[first:]])
            op.need_opset(14)
            return {"Out": op.node("Reshape", [x, listed], allowzero=1)}
    if rest.count(None) == 0 or None not in shape[last + 1 :]:
        dims = [0] * first + [-1] + [int(d or 0) for d in shape[last + 1 :]]
        return {"Out": op.reshape(x, dims)}
    if None not in merged and shape[last + 1 :].count(None) == 1:
        known = [-1 if d is None else d for d in shape[last + 1 :]]
        count = int(np.prod([int(d or 0) for d in merged]))
        return {"Out": op.reshape(x, [0] * first + [count] + known)}
    parts = [op.ints([-1]), op.shape_of(x, last + 1)]
    if first:
        parts.insert(0, op.shape_of(x, 0, first))
    return {"Out": op.node("Reshape", [x, op.concat(parts)])}


@operator("transpose", "transpose2")
def transpose(op: Op) -> Any:
    """Another order of the dimensions."""
    axes = op.integers("axis")
    if not axes:
        return {"Out": op.node("Identity", [op["X"]])}
    return {"Out": op.node("Transpose", [op["X"]], perm=[op.axis(a, len(axes)) for a in axes])}


@operator("squeeze", "squeeze2")
def squeeze(op: Op) -> Any:
    """An axis that is not 1 is left alone."""
    x, axes = op["X"], op.integers("axes")
    if not axes:
        return {"Out": op.node("Squeeze", [x])}
    shape = op.shape("X")
    chosen = sorted({op.axis(axis, len(shape)) for axis in axes})
    if not shape:
        return {"Out": op.node("Identity", [x])}
    chosen = [axis for axis in chosen if shape[axis] in (1, None)]
    return {"Out": op.squeeze(x, chosen) if chosen else op.node("Identity", [x])}


@operator("unsqueeze", "unsqueeze2")
def unsqueeze(op: Op) -> Any:
    """One axis after the other, each counted in what there is by then."""
    axes = op.numbers("axes", "AxesTensor", "AxesTensorList")
    if isinstance(axes, str):
        raise CannotExport("axes that are computed")
    x = op["X"]
    if not axes:
        return {"Out": op.node("Identity", [x])}
    for axis in axes:
        x = op.unsqueeze(x, [axis])
    return {"Out": x}


@operator("shape")
def shape_operator(op: Op) -> Any:
    """As int32, where ONNX has int64."""
    dims = op.node("Shape", [op["Input"]])
    dtype = op.out_dtype()
    return dims if dtype == np.int64 else op.cast(dims, dtype)


@operator("size")
def size(op: Op) -> Any:
    """The number of elements."""
    return op.cast(op.node("Size", [op["Input"]]), op.out_dtype())


@operator("concat")
def concat(op: Op) -> Any:
    """Along an axis."""
    axis = op.numbers("axis", "AxisTensor")
    if isinstance(axis, str):
        raise CannotExport("an axis that is computed")
    types = [op.dtype("X", i) for i in range(len(op.names("X")))]
    names = [
        name if dtype == types[0] else op.cast(name, types[0])
        for name, dtype in zip(op.names("X"), types, strict=True)
    ]
    rank = op.rank("X")
    if not rank:
        return op.concat([op.flat(name) for name in names])
    return op.node("Concat", names, axis=op.axis(axis[0], rank))


@operator("split")
def split(op: Op) -> Any:
    """Into given sections, -1 being the rest, or equal parts."""
    rank, count = op.rank("X"), op.count("Out")
    axis = op.numbers("axis", "AxisTensor")
    if isinstance(axis, str):
        raise CannotExport("an axis that is computed")
    place = op.axis(axis[0], rank)
    dim = op.shape("X")[place]
    sizes = op.numbers("sections", "", "SectionsTensorList")
    x = op["X"]
    if isinstance(sizes, list) and not sizes and dim is not None:
        sizes = [dim // count] * count
    if isinstance(sizes, list) and sizes and -1 not in sizes:
        return op.split(x, sizes, place)
    if count == 1:
        return [op.node("Identity", [x])]
    attributes: dict[str, Any] = {"axis": place}
    if isinstance(sizes, list) and not sizes:
        if op.opset >= 18:
            attributes["num_outputs"] = count
        return op.node("Split", [x], outputs=count, **attributes)
    listed = op.listed(sizes)
    whole = op.shape_of(x, place, place + 1)
    op.need_opset(13)
    others = op.reduce("Sum", listed, [0])
    rest = op.node("Sub", [op.node("Sub", [whole, others]), op.ints([1])])
    unknown = op.node("Equal", [listed, op.ints([-1])])
    filled = op.node("Mul", [op.cast(unknown, np.int64), rest])
    known = op.node("Max", [listed, op.ints([0])])
    return op.node("Split", [x, op.node("Add", [filled, known])], outputs=count, **attributes)


@operator("stack")
def stack(op: Op) -> Any:
    """Along a new axis."""
    axis, rank = int(op.attr("axis")), op.rank("X") + 1
    place = op.axis(axis, rank)
    return {"Y": op.concat([op.unsqueeze(name, [place]) for name in op.names("X")], place)}


@operator("unstack", "unbind")
def unstack(op: Op) -> Any:
    """The parts along an axis, without it."""
    slot = "Y" if op.type == "unstack" else "Out"
    axis = op.axis(int(op.attr("axis")), op.rank("X"))
    parts = op.split(op["X"], [1] * op.count(slot), axis)
    return {slot: [op.squeeze(part, [axis]) for part in parts]}


@operator("expand_v2")
def expand(op: Op) -> Any:
    """-1 keeps a dimension, which in ONNX is what 1 does."""
    target = op.numbers("shape", "Shape", "expand_shapes_tensor")
    return op.node("Expand", [op["X"], _kept_dims(op, target)])


def _kept_dims(op: Op, target: list[int] | str) -> str:
    if isinstance(target, list):
        return op.ints([1 if dim == -1 else dim for dim in target])
    unknown = op.node("Equal", [target, op.ints([-1])])
    return str(op.node("Where", [unknown, op.ints([1]), target]))


@operator("expand_as_v2", "expand_as")
def expand_as(op: Op) -> Any:
    """To another tensor's shape, in the old operator by repetition."""
    if op.type == "expand_as":
        whole, own = op.shape_of(op["target_tensor"]), op.shape_of(op["X"])
        return op.node("Tile", [op["X"], op.node("Div", [whole, own])])
    if op.has("Y"):
        return op.node("Expand", [op["X"], op.shape_of(op["Y"])])
    return op.node("Expand", [op["X"], _kept_dims(op, op.integers("target_shape"))])


@operator("tile", "expand")
def tile(op: Op) -> Any:
    """Repeated; missing dimensions and missing numbers count as 1, in front."""
    if op.type == "tile":
        times = op.numbers("repeat_times", "RepeatTimes", "repeat_times_tensor")
    else:
        times = op.numbers("expand_times", "ExpandTimes", "expand_times_tensor")
    x, rank = op["X"], op.rank("X")
    if isinstance(times, str):
        count = _length(op)
        if count is None or count != rank:
            raise CannotExport("repetitions that are computed, of another number of dimensions")
        return op.node("Tile", [x, times])
    if len(times) < rank:
        times = [1] * (rank - len(times)) + times
    if len(times) > rank:
        x = op.unsqueeze(x, range(len(times) - rank))
    return op.node("Tile", [x, op.ints(times)]) if times else op.node("Identity", [x])


def _length(op: Op) -> int | None:
    for slot in ("repeat_times_tensor", "expand_times_tensor"):
        if op.has(slot):
            return len(op.names(slot))
    slot = "RepeatTimes" if op.type == "tile" else "ExpandTimes"
    shape = op.shape(slot)
    return shape[0] if shape else None


@operator("assign", "share_data", "io_copy", "io_copy_once", "layout_once", "memcpy", "print")
def identity(op: Op) -> Any:
    """The same."""
    slot = next(slot for slot in ("X", "Input", "In") if op.has(slot))
    return op.node("Identity", [op[slot]])


@operator("dropout")
def dropout(op: Op) -> Any:
    """The same, but for the old way of scaling when nothing is dropped."""
    if op.attr("dropout_implementation") == "upscale_in_train":
        return {"Out": op.node("Identity", [op["X"]])}
    return {"Out": op.node("Mul", [op["X"], op.like("X", 1 - op.number("dropout_prob"))])}


def regrouped(op: Op, x: str, dims: Sequence[int], order: Sequence[int], to: Sequence[int]) -> str:
    """Reshaped, transposed and reshaped again."""
    return op.reshape(op.transpose(op.reshape(x, dims), order), to)


@operator("shuffle_channel")
def shuffle_channel(op: Op) -> Any:
    """Channels of groups dealt in turn."""
    group, (_, channels, height, width) = int(op.attr("group")), op.shape("X")
    if channels is None:
        raise CannotExport("the number of channels is free")
    if height is None or width is None:
        rows = op.reshape(op["X"], [0, group, channels // group, -1])
        turned = op.transpose(rows, [0, 2, 1, 3])
        return op.node("Reshape", [turned, op.shape_of(op["X"])])
    dims = [0, group, channels // group, height, width]
    return regrouped(op, op["X"], dims, [0, 2, 1, 3, 4], [0, channels, height, width])


@operator("pixel_shuffle")
def pixel_shuffle(op: Op) -> Any:
    """Channels to blocks of pixels."""
    factor = int(op.attr("upscale_factor"))
    behind = op.attr("data_format") == "NHWC"
    x = op.transpose(op["X"], [0, 3, 1, 2]) if behind else op["X"]
    made = op.node("DepthToSpace", [x], blocksize=factor, mode="CRD")
    return op.transpose(made, [0, 2, 3, 1]) if behind else made


@operator("pixel_unshuffle")
def pixel_unshuffle(op: Op) -> Any:
    """Blocks of pixels to channels."""
    factor = int(op.attr("downscale_factor"))
    behind = op.attr("data_format") == "NHWC"
    n, c, h, w = op.shape("X")
    if behind:
        c, h, w = w, c, h
    if c is None or h is None or w is None:
        raise CannotExport("free dimensions")
    x = op.transpose(op["X"], [0, 3, 1, 2]) if behind else op["X"]
    dims = [0, c, h // factor, factor, w // factor, factor]
    to = [-1 if n is None else n, c * factor * factor, h // factor, w // factor]
    made = regrouped(op, x, dims, [0, 1, 3, 5, 2, 4], to)
    return op.transpose(made, [0, 2, 3, 1]) if behind else made


@operator("temporal_shift")
def temporal_shift(op: Op) -> Any:
    """A part of the channels from the moment before, another from the one after."""
    if op.attr("data_format") == "NHWC":
        raise CannotExport("data_format NHWC")
    moments, ratio = int(op.attr("seg_num")), op.number("shift_ratio")
    _, c, h, w = op.shape("X")
    if c is None or h is None or w is None:
        raise CannotExport("free dimensions")
    x = op.reshape(op["X"], [-1, moments, c, h, w])
    padded = op.node("Pad", [x, op.ints([0, 1, 0, 0, 0, 0, 1, 0, 0, 0]), op.like("X", 0)])
    first, second = int(c * ratio), int(c * 2 * ratio)
    cuts = ((0, 0, first), (2, first, second), (1, second, c))
    parts = [
        op.slice(padded, [begin, low], [begin + moments, high], [1, 2])
        for begin, low, high in cuts
        if high > low
    ]
    return op.reshape(op.concat(parts, 2), [-1, c, h, w])


@operator("channel_shuffle")
def channel_shuffle(op: Op) -> Any:
    """Channels of groups dealt in turn, wherever channels are."""
    groups, behind = int(op.attr("groups")), op.attr("data_format") == "NHWC"
    x = op["X"]
    channels = op.shape("X")[3 if behind else 1]
    if channels is None:
        raise CannotExport("the number of channels is free")
    op.need_small(channels)
    order = np.arange(channels).reshape(groups, -1).T.reshape(-1)
    return op.node("Gather", [x, op.ints(order.tolist())], axis=3 if behind else 1)
