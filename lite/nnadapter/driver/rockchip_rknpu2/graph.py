"""What rknn-toolkit2 wants in another form, or gets wrong (`lite device-test`, 2.5.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from lite.nnadapter.driver.attributes import image_size, known
from lite.nnadapter.driver.onnx import OPERATIONS, Emitter, Function, Graph
from lite.nnadapter.driver.registrar import registrar
from lite.nnadapter.hal import Unsupported

_MOST_COLUMNS = 16383

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


@operation("ADAPTIVE_MAX_POOL_2D")
def adaptive_max_pool_2d(c: Emitter) -> Any:
    """The compiler does not end."""
    raise Unsupported(f"rknn-toolkit2 hangs for {c.type}")


@operation("AVERAGE_POOL_2D")
def average_pool_2d(c: Emitter) -> Any:
    """Padding that counts is the operator's own: with a Pad before it the compiler fails."""
    win = c.window(c.numbers("kernel_shape"))
    pads = [before for before, _ in win.pads] + [after for _, after in win.pads]
    size = image_size(c.op["input"])
    beyond = c.number("ceil_mode", False) and any(win.overhang(size[axis], axis) for axis in (0, 1))
    if not c.number("count_include_pad", False) or not any(pads) or beyond:
        return OPERATIONS["AVERAGE_POOL_2D"](c)
    value = c.node(
        "AveragePool",
        [c["input"]],
        kernel_shape=list(win.kernel),
        strides=list(win.strides),
        pads=pads,
        count_include_pad=1,
    )
    return c.fused(value)


@operation("FULLY_CONNECTED")
def fully_connected(c: Emitter) -> Any:
    """In parts where it has too many columns."""
    parts = _columns(c, "weight", 0)
    if not parts:
        return OPERATIONS["FULLY_CONNECTED"](c)
    c.need_float("input")
    rows = c.node("Reshape", [c["input"], c.ints([-1, known(c.shape("weight"))[1]])])
    value = c.node("Concat", [c.node("Gemm", [rows, part], transB=1) for part in parts], axis=1)
    bias = c.get("bias")
    if bias is not None:
        value = c.node("Add", [value, c.node("Reshape", [bias, c.ints([1, -1])])])
    return c.fused(value)


@operation("MAT_MUL")
def mat_mul(c: Emitter) -> Any:
    """In parts where it has too many columns."""
    turned = bool(c.number("transpose_y", False))
    parts = _columns(c, "y", -2 if turned else -1) if c.rank("y") > 1 else []
    if not parts or (c.number("transpose_x", False) and c.rank("x") > 1):
        return OPERATIONS["MAT_MUL"](c)
    c.need_float("x")
    perm = [*range(c.rank("y") - 2), c.rank("y") - 1, c.rank("y") - 2]
    if turned:
        parts = [c.node("Transpose", [part], perm=perm) for part in parts]
    return c.node("Concat", [c.node("MatMul", [c["x"], part]) for part in parts], axis=-1)


def _columns(c: Emitter, name: str, axis: int) -> list[str]:
    """A weight in parts that the NPU multiplies by: it gets wider products wrong. Empty where it
    is narrow enough."""
    weight = c.op[name]
    columns = known(weight.shape)[axis]
    if columns <= _MOST_COLUMNS:
        return []
    if not weight.is_constant or weight.type.quantisation is not None:
        raise Unsupported(f"a product of {columns} columns is wrong on the NPU")
    count = -(-columns // _MOST_COLUMNS)
    return [c.constant(part, weight.dtype) for part in np.array_split(weight.value, count, axis)]


@operation("LP_NORMALIZATION")
def lp_normalization(c: Emitter) -> Any:
    """Half precision has no small epsilon, and the compiler takes it for the least norm."""
    if c.number("epsilon", 1e-5) > 1e-3:
        raise Unsupported("rknn-toolkit2's normalisation is wrong for an epsilon above 0.001")
    return OPERATIONS["LP_NORMALIZATION"](c)


class RknnGraph(Graph):
    """A model for rknn-toolkit2."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    steps: ClassVar[frozenset[str]] = frozenset(operations)
    steps_at_borders = False
    library = "rknn-toolkit2"
    opset = 19
