"""Convolutions, poolings and products of matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..case import Array, Case, Var, cases, random
from .elementwise import FUSED


def _windows(
    x: Array, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Array:
    """[N, C, out_h, out_w, kernel_h, kernel_w] of a padded input."""
    spans = [d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True)]
    views = np.lib.stride_tricks.sliding_window_view(x, spans, (2, 3))
    return views[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]


def _padded(x: Array, pads: Sequence[int], value: float = 0) -> Array:
    pairs = ((0, 0), (0, 0), (pads[0], pads[1]), (pads[2], pads[3]))
    return np.pad(x, pairs, constant_values=value)


def convolution(
    x: Array,
    filters: Array,
    bias: Array | None,
    pads: Sequence[int],
    strides: Sequence[int],
    group: int,
    dilations: Sequence[int],
) -> Array:
    """A convolution of [N, C, H, W] by [O, C / group, h, w]."""
    views = _windows(_padded(x, pads), filters.shape[2:], strides, dilations)
    parts = []
    for part, weights in zip(
        np.split(views, group, 1), np.split(filters.astype(np.float64), group), strict=True
    ):
        parts.append(np.einsum("nchwij,ocij->nohw", part, weights))
    result = np.concatenate(parts, 1)
    return result if bias is None else result + bias.reshape(1, -1, 1, 1)


@cases("CONV_2D")
def _conv_2d() -> Iterator[Case]:
    rows: list[tuple[int, int, int, int, list[int], list[int], list[int]]] = [
        # channels, outputs, group, kernel, pads, strides, dilations
        (3, 8, 1, 3, [1, 1, 1, 1], [1, 1], [1, 1]),
        (3, 8, 1, 3, [0, 1, 0, 1], [2, 2], [1, 1]),
        (4, 6, 2, 3, [1, 1, 1, 1], [1, 2], [1, 1]),
        (8, 8, 8, 3, [1, 1, 1, 1], [1, 1], [1, 1]),
        (4, 8, 1, 1, [0, 0, 0, 0], [1, 1], [1, 1]),
        (2, 3, 1, 3, [2, 2, 2, 2], [1, 1], [2, 2]),
        (2, 3, 1, 5, [2, 2, 2, 2], [3, 3], [1, 1]),
    ]
    for channels, outputs, group, kernel, pads, strides, dilations in rows:
        filters = random(outputs, channels // group, kernel, kernel)
        bias = random(outputs)
        for batch, code in ((1, 0), (2, 1), (1, 3)):
            yield Case(
                "CONV_2D",
                f"[{outputs},{channels // group},{kernel},{kernel}] group {group} pads {pads} "
                f"strides {strides} dilations {dilations} fuse_code {code} batch {batch}",
                [
                    *(Var(random(batch, channels, 9, 11)), filters, bias, 0),
                    *(pads, strides, group, dilations, code),
                ],
                lambda x, f=filters, b=bias, p=pads, s=strides, g=group, d=dilations, c=code: FUSED[
                    c
                ](convolution(x, f, b, p, s, g, d)),
            )
    filters, bias = random(4, 3, 3, 3), random(4)
    for auto_pad, pads in ((1, [0, 1, 1, 1]), (2, [0, 0, 0, 0])):
        yield Case(
            *("CONV_2D", f"auto_pad {auto_pad}"),
            [Var(random(1, 3, 8, 9)), filters, bias, auto_pad, [0] * 4, [2, 2], 1, [1, 1], 0],
            lambda x, p=pads: convolution(x, filters, bias, p, [2, 2], 1, [1, 1]),
        )


@cases("CONV_2D_TRANSPOSE")
def _conv_2d_transpose() -> Iterator[Case]:
    def expected(x: Array, filters: Array, bias: Array, pad: int, stride: int) -> Array:
        n, _, h, w = x.shape
        _, outputs, k, _ = filters.shape
        full = np.zeros((n, outputs, (h - 1) * stride + k, (w - 1) * stride + k))
        for i in range(h):
            for j in range(w):
                part = np.einsum("nc,coij->noij", x[:, :, i, j], filters.astype(np.float64))
                full[:, :, i * stride : i * stride + k, j * stride : j * stride + k] += part
        cut = full[:, :, pad : full.shape[2] - pad, pad : full.shape[3] - pad]
        return cut + bias.reshape(1, -1, 1, 1)

    for kernel, pad, stride in [(3, 1, 1), (2, 0, 2), (4, 1, 2)]:
        filters, bias = random(3, 4, kernel, kernel), random(4)
        yield Case(
            *("CONV_2D_TRANSPOSE", f"kernel {kernel} pad {pad} stride {stride}"),
            [
                *(Var(random(2, 3, 5, 6)), filters, bias, 0, [pad] * 4, [stride] * 2, 1, [1, 1]),
                *([0, 0], None, 0),
            ],
            lambda x, f=filters, b=bias, p=pad, s=stride: expected(x, f, b, p, s),
        )


POOLS: list[tuple[list[int], list[int], list[int]]] = [
    # kernel, pads, strides
    ([2, 2], [0, 0, 0, 0], [2, 2]),
    ([3, 3], [1, 1, 1, 1], [1, 1]),
    ([3, 2], [1, 1, 0, 1], [2, 3]),
    ([8, 9], [0, 0, 0, 0], [1, 1]),
]


@cases("AVERAGE_POOL_2D")
def _average_pool() -> Iterator[Case]:
    def expected(x: Array, kernel: Any, pads: Any, strides: Any, count: bool) -> Array:
        total = _windows(_padded(x, pads), kernel, strides, [1, 1]).sum((4, 5))
        ones = np.ones_like(x) if not count else None
        area = kernel[0] * kernel[1]
        if ones is not None:
            area = _windows(_padded(ones, pads), kernel, strides, [1, 1]).sum((4, 5))
        return np.asarray(total / area)

    for kernel, pads, strides in POOLS:
        for count in (False, True):
            yield Case(
                *("AVERAGE_POOL_2D", f"kernel {kernel} pads {pads} strides {strides} {count}"),
                [Var(random(2, 3, 8, 9)), 0, pads, kernel, strides, False, count, 0],
                lambda x, k=kernel, p=pads, s=strides, c=count: expected(x, k, p, s, c),
            )
    yield Case(
        *("AVERAGE_POOL_2D", "ceil_mode"),
        [Var(random(1, 2, 8, 9)), 0, [0] * 4, [3, 3], [2, 2], True, False, 0],
    )


@cases("MAX_POOL_2D")
def _max_pool() -> Iterator[Case]:
    for kernel, pads, strides in POOLS:
        yield Case(
            *("MAX_POOL_2D", f"kernel {kernel} pads {pads} strides {strides}"),
            [Var(random(2, 3, 8, 9)), 0, pads, kernel, strides, False, False, 5, 0],
            lambda x, k=kernel, p=pads, s=strides: _windows(
                _padded(x, p, -np.inf), k, s, [1, 1]
            ).max((4, 5)),
        )


def _adaptive(x: Array, size: Sequence[int], function: Any) -> Array:
    h, w = x.shape[2:]
    rows = []
    for i in range(size[0]):
        row = []
        for j in range(size[1]):
            top, bottom = i * h // size[0], -(-(i + 1) * h // size[0])
            left, right = j * w // size[1], -(-(j + 1) * w // size[1])
            row.append(function(x[:, :, top:bottom, left:right], axis=(2, 3)))
        rows.append(np.stack(row, -1))
    return np.stack(rows, -2)


@cases("ADAPTIVE_AVERAGE_POOL_2D")
def _adaptive_average() -> Iterator[Case]:
    for size in ([1, 1], [3, 2], [7, 7]):
        yield Case(
            *("ADAPTIVE_AVERAGE_POOL_2D", f"to {size}", [Var(random(2, 3, 8, 9)), size]),
            lambda x, s=size: _adaptive(x, s, np.mean),
        )


@cases("ADAPTIVE_MAX_POOL_2D")
def _adaptive_max() -> Iterator[Case]:
    for size in ([1, 1], [3, 2]):
        yield Case(
            *("ADAPTIVE_MAX_POOL_2D", f"to {size}", [Var(random(2, 3, 8, 9)), size, False, 5]),
            lambda x, s=size: _adaptive(x, s, np.max),
        )


@cases("MAT_MUL")
def _mat_mul() -> Iterator[Case]:
    shapes = [
        ((3, 4), (4, 5)),
        ((2, 3, 4), (2, 4, 5)),
        ((2, 3, 4), (4, 5)),
        ((1, 2, 3, 4), (2, 2, 4, 5)),
    ]
    for left, right in shapes:
        for turned_x in (False, True):
            for turned_y in (False, True):
                x, y = random(*left), random(*right, salt=1)
                x = np.ascontiguousarray(x.swapaxes(-1, -2)) if turned_x else x
                y = np.ascontiguousarray(y.swapaxes(-1, -2)) if turned_y else y

                def expected(x: Array, y: Array, tx: bool = turned_x, ty: bool = turned_y) -> Array:
                    x = x.swapaxes(-1, -2) if tx else x
                    return np.asarray(x @ (y.swapaxes(-1, -2) if ty else y))

                label = f"{list(x.shape)} {list(y.shape)} transposed {turned_x} {turned_y}"
                yield Case("MAT_MUL", label, [Var(x), Var(y), turned_x, turned_y], expected)
                yield Case(
                    *("MAT_MUL", f"{label} constant", [Var(x), y, turned_x, turned_y]),
                    lambda x, y=y, f=expected: f(x, y),
                )


@cases("FULLY_CONNECTED")
def _fully_connected() -> Iterator[Case]:
    weight, bias = random(5, 4), random(5)
    for code in (0, 1):
        yield Case(
            *("FULLY_CONNECTED", f"[3, 4] fuse_code {code}"),
            [Var(random(3, 4)), weight, bias, code],
            lambda x, c=code: FUSED[c](x @ weight.T + bias),
        )
    yield Case(
        *("FULLY_CONNECTED", "[2, 3, 4] is flattened", [Var(random(2, 3, 4)), weight, bias, 0]),
        lambda x: x.reshape(-1, 4) @ weight.T + bias,
    )
