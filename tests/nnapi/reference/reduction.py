"""Reductions, positions of extremes and products of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .common import Operation, activated


def _reduction(function: Callable[..., Any]) -> Operation:
    def reduce(x: Any, axes: Any, keep: Any) -> Any:
        wanted = tuple(sorted({int(a) % x.ndim for a in axes}))
        result = np.asarray(function(x, axis=wanted or None, keepdims=bool(keep)))
        return result.reshape(1) if result.ndim == 0 else result

    return reduce


def _position(function: Callable[..., Any]) -> Operation:
    def find(x: Any, axis: int) -> Any:
        result = np.asarray(function(x, axis))
        return result.reshape(1) if result.ndim == 0 else result

    return find


def _topk(x: Any, k: int) -> Any:
    order = np.argsort(-x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, -1), order


def _fully_connected(x: Any, w: Any, b: Any, act: int) -> Any:
    return activated(x.reshape(-1, w.shape[1]) @ w.T + b, act)


def _batch_matmul(x: Any, y: Any, adjoint_x: bool = False, adjoint_y: bool = False) -> Any:
    left = x.swapaxes(-1, -2) if adjoint_x else x
    return left @ (y.swapaxes(-1, -2) if adjoint_y else y)


OPERATIONS: dict[str, Operation] = {
    "MEAN": _reduction(np.mean),
    "REDUCE_MAX": _reduction(np.max),
    "REDUCE_MIN": _reduction(np.min),
    "REDUCE_SUM": _reduction(np.sum),
    "REDUCE_PROD": _reduction(np.prod),
    "REDUCE_ALL": _reduction(np.all),
    "REDUCE_ANY": _reduction(np.any),
    "ARGMAX": _position(np.argmax),
    "ARGMIN": _position(np.argmin),
    "TOPK_V2": _topk,
    "FULLY_CONNECTED": _fully_connected,
    "BATCH_MATMUL": _batch_matmul,
}
