"""Convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import (
    Window,
    image_size,
    known,
    shape_numbers,
    transpose_padding,
)
from lite.nnadapter.driver.onnx.graph import Emitter, operation
from lite.nnadapter.hal import Unsupported


def _pads(win: Window) -> list[int]:
    return [win.pads[0][0], win.pads[1][0], win.pads[0][1], win.pads[1][1]]


def _attributes(c: Emitter, win: Window) -> dict[str, Any]:
    return {
        "strides": list(win.strides),
        "pads": _pads(win),
        "dilations": list(win.dilations),
        "group": int(c.number("group", 1)),
        "kernel_shape": list(win.kernel),
    }


@operation("CONV_2D")
def conv_2d(c: Emitter) -> Any:
    """[N, C_in, H, W] with filter [C_out, C_in / group, h, w]."""
    c.need_float("input", "filter")
    win = c.window(known(c.shape("filter"))[2:])
    return c.fused(c.node("Conv", [c["input"], c["filter"], *c.bias()], **_attributes(c, win)))


@operation("CONV_2D_TRANSPOSE")
def conv_2d_transpose(c: Emitter) -> Any:
    """[N, C_in, H, W] with filter [C_in, C_out / group, h, w]."""
    c.need_float("input", "filter")
    win = c.window(known(c.shape("filter"))[2:])
    extra = transpose_padding(c.op, win)
    inputs = [c["input"], c["filter"], *c.bias()]
    attributes = {**_attributes(c, win), "output_padding": extra}
    return c.fused(c.node("ConvTranspose", inputs, **attributes))


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Emitter) -> Any:
    """Padding that counts is put into the tensor first; what is beyond it never counts."""
    c.need_float("input")
    win, x = c.window(c.numbers("kernel_shape")), c["input"]
    pads = _pads(win)
    if c.number("count_include_pad", False) and any(pads):
        x = c.node("Pad", [x, c.ints([0, 0, *pads[:2], 0, 0, *pads[2:]])])
        pads = [0, 0, 0, 0]
    if c.number("ceil_mode", False):
        for axis, size in enumerate(image_size(c.op["input"])):
            pads[2 + axis] += win.overhang(size, axis)
    value = c.node(
        "AveragePool",
        [x],
        kernel_shape=list(win.kernel),
        strides=list(win.strides),
        pads=pads,
    )
    return c.fused(value)


@operation("MAX_POOL_2D")
def max_pool_2d(c: Emitter) -> Any:
    """And where each maximum stands: row times width plus column."""
    c.need_float("input")
    win = c.window(c.numbers("kernel_shape"))
    return _max_pool(c, win.kernel, win.strides, _pads(win), int(c.number("ceil_mode", False)))


def _max_pool(
    c: Emitter, kernel: Sequence[int], strides: Sequence[int], pads: Sequence[int], ceil: int = 0
) -> Any:
    attributes: dict[str, Any] = {
        "kernel_shape": list(kernel),
        "strides": list(strides),
        "pads": list(pads),
        "ceil_mode": ceil,
    }
    if len(c.op.outputs) < 2 or c.op.outputs[1] is None:
        return c.fused(c.node("MaxPool", [c["input"]], **attributes))
    value, place = c.node("MaxPool", [c["input"]], 2, **attributes)
    # ONNX counts through samples and channels as well.
    area = c.node("ReduceProd", [c.dims("input", 2)], keepdims=1)
    return c.fused(value), c.node("Mod", [place, area])


def _even(c: Emitter) -> list[int] | None:
    """The windows' size where they share the input evenly."""
    target = shape_numbers(c.op["output_shape"])
    size = known(c.shape("input")[2:])
    if target is None:
        raise Unsupported("output_shape is not known before the model runs")
    if any(s % t for s, t in zip(size, target, strict=True)):
        return None
    return [s // t for s, t in zip(size, target, strict=True)]


@operation("ADAPTIVE_AVERAGE_POOL_2D")
def adaptive_average_pool_2d(c: Emitter) -> Any:
    """Windows that share the input: rows and columns are weighed by two matrices."""
    c.need_float("input")
    target = shape_numbers(c.op["output_shape"])
    if target == [1, 1]:
        return c.node("GlobalAveragePool", [c["input"]])
    kernel = _even(c)
    if kernel is not None:
        return c.node("AveragePool", [c["input"]], kernel_shape=kernel, strides=kernel)
    assert target is not None
    rows, columns = (
        _means(size, out) for size, out in zip(known(c.shape("input")[2:]), target, strict=True)
    )
    value = c.node("MatMul", [c.constant(rows), c["input"]])
    return c.node("MatMul", [value, c.constant(columns.T.copy())])


def _means(size: int, out: int) -> Any:
    matrix = np.zeros((out, size), np.float32)
    for i in range(out):
        begin, end = i * size // out, -(-(i + 1) * size // out)
        matrix[i, begin:end] = 1 / (end - begin)
    return matrix


@operation("ADAPTIVE_MAX_POOL_2D")
def adaptive_max_pool_2d(c: Emitter) -> Any:
    """Windows that share the input evenly, and where the maxima stand."""
    c.need_float("input")
    kernel = _even(c)
    if kernel is None:
        raise Unsupported("ADAPTIVE_MAX_POOL_2D is for sizes here that divide the input's")
    return _max_pool(c, kernel, kernel, [0, 0, 0, 0])


@operation("DEFORMABLE_CONV_2D")
def deformable_conv_2d(c: Emitter) -> Any:
    """A convolution whose windows read at positions that `offset` moves and `mask` weighs."""
    c.need_float("input", "filter")
    win = c.window(known(c.shape("filter"))[2:])
    bias = c.bias() or [c.constant(np.zeros(known(c.shape("filter"))[:1], np.float32))]
    inputs = [c["input"], c["filter"], c["offset"], *bias, c.get("mask")]
    parts = int(c.number("deformable_group", 1))
    return c.fused(c.node("DeformConv", inputs, **_attributes(c, win), offset_group=parts))
