"""Convolutions and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import Window, image_size, transpose_padding
from lite.nnadapter.driver.intel_openvino.graph import Emitter, constant, operation
from lite.nnadapter.hal import Unsupported


def _filter(c: Emitter) -> tuple[int, ...]:
    shape = c.shape("filter")
    if len(shape) != 4 or None in shape:
        raise Unsupported(f"the filter's shape {shape} is not known or not of rank 4")
    return tuple(int(dim or 0) for dim in shape)


def _pads(win: Window) -> tuple[list[int], list[int]]:
    return [p[0] for p in win.pads], [p[1] for p in win.pads]


def _finish(c: Emitter, value: Any) -> Any:
    bias = c.get("bias")
    if bias is not None:
        value = ops.add(value, ops.reshape(bias, constant([1, -1, 1, 1]), False))
    return c.fused(value)


def _grouped(value: Any, shape: Sequence[int], group: int) -> Any:
    return ops.reshape(value, constant([group, shape[0] // group, *shape[1:]]), False)


@operation("CONV_2D")
def conv_2d(c: Emitter) -> Any:
    """[N, C_in, H, W] with filter [C_out, C_in / group, h, w]."""
    c.need_float("input", "filter")
    shape, group = _filter(c), int(c.number("group", 1))
    win = c.window(shape[2:])
    begin, end = _pads(win)
    if group == 1:
        function, filter = ops.convolution, c["filter"]
    else:
        function, filter = ops.group_convolution, _grouped(c["filter"], shape, group)
    result = function(c["input"], filter, list(win.strides), begin, end, list(win.dilations))
    return _finish(c, result)


@operation("CONV_2D_TRANSPOSE")
def conv_2d_transpose(c: Emitter) -> Any:
    """[N, C_in, H, W] with filter [C_in, C_out / group, h, w]."""
    c.need_float("input", "filter")
    shape, group = _filter(c), int(c.number("group", 1))
    win = c.window(shape[2:])
    begin, end = _pads(win)
    kind: dict[str, Any] = {
        "strides": list(win.strides),
        "pads_begin": begin,
        "pads_end": end,
        "dilations": list(win.dilations),
        "output_padding": transpose_padding(c.op, win),
    }
    if group == 1:
        result = ops.convolution_backprop_data(c["input"], c["filter"], **kind)
    else:
        filter = _grouped(c["filter"], shape, group)
        result = ops.group_convolution_backprop_data(c["input"], filter, **kind)
    return _finish(c, result)


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Emitter) -> Any:
    """Padding that counts is put into the tensor first; what is beyond it never counts."""
    c.need_float("input")
    kernel = c.numbers("kernel_shape")
    win, x = c.window(kernel), c["input"]
    begin, end = _pads(win)
    if c.number("count_include_pad", False) and any(begin + end):
        x = ops.pad(x, constant([0, 0, *begin]), constant([0, 0, *end]), "constant", constant(0.0))
        begin, end = [0, 0], [0, 0]
    if c.number("ceil_mode", False):
        # Said as padding: OpenVINO's own rounding counts what is beyond the edge.
        size = image_size(c.op["input"])
        end = [end[axis] + win.overhang(size[axis], axis) for axis in range(2)]
    return c.fused(ops.avg_pool(x, list(win.strides), begin, end, kernel, True, "floor"))


@operation("MAX_POOL_2D")
def max_pool_2d(c: Emitter) -> Any:
    """And where each maximum stands: row times width plus column."""
    c.need_float("input")
    kernel = c.numbers("kernel_shape")
    win = c.window(kernel)
    begin, end = _pads(win)
    rounding = "ceil" if c.number("ceil_mode", False) else "floor"
    result = ops.max_pool(
        c["input"], list(win.strides), [1, 1], begin, end, kernel, rounding,
        index_element_type="i64", axis=2,
    )  # fmt: skip
    return c.fused(result.output(0)), result.output(1)


@operation("ADAPTIVE_AVERAGE_POOL_2D")
def adaptive_average_pool_2d(c: Emitter) -> Any:
    """Windows that share the input evenly."""
    c.need_float("input")
    return ops.adaptive_avg_pool(c["input"], c.shape_value("output_shape"))


@operation("ADAPTIVE_MAX_POOL_2D")
def adaptive_max_pool_2d(c: Emitter) -> Any:
    """Windows that share the input evenly, and where the maxima stand."""
    c.need_float("input")
    return ops.adaptive_max_pool(c["input"], c.shape_value("output_shape"), "i32").outputs()


@operation("DEFORMABLE_CONV_2D")
def deformable_conv_2d(c: Emitter) -> Any:
    """A convolution whose windows read at positions that `offset` moves and `mask` weighs."""
    c.need_float("input")
    win = c.window(_filter(c)[2:])
    begin, end = _pads(win)
    mask = c.get("mask")
    result = ops.deformable_convolution(
        c["input"], c["offset"], c["filter"], list(win.strides), begin, end, list(win.dilations),
        mask, "EXPLICIT", int(c.number("group", 1)), int(c.number("deformable_group", 1)), True,
    )  # fmt: skip
    return _finish(c, result)
