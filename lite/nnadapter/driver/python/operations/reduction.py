"""Reductions, searches and normalisations along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def index_type(code: Any) -> Any:
    """The element type that an operand `..._dtype` names; int64 where it is absent."""
    return np.int32 if code is not None and code[0] == 5 else np.int64


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """Along axes; all of them where none is named."""

    def reduced(x: Any, axes: Any = None, keep: Any = None) -> Any:
        axis = tuple(axes.tolist()) if axes is not None and axes.size else None
        keepdims = True if keep is None else bool(keep[0])
        return np.asarray(function(x, axis=axis, keepdims=keepdims), x.dtype)

    return reduced


def log_softmax(x: Any, axis: Any) -> Any:
    shifted = x - x.max(int(axis[0]), keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(int(axis[0]), keepdims=True))


def softmax(x: Any, axis: Any) -> Any:
    exponents = np.exp(x - x.max(int(axis[0]), keepdims=True))
    return exponents / exponents.sum(int(axis[0]), keepdims=True)


def cum_sum(x: Any, axis: Any, exclusive: Any, reverse: Any) -> Any:
    axis = int(axis[0])
    x = np.flip(x, axis) if reverse[0] else x
    sums = np.cumsum(x, axis, dtype=x.dtype)
    sums = sums - x if exclusive[0] else sums
    return np.flip(sums, axis) if reverse[0] else sums


def extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where it stands along an axis."""

    def found(x: Any, axis: Any, keepdim: Any, dtype: Any = None) -> Any:
        places = function(x, int(axis[0]))
        places = np.expand_dims(places, int(axis[0])) if keepdim[0] else places
        return places.astype(index_type(dtype))

    return found


def top_k(x: Any, k: Any, axis: Any, largest: Any, _sorted: Any, dtype: Any) -> Any:
    k, axis = int(k.reshape(-1)[0]), int(axis[0])
    order = np.argsort(-x if largest[0] else x, axis=axis, kind="stable")
    order = np.take(order, range(k), axis=axis)
    return [np.take_along_axis(x, order, axis), order.astype(index_type(dtype))]


def normalised(x: Any, axes: Any, epsilon: Any) -> Any:
    x = x.astype(np.float64)
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def affine(y: Any, scale: Any, bias: Any, dtype: Any) -> Any:
    """By channel."""
    shape = (1, -1, *[1] * (y.ndim - 2))
    y = y if scale is None else y * scale.reshape(shape)
    return (y if bias is None else y + bias.reshape(shape)).astype(dtype)


def batch(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, epsilon: Any) -> Any:
    shape = (1, -1, *[1] * (x.ndim - 2))
    y = (x.astype(np.float64) - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + epsilon)
    return affine(y, scale, bias, x.dtype)


def instance(x: Any, scale: Any, bias: Any, epsilon: Any) -> Any:
    return affine(normalised(x, tuple(range(2, x.ndim)), epsilon), scale, bias, x.dtype)


def group(x: Any, scale: Any, bias: Any, epsilon: Any, groups: Any) -> Any:
    parts = x.reshape(len(x), int(groups[0]), -1)
    return affine(normalised(parts, (2,), epsilon).reshape(x.shape), scale, bias, x.dtype)


def layer(x: Any, scale: Any, bias: Any, begin: Any, epsilon: Any) -> Any:
    begin = int(begin[0]) % x.ndim
    y = normalised(x, tuple(range(begin, x.ndim)), epsilon)
    y = y if scale is None else y * scale.reshape(x.shape[begin:])
    return (y if bias is None else y + bias.reshape(x.shape[begin:])).astype(x.dtype)


def lp(x: Any, axis: Any, p: Any, epsilon: Any) -> Any:
    axes = tuple(int(a) for a in axis)
    power = np.abs(x.astype(np.float64)) ** int(p[0])
    norm = power.sum(axes, keepdims=True) ** (1 / int(p[0]))
    return (x / (norm + epsilon)).astype(x.dtype)


def lrn(x: Any, size: Any, bias: Any, alpha: Any, beta: Any) -> Any:
    base, n = np.full(x.shape, bias, np.float64), int(size[0])
    for i in range(x.shape[1]):
        first = i - (n - 1) // 2
        base[:, i] += alpha * (x[:, max(first, 0) : max(first + n, 0)] ** 2).sum(1)
    return (x / base**beta).astype(x.dtype)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "REDUCE_MEAN": reduction(np.mean),
    "REDUCE_MAX": reduction(np.max),
    "REDUCE_SUM": reduction(np.sum),
    "ARG_MAX": extreme(np.argmax),
    "ARG_MIN": extreme(np.argmin),
    "CUM_SUM": cum_sum,
    "TOP_K": top_k,
    "SOFTMAX": softmax,
    "LOG_SOFTMAX": log_softmax,
    "BATCH_NORMALIZATION": batch,
    "GROUP_NORMALIZATION": group,
    "INSTANCE_NORMALIZATION": instance,
    "LAYER_NORMALIZATION": layer,
    "LP_NORMALIZATION": lp,
    "LRN": lrn,
}
