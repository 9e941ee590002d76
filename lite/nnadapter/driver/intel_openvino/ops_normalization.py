"""Softmax, normalisations and products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset13 as ops

from lite.nnadapter.driver.attributes import axes_of, axis_of, known
from lite.nnadapter.driver.intel_openvino.graph import Emitter, constant, operation
from lite.nnadapter.hal import Unsupported


@operation("SOFTMAX")
def softmax(c: Emitter) -> Any:
    """Along an axis."""
    c.need_float("input")
    return ops.softmax(c["input"], axis_of(c.op, c.rank("input"), default=1))


@operation("LOG_SOFTMAX")
def log_softmax(c: Emitter) -> Any:
    """Along an axis."""
    c.need_float("input")
    return ops.log_softmax(c["input"], axis_of(c.op, c.rank("input"), default=1))


def _channels(c: Emitter, name: str) -> Any:
    """A number a channel, in a shape that broadcasts over the input."""
    value = c.get(name)
    if value is None:
        return None
    return ops.reshape(value, constant([-1] + [1] * (c.rank("input") - 2)), False)


def _affine(c: Emitter, value: Any) -> Any:
    for name, apply in (("scale", ops.multiply), ("bias", ops.add)):
        factor = _channels(c, name)
        if factor is not None:
            value = apply(value, factor)
    return value


@operation("BATCH_NORMALIZATION")
def batch_normalization(c: Emitter) -> Any:
    """By mean and variance that are given."""
    c.need_float("input")
    spread = ops.sqrt(ops.add(_channels(c, "variance"), constant(c.number("epsilon", 1e-5))))
    normal = ops.divide(ops.subtract(c["input"], _channels(c, "mean")), spread)
    return _affine(c, normal)


def _normal(c: Emitter, value: Any, axes: list[int]) -> Any:
    return ops.mvn(value, constant(axes), True, c.number("epsilon", 1e-5), "inside_sqrt")


@operation("INSTANCE_NORMALIZATION")
def instance_normalization(c: Emitter) -> Any:
    """Each channel of each sample."""
    c.need_float("input")
    return _affine(c, _normal(c, c["input"], list(range(2, c.rank("input")))))


@operation("GROUP_NORMALIZATION")
def group_normalization(c: Emitter) -> Any:
    """Each group of channels of each sample."""
    c.need_float("input")
    x = c["input"]
    groups = ops.reshape(x, constant([0, int(c.number("groups")), -1]), True)
    return _affine(c, ops.reshape(_normal(c, groups, [2]), ops.shape_of(x), False))


@operation("LAYER_NORMALIZATION")
def layer_normalization(c: Emitter) -> Any:
    """All axes from begin_norm_axis on."""
    c.need_float("input")
    rank = c.rank("input")
    begin = axis_of(c.op, rank, "begin_norm_axis", 1)
    shape = c.shape("input")[begin:]
    value = _normal(c, c["input"], list(range(begin, rank)))
    for name, apply in (("scale", ops.multiply), ("bias", ops.add)):
        factor = c.get(name)
        if factor is None:
            continue
        if len(c.shape(name)) != len(shape):
            if None in shape:
                raise Unsupported(f"{name} is to be shaped like dimensions that are not known")
            factor = ops.reshape(factor, constant(list(shape), np.int64), False)
        value = apply(value, factor)
    return value


@operation("LP_NORMALIZATION")
def lp_normalization(c: Emitter) -> Any:
    """Divided by the norm along an axis, plus epsilon."""
    c.need_float("input")
    axes = constant(axes_of(c.op, c.rank("input"), "axis") or [1])
    norm = ops.reduce_l1 if c.number("p", 2) == 1 else ops.reduce_l2
    total = ops.add(norm(c["input"], axes, True), constant(c.number("epsilon", 1e-5)))
    return ops.divide(c["input"], total)


@operation("LRN")
def lrn(c: Emitter) -> Any:
    """OpenVINO divides alpha by the window's size."""
    c.need_float("input")
    size = int(c.number("size", 5))
    if size % 2 == 0:
        raise Unsupported(f"LRN is for odd sizes here, not {size}")
    known(c.shape("input"))
    alpha, beta = c.number("alpha", 1e-4) * size, c.number("beta", 0.75)
    return ops.lrn(c["input"], constant([1]), alpha, beta, c.number("bias", 1.0), size)


@operation("MAT_MUL")
def mat_mul(c: Emitter) -> Any:
    """As numpy.matmul; a vector is not transposed."""
    c.need_float("x", "y")
    turn_x = bool(c.number("transpose_x", False)) and c.rank("x") > 1
    turn_y = bool(c.number("transpose_y", False)) and c.rank("y") > 1
    return ops.matmul(c["x"], c["y"], turn_x, turn_y)


@operation("FULLY_CONNECTED")
def fully_connected(c: Emitter) -> Any:
    """input x weight' + bias, the input flattened to rows of weight's second dimension."""
    c.need_float("input")
    size = c.shape("weight")[1]
    if size is None:
        raise Unsupported("the weight's shape is not known")
    rows = ops.reshape(c["input"], constant([-1, size]), False)
    result = ops.matmul(rows, c["weight"], False, True)
    bias = c.get("bias")
    if bias is not None:
        result = ops.add(result, ops.reshape(bias, constant([-1]), False))
    return c.fused(result)
