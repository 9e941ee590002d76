"""Equal parameters become one, as in ONNX Runtime's ConstantSharing: what an exporter has written,
or folding has computed, for each step of an unrolled loop. They are packed once and stay in the
caches."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from lite.core.optimizer.graph import Graph, Value
from lite.core.optimizer.registry import Context, Pass, register

_LEAST = 4096
"""Bytes; of smaller ones nothing is saved."""

_SAMPLES = 64
_PART = 1 << 20
"""Bytes that are compared at once."""


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    if a is b:
        return True
    x, y = _bytes(a), _bytes(b)
    parts = (slice(at, at + _PART) for at in range(0, x.size, _PART))
    return all(np.array_equal(x[part], y[part]) for part in parts)


def _key(array: np.ndarray) -> Hashable:
    """Equal arrays have equal ones, and others rarely."""
    flat = array.reshape(-1)
    some = flat[:: max(1, flat.size // _SAMPLES)]
    return array.dtype.str, array.shape, some.tobytes()


def _run(graph: Graph, context: Context) -> None:
    known: dict[Hashable, list[Value]] = {}
    for param in list(graph.params.values()):
        array = param.array
        if array is None or array.nbytes < _LEAST or not param.uses:
            continue
        alike = known.setdefault(_key(array), [])
        for other in alike:
            assert other.array is not None
            if _same(other.array, array) and graph.share_param(param, other):
                context.record(0, (f"parameter {param.name} is {other.name}",), ())
                break
        else:
            alike.append(param)


register(Pass("constant_sharing_pass", run=_run))
