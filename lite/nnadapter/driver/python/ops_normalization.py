"""Softmax and normalisations."""

from __future__ import annotations

import math

import numpy as np

from lite.nnadapter.driver.python.ops_elementwise import fused
from lite.nnadapter.driver.python.registry import Call, operation
from lite.nnadapter.model import Array


@operation("SOFTMAX", "LOG_SOFTMAX")
def softmax(c: Call) -> Array:
    """Along an axis."""
    x, axis = c["input"], c.number("axis", 1)
    shifted = x - x.max(axis, keepdims=True)
    exponents = np.exp(shifted)
    total = exponents.sum(axis, keepdims=True)
    return exponents / total if c.type == "SOFTMAX" else shifted - np.log(total)


def _per_channel(value: Array, rank: int) -> Array:
    return value.reshape([-1] + [1] * (rank - 2))


def _affine(c: Call, x: Array) -> Array:
    """Scale and bias of the channels, if there are any."""
    for name, apply in (("scale", np.multiply), ("bias", np.add)):
        value = c.get(name)
        if value is not None:
            x = apply(x, _per_channel(value, x.ndim))
    return x


@operation("BATCH_NORMALIZATION")
def batch_normalization(c: Call) -> Array:
    """By mean and variance that are given."""
    x = c["input"]
    mean, variance = _per_channel(c["mean"], x.ndim), _per_channel(c["variance"], x.ndim)
    return _affine(c, (x - mean) / np.sqrt(variance + np.float32(c.number("epsilon", 1e-5))))


def _normal(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + np.float32(epsilon))


@operation("INSTANCE_NORMALIZATION")
def instance_normalization(c: Call) -> Array:
    """Each channel of each sample."""
    x = c["input"]
    return _affine(c, _normal(x, tuple(range(2, x.ndim)), c.number("epsilon", 1e-5)))


@operation("GROUP_NORMALIZATION")
def group_normalization(c: Call) -> Array:
    """Each group of channels of each sample."""
    x = c["input"]
    groups = x.reshape([x.shape[0], int(c.number("groups")), -1])
    return _affine(c, _normal(groups, (2,), c.number("epsilon", 1e-5)).reshape(x.shape))


@operation("LAYER_NORMALIZATION")
def layer_normalization(c: Call) -> Array:
    """All axes from begin_norm_axis on."""
    x = c["input"]
    begin = c.number("begin_norm_axis", 1) % x.ndim
    result = _normal(x, tuple(range(begin, x.ndim)), c.number("epsilon", 1e-5))
    for name, apply in (("scale", np.multiply), ("bias", np.add)):
        value = c.get(name)
        if value is not None:
            result = apply(result, value.reshape(x.shape[begin:]))
    return result


@operation("LP_NORMALIZATION")
def lp_normalization(c: Call) -> Array:
    """Divided by the norm along an axis, plus epsilon."""
    x, epsilon = c["input"], np.float32(c.number("epsilon", 1e-5))
    axes = tuple(c.numbers("axis", [1]))
    if c.number("p", 2) == 1:
        return x / (np.abs(x).sum(axes, keepdims=True) + epsilon)
    return x / (np.sqrt(np.square(x).sum(axes, keepdims=True)) + epsilon)


@operation("LRN")
def lrn(c: Call) -> Array:
    """Divided by a power of the squares of neighbouring channels."""
    x, size = c["input"], int(c.number("size", 5))
    before = (size - 1) // 2
    squares = np.pad(x * x, [(0, 0), (before, size - 1 - before)] + [(0, 0)] * (x.ndim - 2))
    total = sum(squares[:, i : i + x.shape[1]] for i in range(size))
    base = c.number("bias", 1.0) + c.number("alpha", 1e-4) * total
    return x / base ** c.number("beta", 0.75)


@operation("MAT_MUL")
def mat_mul(c: Call) -> Array:
    """As numpy.matmul; a vector is not transposed."""
    x, y = c["x"], c["y"]
    if c.number("transpose_x", False) and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if c.number("transpose_y", False) and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    return np.asarray(np.matmul(x, y))


@operation("FULLY_CONNECTED")
def fully_connected(c: Call) -> Array:
    """input x weight' + bias, the input flattened to rows of weight's second dimension."""
    x, weight = c["input"], c["weight"]
    rows = x.reshape([math.prod(x.shape) // weight.shape[1], weight.shape[1]])
    result = rows @ weight.T
    bias = c.get("bias")
    if bias is not None:
        result = result + bias.reshape(-1)
    return fused(result, c.number("fuse_code", 0))
