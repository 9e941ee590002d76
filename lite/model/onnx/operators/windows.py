"""Convolutions and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.activations import named


def fused(op: Op, x: str) -> str:
    """The activation that an optimised convolution applies to its result."""
    kind = str(op.attr("act_type", "")) if op.flag("with_act") else ""
    if not kind and op.flag("fuse_relu"):
        kind = "relu"
    parameters = {
        "threshold": op.number("fuse_brelu_threshold", 6.0),
        "top": op.number("hard_swish_threshold", 6.0),
        "scale": op.number("hard_swish_scale", 6.0),
        "shift": op.number("hard_swish_offset", 3.0),
        "slope": op.number("slope", 0.2),
        "offset": op.number("offset", 0.5),
        "beta": op.number("swish_scale", 1.0),
    }
    return named(op, x, kind, op.number("leaky_relu_alpha", 0.02), parameters)


def channels_first(op: Op, x: str, slot: str, attribute: str = "data_format") -> tuple[str, bool]:
    """The input with channels in front, and whether they were behind."""
    behind = str(op.attr(attribute, "NCHW")) in ("NHWC", "NDHWC", "NLC", "NWC")
    if not behind:
        return x, False
    rank = op.rank(slot)
    return op.transpose(x, [0, rank - 1, *range(1, rank - 1)]), True


def channels_back(op: Op, x: str, behind: bool, rank: int) -> str:
    """Channels where they were."""
    return op.transpose(x, [0, *range(2, rank), 1]) if behind else x


def kernel_of(op: Op) -> list[int]:
    """The sizes of the filter's windows."""
    sizes = op.shape("Filter")[2:]
    if any(size is None for size in sizes):
        raise CannotExport(f"a filter with windows of free sizes {list(sizes)}")
    return [int(size or 0) for size in sizes]


def _pads(paddings: list[int], spatial: int) -> list[int]:
    """Paddle's pairs of an axis, or one number for both ends, as all begins, then all ends."""
    if len(paddings) == spatial:
        return [*paddings, *paddings]
    if len(paddings) == 1:
        return paddings * (2 * spatial)
    if len(paddings) != 2 * spatial:
        raise CannotExport(f"{len(paddings)} paddings for {spatial} dimensions")
    return [*paddings[::2], *paddings[1::2]]


def _spread(values: list[int], spatial: int) -> list[int]:
    return values * spatial if len(values) == 1 else values


def _padding(op: Op, spatial: int) -> tuple[list[int] | None, str]:
    """Paddings, and ONNX's name of the algorithm that takes their place (SAME: more at the end)."""
    algorithm = str(op.attr("padding_algorithm", "EXPLICIT"))
    if algorithm == "SAME":
        return None, "SAME_UPPER"
    if algorithm == "VALID":
        return [0] * (2 * spatial), "NOTSET"
    pads = _pads(op.integers("paddings"), spatial)
    if any(number < 0 for number in pads):
        raise CannotExport(f"paddings {pads} below zero")
    return pads, "NOTSET"


def _window(op: Op, spatial: int) -> dict[str, Any]:
    """The attributes of a convolution's windows."""
    pads, algorithm = _padding(op, spatial)
    dilations = _spread(op.integers("dilations"), spatial)
    if algorithm != "NOTSET":  # Paddle then takes no dilation
        dilations = [1] * spatial
    return {
        "kernel_shape": kernel_of(op),
        "strides": _spread(op.integers("strides"), spatial),
        "dilations": dilations,
        "group": int(op.attr("groups")),
        "pads": pads,
        "auto_pad": None if algorithm == "NOTSET" else algorithm,
    }


@operator("conv2d", "depthwise_conv2d", "conv3d")
def convolution(op: Op) -> Any:
    """With bias, residue and activation where the program was optimised."""
    op.refuse_weights("Filter")
    rank = op.rank("Filter")
    x, behind = channels_first(op, op["Input"], "Input")
    w, dtype = op["Filter"], op.dtype("Filter")
    bias = op.flat(op["Bias"]) if op.has("Bias") else None
    inputs = [x, w, bias]
    if dtype == np.float64:
        inputs = [None if name is None else op.cast(name, np.float32) for name in inputs]
    made = op.node("Conv", inputs, **_window(op, rank - 2))
    if dtype == np.float64:
        made = op.cast(made, dtype)
    made = channels_back(op, made, behind, rank)
    if op.has("ResidualData"):
        made = op.node("Add", [made, op["ResidualData"]])
    return fused(op, made)


@operator("dynamic_quantize_conv2d")
def dynamic_convolution(op: Op) -> Any:
    """The operators that it was made of, and what it took in."""
    op.need_opset(11)
    scales = np.array(op.attr("int8_weight_scales"), np.float32)
    byte, scale, point = op.node("DynamicQuantizeLinear", [op["Input"]], 3)
    sums = op.node("ConvInteger", [byte, op["Filter"], point], **_window(op, 2))
    factor = op.node("Mul", [scale, op.const(scales.reshape(-1, 1, 1))])
    made = op.node("Mul", [op.cast(sums, np.float32), factor])
    if op.has("Bias"):
        made = op.node("Add", [made, op.reshape(op["Bias"], [-1, 1, 1])])
    if op.has("ResidualData"):
        made = op.node("Add", [made, op["ResidualData"]])
    return fused(op, made)


@operator("conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose")
def transposed_convolution(op: Op) -> Any:
    """``output_size`` becomes what is added at the end."""
    op.refuse_weights("Filter")
    rank = op.rank("Filter")
    spatial = rank - 2
    x, behind = channels_first(op, op["Input"], "Input")
    strides = _spread(op.integers("strides"), spatial)
    dilations = _spread(op.integers("dilations"), spatial)
    kernel = kernel_of(op)
    pads, algorithm = _padding(op, spatial)
    if algorithm != "NOTSET":
        raise CannotExport("padding_algorithm SAME of a transposed convolution")
    assert pads is not None
    made_by: dict[str, Any] = {
        "kernel_shape": kernel,
        "strides": strides,
        "dilations": dilations,
        "group": int(op.attr("groups")),
    }
    bias = op.flat(op["Bias"]) if op.has("Bias") else None
    extra = op.integers("output_padding") or [0] * spatial
    size = op.numbers("output_size", "OutputSizeTensor", "OutputSizeTensorList")
    inputs = [x, op["Filter"], bias]
    if isinstance(size, str):
        raise CannotExport("an output size that is computed")
    if size:
        dims = op.shape("Input")[2:] if not behind else op.shape("Input")[1:-1]
        sizes = _spread([int(v) for v in size], spatial)
        if any(dim is None for dim in dims):
            return _sized(op, inputs, made_by, pads, sizes, behind)
        extra = [
            sizes[i]
            - (
                (int(dims[i] or 0) - 1) * strides[i]
                - pads[i]
                - pads[spatial + i]
                + dilations[i] * (kernel[i] - 1)
                + 1
            )
            for i in range(spatial)
        ]
        if any(number < 0 for number in extra):
            raise CannotExport(f"output_size {sizes} is smaller than the smallest there can be")
    if any(number >= max(s, d) for number, s, d in zip(extra, strides, dilations, strict=True)):
        return _sized_by_padding(op, inputs, made_by, pads, extra, behind)
    made = op.node("ConvTranspose", inputs, pads=pads, output_padding=extra, **made_by)
    return fused(op, channels_back(op, made, behind, rank))


def _sized_by_padding(
    op: Op,
    inputs: list[str | None],
    attributes: dict[str, Any],
    pads: list[int],
    extra: list[int],
    behind: bool,
) -> str:
    """More at the end than runtimes take as output_padding: fewer paddings cut there."""
    spatial = len(extra)
    ends = [pads[spatial + i] - extra[i] for i in range(spatial)]
    if any(end < 0 for end in ends):
        raise CannotExport(f"output_padding {extra} is not below the stride")
    made = op.node("ConvTranspose", inputs, pads=[*pads[:spatial], *ends], **attributes)
    return fused(op, channels_back(op, made, behind, spatial + 2))


def _sized(
    op: Op,
    inputs: list[str | None],
    attributes: dict[str, Any],
    pads: list[int],
    sizes: list[int],
    behind: bool,
) -> str:
    """A fixed size of the result of an input of any size: cut from one without paddings."""
    spatial = len(sizes)
    most = [stride - 1 for stride in attributes["strides"]]
    wide = op.node("ConvTranspose", inputs, output_padding=most, **attributes)
    begins = pads[:spatial]
    ends = [begin + size for begin, size in zip(begins, sizes, strict=True)]
    made = op.slice(wide, begins, ends, range(2, spatial + 2))
    return fused(op, channels_back(op, made, behind, spatial + 2))


@operator("deformable_conv", opset=19)
def deformable(op: Op) -> Any:
    """Each window's cells moved by offsets and, in the second version, weighed by a mask."""
    return op.node(
        "DeformConv",
        [op["Input"], op["Filter"], op["Offset"], None, op.get("Mask")],
        kernel_shape=kernel_of(op),
        strides=op.integers("strides"),
        dilations=op.integers("dilations"),
        pads=_pads(op.integers("paddings"), 2),
        group=int(op.attr("groups")),
        offset_group=int(op.attr("deformable_groups")),
    )


@operator("pool2d", "pool3d")
def pool(op: Op) -> Any:
    """Of the largest or the mean; over all, in windows, or in cells that divide the input."""
    kind = "Max" if op.attr("pooling_type") == "max" else "Average"
    rank = op.rank("X")
    x, behind = channels_first(op, op["X"], "X")
    dims = op.shape("X")[1:-1] if behind else op.shape("X")[2:]
    spatial = rank - 2
    size = _spread(op.integers("ksize"), spatial)
    dtype = op.dtype("X")
    if dtype == np.float64:
        x = op.cast(x, np.float32)
    if op.flag("global_pooling") and op.flag("adaptive"):
        raise CannotExport("adaptive and global at once")
    if kind == "Max" and op.flag("adaptive"):
        raise CannotExport("adaptive windows of the largest, which Paddle's pooling ignores")
    if op.flag("global_pooling") or (op.flag("adaptive") and size == [1] * spatial):
        made = op.node(f"Global{kind}Pool", [x])
    elif op.flag("adaptive"):
        made = _adaptive(op, x, kind, dims, size)
    else:
        made = _windows(op, x, kind, size)
    if dtype == np.float64:
        made = op.cast(made, dtype)
    return channels_back(op, made, behind, rank)


def _windows(op: Op, x: str, kind: str, size: list[int]) -> str:
    spatial = len(size)
    pads, algorithm = _padding(op, spatial)
    if pads is not None and any(p >= k for p, k in zip(pads, [*size, *size], strict=True)):
        raise CannotExport(f"paddings {pads} that are not smaller than the window {size}")
    ceil = op.flag("ceil_mode")
    attributes: dict[str, Any] = {"ceil_mode": int(ceil)}
    if kind == "Average":
        attributes["count_include_pad"] = int(not op.flag("exclusive", True))
    if algorithm != "NOTSET":
        if attributes.get("count_include_pad"):
            raise CannotExport("means over what padding_algorithm SAME adds")
        attributes = {"auto_pad": algorithm}
    strides = _spread(op.integers("strides"), spatial)
    return str(
        op.node(f"{kind}Pool", [x], kernel_shape=size, strides=strides, pads=pads, **attributes)
    )


def _adaptive(op: Op, x: str, kind: str, dims: Any, size: list[int]) -> str:
    """Windows where the cells are even, else one axis after the other, cell by cell."""
    if all(dim is not None and dim % cells == 0 for dim, cells in zip(dims, size, strict=True)):
        window = [dim // cells for dim, cells in zip(dims, size, strict=True)]
        return str(op.node(f"{kind}Pool", [x], kernel_shape=window, strides=window))
    if sum(size) > 1024:
        raise CannotExport(f"{size} cells that are no even windows")
    for axis, (dim, cells) in enumerate(zip(dims, size, strict=True), 2):
        whole = op.shape_of(x, axis, axis + 1) if dim is None else ""
        parts = []
        for cell in range(cells):
            if dim is None:
                begin = op.node("Div", [_times(op, whole, cell), op.ints([cells])])
                above = op.node("Add", [_times(op, whole, cell + 1), op.ints([cells - 1])])
                ends = [begin, op.node("Div", [above, op.ints([cells])])]
                part = op.node("Slice", [x, *ends, op.ints([axis])])
            else:
                begin, end = cell * dim // cells, -(-(cell + 1) * dim // cells)
                part = op.slice(x, [begin], [end], [axis])
            parts.append(op.reduce(kind.replace("Average", "Mean"), part, [axis]))
        x = op.concat(parts, axis)
    return x


def _times(op: Op, name: str, number: int) -> str:
    return str(op.node("Mul", [name, op.ints([number])]))


@operator("max_pool2d_with_index")
def max_pool_with_index(op: Op) -> Any:
    """Paddle's index counts in one plane, ONNX's in the whole tensor."""
    x, rank = op["X"], op.rank("X")
    if rank != 4:
        raise CannotExport(f"{rank} dimensions")
    size, dims = op.integers("ksize"), op.shape("X")[2:]
    attributes: dict[str, Any] = {}
    if op.flag("global_pooling") or op.flag("adaptive"):
        if any(dim is None for dim in dims):
            raise CannotExport("an input with free dimensions")
        known = [int(dim or 0) for dim in dims]
        size = [1, 1] if op.flag("global_pooling") else size
        if any(dim % cells for dim, cells in zip(known, size, strict=True)):
            raise CannotExport(f"adaptive pooling of {known} to {size}")
        size = [dim // cells for dim, cells in zip(known, size, strict=True)]
        attributes = {"strides": size}
    else:
        attributes = {
            "strides": op.integers("strides"),
            "pads": _pads(op.integers("paddings"), 2),
            "ceil_mode": int(op.flag("ceil_mode")),
        }
    values, places = op.node("MaxPool", [x], outputs=2, kernel_shape=size, **attributes)
    plane = op.node("ReduceProd", [op.shape_of(x, 2)], keepdims=0)
    return {"Out": values, "Mask": op.cast(op.node("Mod", [places, plane]), np.int32)}


@operator("fold", opset=18)
def fold(op: Op) -> Any:
    """Windows added up where they lie."""
    sizes, kernel = op.integers("output_sizes"), op.integers("kernel_sizes")
    top, left, bottom, right = _sides(op.integers("paddings"))
    return {
        "Y": op.node(
            "Col2Im",
            [op["X"], op.ints(sizes), op.ints(kernel)],
            strides=_spread(op.integers("strides"), 2),
            dilations=_spread(op.integers("dilations"), 2),
            pads=[top, left, bottom, right],
        )
    }


def _sides(paddings: list[int]) -> list[int]:
    if len(paddings) == 4:
        return paddings
    return _spread(paddings, 2) * 2
