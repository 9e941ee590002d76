"""Reductions, searches and normalisations along axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..case import Array, Case, Var, cases, random

REDUCTIONS: dict[str, Callable[..., Any]] = {
    "REDUCE_MAX": np.max,
    "REDUCE_MEAN": np.mean,
    "REDUCE_SUM": np.sum,
}


def _add_reduction(name: str) -> None:
    @cases(name)
    def rows() -> Iterator[Case]:
        for shape, axes in [((4, 5), [1]), ((2, 3, 4), [0, 2]), ((2, 3, 4, 5), [2, 3])]:
            for keep in (False, True):
                yield Case(
                    *(name, f"{list(shape)} axes {axes} keepdim {keep}"),
                    [Var(random(*shape)), axes, keep],
                    lambda x, a=tuple(axes), k=keep: REDUCTIONS[name](x, axis=a, keepdims=k),
                )


for _name in REDUCTIONS:
    _add_reduction(_name)


def _add_search(name: str, function: Callable[..., Any]) -> None:
    @cases(name)
    def rows() -> Iterator[Case]:
        for axis in (0, 1, -1):
            for keep in (False, True):
                for code, dtype in ((5, np.int32), (7, np.int64)):
                    yield Case(
                        *(name, f"axis {axis} keepdim {keep} {np.dtype(dtype)}"),
                        [Var(random(3, 4, 5)), axis, keep, code],
                        lambda x, a=axis, k=keep: function(x, axis=a, keepdims=k),
                    )


_add_search("ARG_MAX", np.argmax)
_add_search("ARG_MIN", np.argmin)


@cases("CUM_SUM")
def _cum_sum() -> Iterator[Case]:
    def expected(x: Array, axis: int, exclusive: bool, backwards: bool) -> Array:
        turned = np.flip(x, axis) if backwards else x
        total = np.cumsum(turned, axis)
        total = total - turned if exclusive else total
        return np.flip(total, axis) if backwards else total

    for axis in (0, 1, -1):
        for exclusive in (False, True):
            for backwards in (False, True):
                yield Case(
                    *("CUM_SUM", f"axis {axis} exclusive {exclusive} reverse {backwards}"),
                    [Var(random(3, 4)), axis, exclusive, backwards],
                    lambda x, a=axis, e=exclusive, b=backwards: expected(x, a, e, b),
                )


@cases("TOP_K")
def _top_k() -> Iterator[Case]:
    for largest in (True, False):
        for k in (1, 3):

            def expected(x: Array, k: int = k, sign: int = -1 if largest else 1) -> list[Array]:
                at = np.argsort(sign * x, -1, kind="stable")[..., :k]
                return [np.take_along_axis(x, at, -1), at]

            inputs = [Var(random(3, 7)), k, -1, largest, True, 7]
            yield Case("TOP_K", f"k {k} largest {largest}", inputs, expected, outputs=2)


def _softmax(x: Array, axis: int) -> Array:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


@cases("SOFTMAX")
def _softmaxes() -> Iterator[Case]:
    for shape, axis in [((5,), 0), ((3, 4), -1), ((2, 3, 4), 1), ((2, 3, 4, 5), 1), ((2, 3), 0)]:
        label = f"{list(shape)} axis {axis}"
        inputs = [Var(random(*shape, low=-5, high=5)), axis]
        yield Case("SOFTMAX", label, inputs, lambda x, a=axis: _softmax(x, a))


@cases("LOG_SOFTMAX")
def _log_softmaxes() -> Iterator[Case]:
    for shape, axis in [((3, 4), -1), ((2, 3, 4), 1)]:
        label = f"{list(shape)} axis {axis}"
        inputs = [Var(random(*shape, low=-5, high=5)), axis]
        yield Case("LOG_SOFTMAX", label, inputs, lambda x, a=axis: np.log(_softmax(x, a)))


def _normalised(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    mean = x.mean(axes, keepdims=True)
    return np.asarray((x - mean) / np.sqrt(x.var(axes, keepdims=True) + epsilon))


def _channels(values: Array, rank: int) -> Array:
    return values.reshape([1, -1] + [1] * (rank - 2))


@cases("BATCH_NORMALIZATION")
def _batch_normalization() -> Iterator[Case]:
    scale, bias, mean, variance = (
        random(3),
        random(3, low=-1),
        random(3, low=-0.5),
        random(3, low=0.5),
    )
    for shape in [(2, 3, 4, 5), (2, 3)]:

        def expected(x: Array) -> Array:
            s, b, m, v = (_channels(a, x.ndim) for a in (scale, bias, mean, variance))
            return np.asarray((x - m) / np.sqrt(v + 1e-3) * s + b)

        inputs = [Var(random(*shape)), scale, bias, mean, variance, 1e-3]
        yield Case("BATCH_NORMALIZATION", f"{list(shape)}", inputs, expected)


@cases("LAYER_NORMALIZATION")
def _layer_normalization() -> Iterator[Case]:
    for shape, begin in [((3, 8), 1), ((2, 3, 4), 2), ((2, 3, 4), 1)]:
        scale, bias = (
            random(int(np.prod(shape[begin:]))),
            random(int(np.prod(shape[begin:])), low=-1),
        )

        def expected(x: Array, begin: int = begin, s: Array = scale, b: Array = bias) -> Array:
            y = _normalised(x, tuple(range(begin, x.ndim)), 1e-5)
            return np.asarray(y * s.reshape(x.shape[begin:]) + b.reshape(x.shape[begin:]))

        inputs = [Var(random(*shape)), scale, bias, begin, 1e-5]
        yield Case("LAYER_NORMALIZATION", f"{list(shape)} from axis {begin}", inputs, expected)


@cases("INSTANCE_NORMALIZATION")
def _instance_normalization() -> Iterator[Case]:
    scale, bias = random(3), random(3, low=-1)
    yield Case(
        *("INSTANCE_NORMALIZATION", "[2, 3, 4, 5]", [Var(random(2, 3, 4, 5)), scale, bias, 1e-5]),
        lambda x: _normalised(x, (2, 3), 1e-5) * _channels(scale, 4) + _channels(bias, 4),
    )


@cases("GROUP_NORMALIZATION")
def _group_normalization() -> Iterator[Case]:
    scale, bias = random(6), random(6, low=-1)
    for groups in (1, 2, 6):

        def expected(x: Array, groups: int = groups) -> Array:
            y = _normalised(x.reshape(2, groups, -1), (2,), 1e-5).reshape(x.shape)
            return np.asarray(y * _channels(scale, 4) + _channels(bias, 4))

        inputs = [Var(random(2, 6, 3, 4)), scale, bias, 1e-5, groups]
        yield Case("GROUP_NORMALIZATION", f"groups {groups}", inputs, expected)
