"""Padding, resizing and sampling of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, operator
from lite.model.onnx.operators.windows import channels_back, channels_first

_PAD_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "edge": "edge"}


def _pad(op: Op, x: str, begins: list[int], ends: list[int], mode: str, value: str) -> str:
    if mode == "circular":
        if min(*begins, *ends) < 0:
            raise CannotExport("circular at one end, cut at another")
        op.need_opset(19)
        return str(op.node("Pad", [x, op.ints([*begins, *ends])], mode="wrap"))
    if mode not in _PAD_MODES:
        raise CannotExport(f"mode {mode}")
    if mode == "reflect" and min(*begins, *ends) < 0:
        raise CannotExport("reflection at one end, cut at another")
    inputs = [x, op.ints([*begins, *ends]), value if mode == "constant" else None]
    return str(op.node("Pad", inputs, mode=_PAD_MODES[mode]))


@operator("pad")
def pad(op: Op) -> Any:
    """Two numbers for each axis, the first axis first."""
    paddings = op.numbers("paddings", "Paddings")
    if isinstance(paddings, str):
        raise CannotExport("paddings that are computed")
    value = op.like("X", op.number("pad_value"))
    if op.has("Value"):
        value = op.cast(op.reshape(op["Value"], []), op.dtype("X"))
    return _pad(op, op["X"], paddings[::2], paddings[1::2], str(op.attr("mode")), value)


@operator("pad2d", "pad3d")
def pad_images(op: Op) -> Any:
    """pad2d lists top, bottom, left, right; pad3d left, right, top, bottom, front, back."""
    deep = op.type == "pad3d"
    paddings = op.numbers("paddings", "Paddings")
    x, rank = op["X"], op.rank("X")
    behind = op.attr("data_format") in ("NHWC", "NDHWC")
    value = op.like("X", op.number("value" if deep else "pad_value"))
    mode = str(op.attr("mode"))
    if isinstance(paddings, str):
        order = [4, 2, 0, 5, 3, 1] if deep else [0, 2, 1, 3]
        listed = op.node("Gather", [paddings, op.ints(order)])
        half = len(order) // 2
        zeros = [op.ints([0, 0]), op.ints([0])]
        low, high = op.slice(listed, [0], [half], [0]), op.slice(listed, [half], [9], [0])
        parts = [zeros[0], low, zeros[0], high]
        if behind:
            parts = [zeros[1], low, zeros[1], zeros[1], high, zeros[1]]
        if mode not in _PAD_MODES:
            raise CannotExport(f"mode {mode} by paddings that are computed")
        inputs = [x, op.concat(parts), value if mode == "constant" else None]
        return op.node("Pad", inputs, mode=_PAD_MODES[mode])
    begins, ends = paddings[::2], paddings[1::2]
    if deep:
        begins, ends = begins[::-1], ends[::-1]
    front, back = ([0], [0]) if behind else ([0, 0], [])
    begins, ends = [*front, *begins, *back], [*front, *ends, *back]
    if len(begins) != rank:
        raise CannotExport(f"{len(paddings)} paddings for {rank} dimensions")
    return _pad(op, x, begins, ends, mode, value)


def _sizes(op: Op, spatial: int) -> tuple[list[int] | str | None, list[float] | str | None]:
    """The target's sizes, or the scales, whichever counts."""
    if op.has("SizeTensor"):
        return op.numbers("", "", "SizeTensor"), None
    v2 = op.type.endswith("_v2")
    if op.has("OutSize"):
        if v2 and not op.flag("align_corners", True) and (op.has("Scale") or op.attr("scale", [])):
            raise CannotExport("OutSize for the size, but a scale for the positions")
        return op.numbers("", "OutSize"), None
    if op.has("Scale"):
        array = op.array("Scale")
        if array is None:
            scales = op.cast(op.flat(op["Scale"]), np.float32)
            length = op.shape("Scale")
            if length != (spatial,):
                scales = op.node("Expand", [op.slice(scales, [0], [1], [0]), op.ints([spatial])])
            return None, scales
        return None, _spread([float(v) for v in array.reshape(-1)], spatial)
    given = op.attr("scale", 0.0)
    factors = [float(v) for v in (given if isinstance(given, list) else [given])]
    sizes = [int(op.attr(name, 0)) for name in ("out_d", "out_h", "out_w")][3 - spatial :]
    sized = all(size > 0 for size in sizes)
    if isinstance(given, list) and spatial > 1 and len(factors) == 1 and sized:
        factors = []
    if factors and factors[0] > 0:
        return None, _spread(factors, spatial)
    return sizes, None


def _scaled_sizes(op: Op, x: str, scales: Any, spatial: int) -> str:
    """The first version takes sizes from the scale, and the positions from the sizes."""
    if not isinstance(scales, str):
        scales = op.const(np.asarray(scales, np.float32))
    dims = op.cast(op.shape_of(x, 2, 2 + spatial), np.float32)
    return op.cast(op.node("Floor", [op.node("Mul", [dims, scales])]), np.int64)


def _rounded_up(scales: list[float], dims: Any) -> list[float]:
    """Scales whose product with a size has Paddle's whole part, which it takes in float32."""
    made = []
    for scale, dim in zip(scales, dims, strict=True):
        number = np.float32(scale)
        if dim is not None and int(number * np.float32(dim)) > float(number) * dim:
            number = np.nextafter(number, np.float32(np.inf))
        made.append(float(number))
    return made


def _spread(scales: list[float], spatial: int) -> list[float]:
    return scales[:spatial] if len(scales) >= spatial else scales[:1] * spatial


@operator(
    *(
        f"{kind}_interp{version}"
        for kind in ("nearest", "bilinear", "bicubic", "linear", "trilinear")
        for version in ("", "_v2")
    )
)
def interpolate(op: Op) -> Any:
    """By sizes, or by scales: positions then come from these, not from the sizes' ratio."""
    kind = op.type.split("_")[0]
    rank = op.rank("X")
    spatial = rank - 2
    x, behind = channels_first(op, op["X"], "X", "data_layout")
    dtype = op.dtype("X")
    if dtype not in (np.float32, np.int32, np.uint8):
        x = op.cast(x, np.float32)
    sizes, scales = _sizes(op, spatial)
    inputs: list[str | None] = [x, None, None, None]
    if sizes is None and not op.type.endswith("_v2"):
        sizes, scales = _scaled_sizes(op, x, scales, spatial), None
    if sizes is not None:
        inputs[3] = op.concat([op.shape_of(x, 0, 2), op.listed(sizes)])
    elif isinstance(scales, str):
        inputs[2] = op.concat([op.const(np.ones(2, np.float32)), scales])
    else:
        dims = op.shape("X")[1:-1] if behind else op.shape("X")[2:]
        inputs[2] = op.const(np.asarray([1, 1, *_rounded_up(scales or [], dims)], np.float32))
    mode = {"nearest": "nearest", "bicubic": "cubic"}.get(kind, "linear")
    align = op.flag("align_corners", True)
    if align:
        position = "align_corners"
    elif kind == "nearest" or (mode == "linear" and int(op.attr("align_mode", 1)) == 1):
        position = "asymmetric"
    else:
        middle = mode == "cubic" or op.flag("single_in_middle")
        position = "half_pixel" if middle else "pytorch_half_pixel"
    nearest = None
    if kind == "nearest":
        nearest = "round_prefer_ceil" if align else "floor"
    if op.opset < 13:  # where what it does not use may not be left out
        nothing = op.const(np.zeros(0, np.float32))
        inputs = [x, nothing, inputs[2] or nothing, *inputs[3:]]
    made = op.node(
        "Resize",
        inputs,
        mode=mode,
        coordinate_transformation_mode=position,
        nearest_mode=nearest,
        cubic_coeff_a=-0.75 if mode == "cubic" else None,
    )
    if dtype not in (np.float32, np.int32, np.uint8):
        made = op.cast(made, dtype)
    return channels_back(op, made, behind, rank)


@operator("grid_sampler", opset=16)
def grid_sampler(op: Op) -> Any:
    """At positions from -1 to 1."""
    rank = op.rank("X")
    if rank == 5:
        op.need_opset(20)
    mode = str(op.attr("mode"))
    if rank == 5 and mode == "nearest":
        raise CannotExport("the nearest of 5 dimensions, which rounds in another way")
    linear, cubic = ("linear", "cubic") if op.opset >= 20 else ("bilinear", "bicubic")
    modes = {"bilinear": linear, "bicubic": cubic, "nearest": "nearest", "nearest_even": "nearest"}
    borders = {"zeros": "zeros", "border": "border", "reflection": "reflection"}
    if mode not in modes or op.attr("padding_mode") not in borders:
        raise CannotExport(f"mode {mode}, padding_mode {op.attr('padding_mode')}")
    return op.node(
        "GridSample",
        [op["X"], op["Grid"]],
        mode=modes[mode],
        padding_mode=borders[str(op.attr("padding_mode"))],
        align_corners=int(op.flag("align_corners", True)),
    )


@operator("affine_grid", opset=20)
def affine_grid(op: Op) -> Any:
    """Positions for grid_sampler."""
    size = op.listed(op.numbers("output_shape", "OutputShape"))
    return op.node(
        "AffineGrid", [op["Theta"], size], align_corners=int(op.flag("align_corners", True))
    )


@operator("unfold")
def unfold(op: Op) -> Any:
    """The windows of an image as columns, gathered axis by axis."""
    _, channels, height, width = op.shape("X")
    if channels is None or height is None or width is None:
        raise CannotExport("an image with free dimensions")
    size, strides, dilations = (op.integers(n) for n in ("kernel_sizes", "strides", "dilations"))
    pads = op.integers("paddings")
    pads = pads * 2 if len(pads) == 2 else pads * 4 if len(pads) == 1 else pads
    top, left, bottom, right = pads
    x = op.node("Pad", [op["X"], op.ints([0, 0, top, left, 0, 0, bottom, right]), op.like("X", 0)])
    counts = []
    for axis, whole in ((0, height + top + bottom), (1, width + left + right)):
        count = (whole - dilations[axis] * (size[axis] - 1) - 1) // strides[axis] + 1
        if size[axis] < 1 or count < 1:
            raise CannotExport(f"a window of {size} on an image of {height} x {width}")
        op.need_small(float(size[axis]) * count)
        cells = np.arange(size[axis])[:, None] * dilations[axis]
        places = cells + np.arange(count)[None] * strides[axis]
        x = op.node("Gather", [x, op.const(places.astype(np.int64))], axis=2 + 2 * axis)
        counts.append(count)
    x = op.transpose(x, [0, 1, 2, 4, 3, 5])
    return {"Y": op.reshape(x, [-1, channels * size[0] * size[1], counts[0] * counts[1]])}
