"""Elements in other places, shapes and types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lite.nnadapter.types import dtype_of

MODES: dict[int, Any] = {0: "constant", 1: "constant", 2: "reflect", 3: "edge", 4: "edge"}


def concat(*operands: Any) -> Any:
    return np.concatenate(operands[:-1], int(operands[-1][0]))


def expand(x: Any, shape: Any) -> Any:
    added = len(shape) - x.ndim
    wanted = [
        x.shape[i - added] if i >= added and s in (1, -1) else int(s) for i, s in enumerate(shape)
    ]
    return np.broadcast_to(x, wanted)


def flatten(x: Any, start: Any, end: Any) -> Any:
    start, end = int(start[0]) % x.ndim, int(end[0]) % x.ndim
    size = int(np.prod(x.shape[start : end + 1]))
    return x.reshape(*x.shape[:start], size, *x.shape[end + 1 :])


def channel_shuffle(x: Any, group: Any) -> Any:
    n, _, h, w = x.shape
    return x.reshape(n, int(group[0]), -1, h, w).swapaxes(1, 2).reshape(x.shape)


def reshape(x: Any, shape: Any) -> Any:
    return x.reshape([x.shape[i] if d == 0 else int(d) for i, d in enumerate(shape)])


def cut(x: Any, axes: Any, starts: Any, ends: Any, steps: Any = None) -> Any:
    axes = range(len(starts)) if axes is None or not len(axes) else axes
    steps = [1] * len(starts) if steps is None or not len(steps) else steps
    index = [slice(None)] * x.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        # numpy has no number for "before the first element"
        stop = None if end < -x.shape[axis] and step < 0 else int(end)
        index[axis] = slice(int(start), stop, int(step))
    return x[tuple(index)]


def split(x: Any, axis: Any, lengths: Any) -> Any:
    lengths = [x.shape[int(axis[0])] - sum(lengths) - 1 if n == -1 else n for n in lengths]
    return np.split(x, np.cumsum(lengths)[:-1], int(axis[0]))


def squeeze(x: Any, axes: Any = None) -> Any:
    axes = [] if axes is None else [a % x.ndim for a in axes]
    drop = [i for i, d in enumerate(x.shape) if d == 1 and (not axes or i in axes)]
    return x.reshape([d for i, d in enumerate(x.shape) if i not in drop])


def unsqueeze(x: Any, axes: Any) -> Any:
    for axis in axes:
        x = np.expand_dims(x, int(axis))
    return x


def unstack(x: Any, axis: Any, num: Any) -> Any:
    return [np.take(x, i, int(axis[0])) for i in range(int(num[0]))]


def roll(x: Any, shifts: Any, axes: Any = None) -> Any:
    if axes is None or not len(axes):
        return np.roll(x, int(sum(shifts)))
    return np.roll(x, shifts.tolist(), axes)


def transpose(x: Any, perm: Any = None) -> Any:
    return np.transpose(x, perm if perm is not None and len(perm) else None)


def arange(start: Any, end: Any, step: Any) -> Any:
    return np.arange(start[0], end[0], step[0], dtype=start.dtype)


def pad(x: Any, pads: Any, mode: Any, value: Any = None) -> Any:
    mode = MODES[int(mode[0])]
    pairs = pads.reshape(-1, 2).tolist()
    if mode == "constant":
        return np.pad(x, pairs, mode, constant_values=0 if value is None else value[0])
    return np.pad(x, pairs, mode)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "ASSIGN": lambda x: x,
    "CAST": lambda x, code: x.astype(dtype_of(int(code[0]))),
    "CHANNEL_SHUFFLE": channel_shuffle,
    "CONCAT": concat,
    "DEQUANTIZE": lambda x: x,
    "EXPAND": expand,
    "FILL": lambda shape, value: np.full([int(s) for s in shape], value[0], value.dtype),
    "FILL_LIKE": lambda x, value: np.full(x.shape, value[0], value.dtype),
    "FLATTEN": flatten,
    "GATHER": lambda x, indices, axis: np.take(x, indices, int(axis[0])),
    "MESHGRID": lambda *xs: list(np.meshgrid(*xs, indexing="ij")),
    "PAD": pad,
    "QUANTIZE": lambda x, *_: x,
    "RANGE": arange,
    "RESHAPE": reshape,
    "ROLL": roll,
    "SHAPE": lambda x, code: np.asarray(x.shape, dtype_of(int(code[0]))),
    "SLICE": cut,
    "SPLIT": split,
    "SQUEEZE": squeeze,
    "STACK": lambda *xs: np.stack(xs[:-1], int(xs[-1][0])),
    "TILE": np.tile,
    "TRANSPOSE": transpose,
    "UNSQUEEZE": unsqueeze,
    "UNSTACK": unstack,
}
