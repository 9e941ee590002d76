"""What QNN's HTP wants in another form, or gets wrong (`lite device-test`, QNN 2.51)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from lite.nnadapter.driver.attributes import (
    axis_of,
    image_size,
    known,
    resize_ratios,
    transpose_padding,
)
from lite.nnadapter.driver.onnx import OPERATIONS, Emitter, Function, Graph
from lite.nnadapter.driver.registrar import registrar
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.types import PadMode

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Emitter) -> Any:
    """Pads that do not count are the same on both sides: with others, results are -98304."""
    win = c.window(c.numbers("kernel_shape"))
    pads = [list(pair) for pair in win.pads]
    if c.number("ceil_mode", False):
        for axis, size in enumerate(image_size(c.op["input"])):
            pads[axis][1] += win.overhang(size, axis)
    counted = c.number("count_include_pad", False) and pads == [list(pair) for pair in win.pads]
    if not counted and any(before != after for before, after in pads):
        raise Unsupported("QNN's average pooling is wrong where pads differ")
    return OPERATIONS["AVERAGE_POOL_2D"](c)


@operation("CAST")
def cast(c: Emitter) -> Any:
    """Not of uint8."""
    if c.dtype("input") == np.uint8:
        raise Unsupported("QNN converts uint8 to other numbers")
    return OPERATIONS["CAST"](c)


@operation("ROI_ALIGN")
def roi_align(c: Emitter) -> Any:
    """Half precision does not hold where regions begin."""
    raise Unsupported(f"QNN's {c.type} rounds the regions' places")


@operation("CONV_2D_TRANSPOSE")
def conv_2d_transpose(c: Emitter) -> Any:
    """Without rows and columns beyond those that output_padding 0 gives."""
    win = c.window(known(c.shape("filter"))[2:])
    if any(transpose_padding(c.op, win)):
        raise Unsupported("QNN's transposed convolution is wrong with output_padding")
    return OPERATIONS["CONV_2D_TRANSPOSE"](c)


@operation("GATHER")
def gather(c: Emitter) -> Any:
    """Indices that count from the end fail when they are met: they are moved before."""
    axis = axis_of(c.op, c.rank("input"), default=0)
    (size,) = known(c.shape("input")[axis : axis + 1])
    index, kind = c["indices"], c.dtype("indices")
    if not c.op["indices"].is_constant:
        moved = c.node("Add", [index, c.constant(size, kind)])
        behind = c.node("Less", [index, c.constant(0, kind)])
        index = c.node("Where", [behind, moved, index])
    return c.node("Gather", [c["input"], index], axis=axis)


@operation("LP_NORMALIZATION")
def lp_normalization(c: Emitter) -> Any:
    """QNN makes an operation of it that knows epsilon as the least norm."""
    if c.number("epsilon", 1e-5) > 1e-3:
        raise Unsupported("QNN's normalisation is wrong for an epsilon above 0.001")
    return OPERATIONS["LP_NORMALIZATION"](c)


@operation("PAD")
def pad(c: Emitter) -> Any:
    """With a number, or mirrored."""
    if c.number("mode", PadMode.CONSTANT) in (PadMode.REPLICATE, PadMode.EDGE):
        raise Unsupported("QNN's padding by the edge gives other numbers")
    return OPERATIONS["PAD"](c)


@operation("RESIZE_LINEAR")
def resize_linear(c: Emitter) -> Any:
    """Pictures, by a factor that gives a whole size."""
    if c.rank("input") != 4:
        raise Unsupported("QNN's linear resizing is for pictures")
    scales = resize_ratios(c.op)[1]
    sizes = known(c.shape("input"))[2:]
    if scales is not None and any(
        size * scale != round(size * scale) for size, scale in zip(sizes, scales, strict=True)
    ):
        raise Unsupported("QNN's linear resizing goes by sizes, not by factors that leave parts")
    return OPERATIONS["RESIZE_LINEAR"](c)


@operation("SOFTPLUS")
def softplus(c: Emitter) -> Any:
    """Not of what beta makes large: half precision does not hold its exponential."""
    if c.number("beta", 1.0) > 1:
        raise Unsupported("QNN's softplus overflows for a beta above 1")
    return OPERATIONS["SOFTPLUS"](c)


class QnnGraph(Graph):
    """A model for QNN."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    library = "QNN"
