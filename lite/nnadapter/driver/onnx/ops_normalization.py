"""Softmax, normalisations and products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.nnadapter.driver.attributes import axes_of, axis_of, known
from lite.nnadapter.driver.onnx.graph import Emitter, operation
from lite.nnadapter.hal import Unsupported


@operation("SOFTMAX")
def softmax(c: Emitter) -> Any:
    """Along an axis."""
    return c.node("Softmax", [c["input"]], axis=axis_of(c.op, c.rank("input"), default=1))


@operation("LOG_SOFTMAX")
def log_softmax(c: Emitter) -> Any:
    """Along an axis."""
    return c.node("LogSoftmax", [c["input"]], axis=axis_of(c.op, c.rank("input"), default=1))


def _channels(c: Emitter, name: str, count: int | None) -> str:
    """A number a channel: 1 for an absent scale, 0 for an absent bias."""
    value = c.get(name)
    if value is not None:
        return str(c.node("Reshape", [value, c.ints([-1])]))
    if count is None:
        raise Unsupported("the number of channels is not known")
    return c.constant(np.full(count, 1 if name == "scale" else 0, np.float32))


def _affine(c: Emitter, value: str) -> str:
    form = c.ints([-1] + [1] * (c.rank("input") - 2))
    for name, node in (("scale", "Mul"), ("bias", "Add")):
        factor = c.get(name)
        if factor is not None:
            value = c.node(node, [value, c.node("Reshape", [factor, form])])
    return value


@operation("BATCH_NORMALIZATION")
def batch_normalization(c: Emitter) -> Any:
    """By mean and variance that are given."""
    c.need_float("input")
    count = c.shape("input")[1]
    inputs = [_channels(c, name, count) for name in ("scale", "bias", "mean", "variance")]
    epsilon = float(c.number("epsilon", 1e-5))
    return c.node("BatchNormalization", [c["input"], *inputs], epsilon=epsilon)


def _rows(c: Emitter, value: str) -> str:
    """[N, groups, elements] normalised along the elements."""
    mean = c.node("ReduceMean", [value, c.ints([2])], keepdims=1)
    centered = c.node("Sub", [value, mean])
    square = c.node("Mul", [centered, centered])
    variance = c.node("ReduceMean", [square, c.ints([2])], keepdims=1)
    epsilon = c.constant(float(c.number("epsilon", 1e-5)))
    return str(c.node("Div", [centered, c.node("Sqrt", [c.node("Add", [variance, epsilon])])]))


@operation("INSTANCE_NORMALIZATION", "GROUP_NORMALIZATION")
def group_normalization(c: Emitter) -> Any:
    """Each group of channels of each sample; an instance's group is a channel."""
    c.need_float("input")
    x, count = c["input"], 0
    if c.type == "GROUP_NORMALIZATION":
        count = int(c.number("groups"))
    rows = c.node("Reshape", [x, c.ints([0, count, -1])])
    return _affine(c, c.node("Reshape", [_rows(c, rows), c.node("Shape", [x])]))


@operation("LAYER_NORMALIZATION")
def layer_normalization(c: Emitter) -> Any:
    """All axes from begin_norm_axis on."""
    c.need_float("input")
    begin = axis_of(c.op, c.rank("input"), "begin_norm_axis", 1)
    shape, factors = c.dims("input", begin), []
    for name, default in (("scale", 1.0), ("bias", 0.0)):
        value = c.get(name)
        if value is None:
            factors.append(c.node("Expand", [c.constant(default), shape]))
        else:
            factors.append(c.node("Reshape", [value, shape]))
    epsilon = float(c.number("epsilon", 1e-5))
    return c.node("LayerNormalization", [c["input"], *factors], axis=begin, epsilon=epsilon)


@operation("LP_NORMALIZATION")
def lp_normalization(c: Emitter) -> Any:
    """Divided by the norm along an axis, plus epsilon."""
    c.need_float("input")
    axes = c.ints(axes_of(c.op, c.rank("input"), "axis") or [1])
    node = "ReduceL1" if c.number("p", 2) == 1 else "ReduceL2"
    norm = c.node(node, [c["input"], axes], keepdims=1)
    epsilon = c.constant(float(c.number("epsilon", 1e-5)))
    return c.node("Div", [c["input"], c.node("Add", [norm, epsilon])])


@operation("LRN")
def lrn(c: Emitter) -> Any:
    """ONNX divides alpha by the window's size."""
    c.need_float("input")
    size = int(c.number("size", 5))
    if size % 2 == 0:
        raise Unsupported(f"LRN is for odd sizes here, not {size}")
    return c.node(
        "LRN",
        [c["input"]],
        size=size,
        alpha=float(c.number("alpha", 1e-4)) * size,
        beta=float(c.number("beta", 0.75)),
        bias=float(c.number("bias", 1.0)),
    )


@operation("MAT_MUL")
def mat_mul(c: Emitter) -> Any:
    """As numpy.matmul; a vector is not transposed."""
    c.need_float("x", "y")
    values = []
    for name in ("x", "y"):
        value, rank = c[name], c.rank(name)
        if c.number(f"transpose_{name}", False) and rank > 1:
            perm = [*range(rank - 2), rank - 1, rank - 2]
            value = c.node("Transpose", [value], perm=perm)
        values.append(value)
    return c.node("MatMul", values)


@operation("FULLY_CONNECTED")
def fully_connected(c: Emitter) -> Any:
    """input x weight' + bias, the input flattened to rows of weight's second dimension."""
    c.need_float("input")
    size = known(c.shape("weight"))[1]
    rows = c["input"]
    if c.rank("input") != 2 or c.shape("input")[1] != size:
        rows = c.node("Reshape", [rows, c.ints([-1, size])])
    return c.fused(c.node("Gemm", [rows, c["weight"], *c.bias()], transB=1))
