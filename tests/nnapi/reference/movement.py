"""Operations that move elements, make tensors or tell of their shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .common import Operation, given_layout, rows_last


def _reshape(x: Any, shape: Any) -> Any:
    return x.reshape([int(n) for n in shape])


def _squeeze(x: Any, axes: Any = None) -> Any:
    if axes is None or len(axes) == 0:
        axes = [a for a in range(x.ndim) if x.shape[a] == 1]
    left = np.squeeze(x, tuple(sorted({int(a) % x.ndim for a in axes})))
    return left.reshape(1) if left.ndim == 0 else left


def _transpose(x: Any, order: Any = None) -> Any:
    return x.transpose() if order is None else x.transpose([int(a) for a in order])


def _concatenation(*operands: Any) -> Any:
    return np.concatenate(operands[:-1], operands[-1])


def _split(x: Any, axis: int, parts: int) -> Any:
    return tuple(np.split(x, parts, axis))


def _slice(x: Any, begin: Any, size: Any) -> Any:
    return x[tuple(slice(int(b), None if s == -1 else int(b + s))
                   for b, s in zip(begin, size, strict=True))]  # fmt: skip


def _strided_slice(x: Any, begin: Any, end: Any, strides: Any, begin_mask: int, end_mask: int,
                   shrink_mask: int) -> Any:  # fmt: skip
    for axis, (b, e, s) in reversed(list(enumerate(zip(begin, end, strides, strict=True)))):
        if shrink_mask >> axis & 1:
            x = x.take(int(b), axis)
            continue
        part = slice(
            None if begin_mask >> axis & 1 else int(b),
            None if end_mask >> axis & 1 else int(e),
            int(s),
        )
        x = x[(slice(None),) * axis + (part,)]
    return x.reshape(1) if x.ndim == 0 else x


def _pad(x: Any, pads: Any, value: float = 0) -> Any:
    return np.pad(x, [(int(a), int(b)) for a, b in pads], constant_values=value)


def _mirror_pad(x: Any, pads: Any, mode: int) -> Any:
    return np.pad(x, [(int(a), int(b)) for a, b in pads], "symmetric" if mode else "reflect")


def _gather(x: Any, axis: int, indices: Any) -> Any:
    return x.take(indices.astype(int), axis)


def _space_to_depth(x: Any, block: int, nchw: bool = False) -> Any:
    n, h, w, c = (images := rows_last(x, nchw)).shape
    parts = images.reshape(n, h // block, block, w // block, block, c)
    out = parts.transpose(0, 1, 3, 2, 4, 5).reshape(n, h // block, w // block, -1)
    return given_layout(out, nchw)


def _depth_to_space(x: Any, block: int, nchw: bool = False) -> Any:
    n, h, w, _ = (images := rows_last(x, nchw)).shape
    parts = images.reshape(n, h, w, block, block, -1)
    out = parts.transpose(0, 1, 3, 2, 4, 5).reshape(n, h * block, w * block, -1)
    return given_layout(out, nchw)


def _space_to_batch(x: Any, block: Any, pads: Any, nchw: bool = False) -> Any:
    images = rows_last(x, nchw)
    images = np.pad(images, [(0, 0), *((int(a), int(b)) for a, b in pads), (0, 0)])
    out = [
        images[:, row :: int(block[0]), column :: int(block[1])]
        for row in range(int(block[0]))
        for column in range(int(block[1]))
    ]
    return given_layout(np.concatenate(out), nchw)


def _batch_to_space(x: Any, block: Any, nchw: bool = False) -> Any:
    images = rows_last(x, nchw)
    rows, columns = (int(b) for b in block)
    n = len(images) // (rows * columns)
    out = np.zeros((n, images.shape[1] * rows, images.shape[2] * columns, images.shape[3]))
    for k in range(rows * columns):
        out[:, k // columns :: rows, k % columns :: columns] = images[k * n : (k + 1) * n]
    return given_layout(out, nchw)


def _channel_shuffle(x: Any, groups: int, axis: int) -> Any:
    moved = np.moveaxis(x, axis, 0)
    parts = moved.reshape(groups, -1, *moved.shape[1:])
    return np.moveaxis(parts.swapaxes(0, 1).reshape(moved.shape), 0, axis)


OPERATIONS: dict[str, Operation] = {
    "RESHAPE": _reshape,
    "SQUEEZE": _squeeze,
    "EXPAND_DIMS": lambda x, axis: np.expand_dims(x, axis),
    "TRANSPOSE": _transpose,
    "CONCATENATION": _concatenation,
    "PACK": lambda axis, *parts: np.stack(parts, axis),
    "SPLIT": _split,
    "SLICE": _slice,
    "STRIDED_SLICE": _strided_slice,
    "REVERSE": lambda x, axis: np.flip(x, int(axis[0])),
    "PAD": _pad,
    "PAD_V2": _pad,
    "MIRROR_PAD": _mirror_pad,
    "TILE": lambda x, repeats: np.tile(x, [int(n) for n in repeats]),
    "GATHER": _gather,
    "EMBEDDING_LOOKUP": lambda indices, table: table[indices.astype(int)],
    "SPACE_TO_DEPTH": _space_to_depth,
    "DEPTH_TO_SPACE": _depth_to_space,
    "SPACE_TO_BATCH_ND": _space_to_batch,
    "BATCH_TO_SPACE_ND": _batch_to_space,
    "CHANNEL_SHUFFLE": _channel_shuffle,
    "FILL": lambda dims, value: np.full([int(n) for n in dims], value),
    "RANK": lambda x: np.array([x.ndim]),
    "CAST": lambda x: x,  # the client gives the stored numbers, and truncates to the output's type
}
