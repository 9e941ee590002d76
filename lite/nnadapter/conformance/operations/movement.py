"""Operations that move, repeat and choose elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..case import Array, Case, Var, cases, random

TYPES = (np.float32, np.int32, np.int64)


@cases("RESHAPE")
def _reshape() -> Iterator[Case]:
    for dtype in TYPES:
        x = random(2, 3, 4, dtype=dtype)
        for given, shape in [([4, 6], (4, 6)), ([2, -1], (2, 12)), ([0, 0, 4, 1], (2, 3, 4, 1))]:
            yield Case("RESHAPE", f"to {given}", [Var(x), given], lambda x, s=shape: x.reshape(s))


@cases("FLATTEN")
def _flatten() -> Iterator[Case]:
    x = random(2, 3, 4, 5)
    for start, end, shape in [(1, 3, (2, 60)), (0, -1, (120,)), (1, 2, (2, 12, 5))]:
        label = f"axes {start} to {end}"
        yield Case("FLATTEN", label, [Var(x), start, end], lambda x, s=shape: x.reshape(s))


@cases("SQUEEZE")
def _squeeze() -> Iterator[Case]:
    x = random(2, 1, 3, 1)
    for axes in ([1], [1, 3], [-1]):
        label = f"axes {axes}"
        yield Case("SQUEEZE", label, [Var(x), axes], lambda x, a=axes: x.squeeze(tuple(a)))


@cases("UNSQUEEZE")
def _unsqueeze() -> Iterator[Case]:
    x = random(2, 3)
    for axes in ([0], [1], [2], [0, 3]):
        label = f"axes {axes}"
        yield Case("UNSQUEEZE", label, [Var(x), axes], lambda x, a=axes: np.expand_dims(x, a))


@cases("TRANSPOSE")
def _transpose() -> Iterator[Case]:
    for dtype in TYPES:
        for perm in ([1, 0], [0, 2, 1], [0, 2, 3, 1], [3, 1, 0, 2], [0, 2, 1, 3, 4]):
            x = random(*[2, 3, 4, 5, 2][: len(perm)], dtype=dtype)
            yield Case("TRANSPOSE", f"{perm}", [Var(x), perm], lambda x, p=perm: x.transpose(p))


@cases("CONCAT")
def _concat() -> Iterator[Case]:
    for dtype in TYPES:
        for axis in (0, 1, -1):
            shapes = [[2, 3, 4] for _ in range(3)]
            for i, shape in enumerate(shapes):
                shape[axis] += i
            arrays = [random(*s, dtype=dtype) for s in shapes]
            inputs = [*(Var(a) for a in arrays), axis]
            yield Case("CONCAT", f"axis {axis}", inputs, lambda *a, x=axis: np.concatenate(a, x))


@cases("STACK")
def _stack() -> Iterator[Case]:
    for axis in (0, 1, -1):
        arrays = [random(2, 3, low=-i - 1) for i in range(3)]
        inputs = [*(Var(a) for a in arrays), axis]
        yield Case("STACK", f"axis {axis}", inputs, lambda *a, x=axis: np.stack(a, x))


@cases("UNSTACK")
def _unstack() -> Iterator[Case]:
    for axis in (0, 1, -1):
        x = random(3, 3, 3)
        yield Case(
            *("UNSTACK", f"axis {axis}", [Var(x), axis, 3]),
            lambda x, a=axis: [np.take(x, i, a) for i in range(3)],
            outputs=3,
        )


@cases("SPLIT")
def _split() -> Iterator[Case]:
    for dtype in TYPES:
        x = random(2, 6, 3, dtype=dtype)
        for sizes in ([2, 4], [1, 2, 3]):
            at = np.cumsum(sizes)[:-1]
            yield Case(
                *("SPLIT", f"axis 1 {sizes}", [Var(x), 1, sizes]),
                lambda x, at=at: np.split(x, at, 1),
                outputs=len(sizes),
            )


@cases("SLICE")
def _slice() -> Iterator[Case]:
    rows: list[tuple[list[int], list[int], list[int], list[int], Any]] = [
        ([0], [1], [3], [1], np.s_[1:3]),
        ([0, 1], [0, 1], [4, -1], [1, 1], np.s_[0:4, 1:-1]),
        ([1], [-3], [100], [1], np.s_[:, -3:]),
        ([0, 2], [0, 0], [4, 6], [2, 3], np.s_[0:4:2, :, 0:6:3]),
    ]
    for dtype in TYPES:
        x = random(4, 5, 6, dtype=dtype)
        for axes, starts, ends, steps, index in rows:
            inputs = [Var(x), axes, starts, ends, steps]
            yield Case("SLICE", f"{axes} {starts} {ends} {steps}", inputs, lambda x, i=index: x[i])


@cases("GATHER")
def _gather() -> Iterator[Case]:
    for dtype in (np.int32, np.int64):
        x = random(4, 5)
        for axis in (0, 1):
            for at in (np.array([3, 0, 0], dtype), np.array([[1, 2], [0, 3]], dtype)):
                label = f"axis {axis} {np.dtype(dtype)} {list(at.shape)}"
                yield Case(
                    *("GATHER", label, [Var(x), Var(at), axis]),
                    lambda x, at, a=axis: np.take(x, at, a),
                )


@cases("EXPAND")
def _expand() -> Iterator[Case]:
    for dtype in TYPES:
        for source, shape in [((3, 1), [3, 4]), ((1, 3), [2, 2, 3]), ((3,), [2, 3])]:
            x = random(*source, dtype=dtype)
            yield Case(
                *("EXPAND", f"{list(source)} to {shape}", [Var(x), shape]),
                lambda x, s=shape: np.broadcast_to(x, s),
            )


@cases("TILE")
def _tile() -> Iterator[Case]:
    for repeats in ([2, 1], [1, 3], [2, 2]):
        yield Case(
            *("TILE", f"{repeats}", [Var(random(2, 3)), repeats]),
            lambda x, r=repeats: np.tile(x, r),
        )


@cases("PAD")
def _pad() -> Iterator[Case]:
    names = {1: "constant", 2: "reflect", 4: "edge"}
    for code, mode in names.items():
        for shape, pads in [((3, 4), [1, 2, 0, 1]), ((1, 2, 3, 4), [0, 0, 0, 0, 1, 1, 2, 1])]:
            pairs = np.reshape(pads, (-1, 2))

            def expected(x: Array, pairs: Array = pairs, mode: Any = mode) -> Array:
                extra = {"constant_values": 1.5} if mode == "constant" else {}
                return np.asarray(np.pad(x, pairs, mode, **extra))

            inputs = [Var(random(*shape)), pads, code, 1.5]
            yield Case("PAD", f"{mode} {pads}", inputs, expected)


@cases("ROLL")
def _roll() -> Iterator[Case]:
    for shifts, axes in [([1], [0]), ([-2], [1]), ([1, 2], [0, 1])]:
        yield Case(
            *("ROLL", f"{shifts} axes {axes}", [Var(random(3, 4)), shifts, axes]),
            lambda x, s=shifts, a=axes: np.roll(x, s, a),
        )


@cases("MESHGRID")
def _meshgrid() -> Iterator[Case]:
    arrays = [random(3), random(4), random(2)]
    for count in (2, 3):
        yield Case(
            *("MESHGRID", f"of {count}", [Var(a) for a in arrays[:count]]),
            lambda *a: np.meshgrid(*a, indexing="ij"),
            outputs=count,
        )


@cases("SHAPE")
def _shape() -> Iterator[Case]:
    for code, dtype in ((5, np.int32), (7, np.int64)):
        yield Case(
            *("SHAPE", f"as {np.dtype(dtype)}", [Var(random(2, 3, 4)), code]),
            lambda x, d=dtype: np.array(x.shape, d),
        )


@cases("FILL_LIKE")
def _fill_like() -> Iterator[Case]:
    inputs = [Var(random(2, 3)), 1.5]
    yield Case("FILL_LIKE", "[2, 3]", inputs, lambda x: np.full_like(x, 1.5))


@cases("CHANNEL_SHUFFLE")
def _channel_shuffle() -> Iterator[Case]:
    for group in (2, 3):
        yield Case(
            *("CHANNEL_SHUFFLE", f"group {group}", [Var(random(2, 6, 3, 4)), group]),
            lambda x, g=group: (
                x.reshape(2, g, 6 // g, 3, 4).transpose(0, 2, 1, 3, 4).reshape(2, 6, 3, 4)
            ),
        )


@cases("FILL")
def _fill() -> Iterator[Case]:
    inputs = [[2, 3], Var(np.array([1.5], np.float32))]
    yield Case("FILL", "to [2, 3]", inputs, lambda value: np.full((2, 3), value[0]))


@cases("RANGE")
def _range() -> Iterator[Case]:
    for dtype in (np.float32, np.int64):
        inputs = [Var(np.array([n], dtype)) for n in (1, 9, 3)]
        yield Case("RANGE", "1 to 9 by 3", inputs, lambda a, b, c: np.arange(a[0], b[0], c[0]))
