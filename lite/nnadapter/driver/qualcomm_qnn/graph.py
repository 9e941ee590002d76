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
from lite.nnadapter.model import Operation
from lite.nnadapter.types import PadMode

_LARGEST = 65504  # of half precision

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


@operation("CONV_2D")
def conv_2d(c: Emitter) -> Any:
    """One row of pixels is convolved as a column: over a row whose width is a multiple of 8 kernels
    that reach further than their place give other numbers."""
    win = c.window(known(c.shape("filter"))[2:])
    batch, channels, height, width = known(c.shape("input"))
    reach = win.dilations[1] * (win.kernel[1] - 1) + 1
    if height != 1 or win.kernel[0] != 1 or any(win.pads[0]) or reach < 4:
        return OPERATIONS["CONV_2D"](c)
    c.need_float("input", "filter")
    column = c.node("Reshape", [c["input"], c.ints([batch, channels, width, 1])])
    out, inner, _, taps = known(c.shape("filter"))
    weight = c.op["filter"]
    if weight.is_constant and weight.type.quantisation is None:
        taken = c.constant(weight.value.reshape(out, inner, taps, 1), weight.dtype)
    else:
        taken = c.node("Reshape", [c["filter"], c.ints([out, inner, taps, 1])])
    value = c.node(
        "Conv",
        [column, taken, *c.bias()],
        kernel_shape=[taps, 1],
        strides=[win.strides[1], 1],
        pads=[win.pads[1][0], 0, win.pads[1][1], 0],
        dilations=[win.dilations[1], 1],
        group=int(c.number("group", 1)),
    )
    assert c.op.output is not None
    return c.fused(c.node("Reshape", [value, c.ints(known(c.op.output.shape))]))


def _changing(c: Emitter, neutral: float, *names: str) -> Any:
    """QNN takes away what leaves a tensor as it is, and gives -98304 for one of volumes."""
    neutrals = [c.op[name].is_constant and (c.op[name].value == neutral).all() for name in names]
    if max(c.rank("input0"), c.rank("input1")) > 4 and any(neutrals):
        raise Unsupported("QNN gives other numbers for what leaves a volume as it is")
    return OPERATIONS[c.type](c)


@operation("ADD")
def add(c: Emitter) -> Any:
    """A constant less something is a difference: QNN joins -x + 1 with the large factor of a mask
    behind it, and subtracts infinity from infinity."""
    for one, other in (("input0", "input1"), ("input1", "input0")):
        made_by = c.graph.made_by.get(c.op[one].index) if isinstance(c.graph, QnnGraph) else None
        if made_by is not None and c.op[other].is_constant and _negates(made_by):
            return c.fused(c.node("Sub", [c[other], c.graph.real(made_by["input0"])]))
    return _changing(c, 0, "input0", "input1")


def _negates(op: Operation) -> bool:
    return (
        op.type == "MUL"
        and op.number("fuse_code", 0) == 0
        and op["input1"].is_constant
        and op["input1"].type.quantisation is None
        and bool((op["input1"].value == -1).all())
    )


@operation("MUL")
def mul(c: Emitter) -> Any:
    """By what half precision holds: QNN joins a mask's 1e9 with what is added before it, which
    gives infinity less infinity, where alone it takes the largest number for it."""
    for one, other in (("input0", "input1"), ("input1", "input0")):
        factor = c.op[other]
        if not factor.is_constant or factor.dtype != np.float32:
            continue
        if (np.abs(factor.value) > _LARGEST).any():
            held = c.constant(np.clip(factor.value, -_LARGEST, _LARGEST), factor.dtype)
            return c.fused(c.node("Mul", [c[one], held]))
    return _changing(c, 1, "input0", "input1")


_OWN["SUB"] = lambda c: _changing(c, 0, "input1")
_OWN["DIV"] = lambda c: _changing(c, 1, "input1")


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
    """With a number, or mirrored. Bytes by joining: QNN would pad pictures with the least byte."""
    mode = c.number("mode", PadMode.CONSTANT)
    if mode in (PadMode.REPLICATE, PadMode.EDGE):
        raise Unsupported("QNN's padding by the edge gives other numbers")
    if mode == PadMode.REFLECT or c.op["input"].type.quantisation is None:
        return OPERATIONS["PAD"](c)
    found, shape, pads = c["input"], list(known(c.shape("input"))), c.numbers("pads")
    value = np.float32(c.number("value", 0.0))
    for axis in range(len(shape)):
        before, after = (
            [c.constant(np.full([*shape[:axis], size, *shape[axis + 1 :]], value))] if size else []
            for size in pads[2 * axis : 2 * axis + 2]
        )
        if before or after:
            found = c.node("Concat", [*before, found, *after], axis=axis)
        shape[axis] += sum(pads[2 * axis : 2 * axis + 2])
    return found


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
    steps: ClassVar[frozenset[str]] = frozenset(operations) - {
        *("HARD_SIGMOID", "SOFTMAX", "SPLIT", "STACK"),
    }
    library = "QNN"

    def __init__(self) -> None:
        super().__init__()
        self.made_by: dict[int, Operation] = {}  # by the result's index

    def emit(self, op: Operation) -> None:
        """And remembers what made a result."""
        super().emit(op)
        self.made_by.update({made.index: op for made in op.outputs if made is not None})
