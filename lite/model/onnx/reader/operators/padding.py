"""More elements around, or fewer."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import END, Builder
from lite.model.onnx.reader.operators.arithmetic import computed
from lite.model.onnx.reader.operators.shapes import integers, places
from lite.model.onnx.reader.operators.slicing import slice_
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

_MODES = {
    "constant": "constant", "edge": "replicate", "reflect": "reflect", "wrap": "circular",
}  # fmt: skip


@adapter
def pad(
    b: Builder,
    call: Call,
    data: Tensor,
    pads: Any,
    mode: str,
    constant_value: Tensor | None = None,
    axes: Tensor | None = None,
    value: float = 0.0,
) -> Tensor:
    """More elements around; negative numbers take some away."""
    if mode not in _MODES:
        raise CannotRead(f"mode {mode!r}")
    filler = constant_value if constant_value is not None else b.constant(np.float32(value))
    if isinstance(pads, Tensor) and (pads.array is None or (axes and axes.array is None)):
        pairs = b.int32(b.reshape(_pairs(b, data.rank, pads, axes), [-1]))
        return computed(b, lambda x: _general(b, x, pairs, mode, filler), data)
    amounts = integers(pads, "pads") or []
    rank = data.rank
    named = integers(axes, "axes")
    if named is not None:
        begins, ends = [0] * rank, [0] * rank
        for i, axis in enumerate(named):
            begins[axis], ends[axis] = amounts[i], amounts[i + len(named)]
        amounts = begins + ends
    if len(amounts) != 2 * rank:
        raise CannotRead(f"{len(amounts)} numbers in pads for {rank} dimensions")
    cut, amounts = _cropped(b, data, amounts)
    sizes = [amounts[i + side * rank] for i in range(rank) for side in (0, 1)]
    if not any(sizes):
        return cut
    return computed(b, lambda x: _around(b, x, sizes, mode, filler), cut)


def _around(b: Builder, x: Tensor, pairs: list[int], mode: str, filler: Tensor) -> Tensor:
    number = _float_number(filler)
    if mode == "constant" and number is not None:
        return b.emit("pad", {"X": x}, paddings=pairs, pad_value=number)
    if mode != "constant" and x.rank <= 5:
        # New axes stand in front of all where all are padded, else behind the first two.
        added, at = 5 - x.rank, 0 if x.rank <= 3 else 2
        wide = [*pairs[: 2 * at], *[0] * (2 * added), *pairs[2 * at :]]
        if not any(wide[:4]):
            fresh = range(at, at + added)
            return b.squeeze(_pad3d(b, b.unsqueeze(x, fresh), wide[4:], _MODES[mode]), fresh)
    return _general(b, x, b.ints(pairs, np.int32), mode, filler)


def _float_number(filler: Tensor) -> float | None:
    """The number as float32 holds it; None where it is computed, or another one."""
    if filler.array is None or filler.array.size != 1:
        return None
    number = filler.array.reshape(-1)[0].item()
    exact = not isinstance(number, int) or int(np.float32(number)) == number
    return float(number) if exact else None


def _general(b: Builder, x: Tensor, pairs: Tensor, mode: str, filler: Tensor) -> Tensor:
    """Any axes, by the form of `pad` that devices have."""
    inputs = {"X": x, "Paddings": pairs}
    if mode == "constant":
        inputs["Value"] = b.cast(filler, x.dtype)
    return b.emit("pad", inputs, paddings=[0] * (2 * x.rank), mode=_MODES[mode], may_cut=True)


def _pairs(b: Builder, rank: int, pads: Tensor, axes: Tensor | None) -> Tensor:
    """What each axis gets before and after, [rank, 2]."""
    pairs = b.transpose(b.reshape(pads, [2, -1]), [1, 0])
    if axes is None:
        return pairs
    at = b.cast(places(b, axes, rank), DataType.INT64)
    spread = b.binary("elementwise_mul", b.unsqueeze(at, [2]), b.unsqueeze(pairs, [0]))
    return b.reduce("sum", spread, [1], False)


def _cropped(b: Builder, x: Tensor, amounts: list[int]) -> tuple[Tensor, list[int]]:
    rank = len(amounts) // 2
    for axis in range(rank):
        start, end = -min(amounts[axis], 0), min(amounts[axis + rank], 0)
        if start or end:
            x = b.slice(x, axis, start, end or END)
    return x, [max(n, 0) for n in amounts]


def _pad3d(b: Builder, x: Tensor, pairs: list[int], mode: str) -> Tensor:
    """The last three axes of five; the attribute names them from the last one."""
    front, height, width = pairs[0:2], pairs[2:4], pairs[4:6]
    return b.emit("pad3d", {"X": x}, paddings=[*width, *height, *front], mode=mode)


@adapter
def center_crop_pad(b: Builder, call: Call, input_data: Tensor, shape: Tensor, axes: Any) -> Tensor:
    """The middle of axes that are too long; zeros on both sides of those that are too short."""
    named = list(range(input_data.rank)) if axes is None else [a % input_data.rank for a in axes]
    sizes = b.shape_of(input_data)
    wanted = b.cast(shape, DataType.INT64)
    index = b.ints(named)
    have = sizes if axes is None else b.emit("gather", {"X": sizes, "Index": index})
    zero = b.ints([0])

    def halves(more: Tensor, less: Tensor) -> tuple[Tensor, Tensor]:
        """What stands before and after: the smaller half first."""
        whole = b.binary("elementwise_max", b.binary("elementwise_sub", more, less), zero)
        first = b.emit("elementwise_floordiv", {"X": whole, "Y": b.ints([2])})
        return first, b.binary("elementwise_sub", whole, first)

    cut, _ = halves(have, wanted)
    end = b.binary("elementwise_add", cut, b.binary("elementwise_min", wanted, have))
    part = slice_(b, call, input_data, cut, end, named)
    part.shape = part.shape or (None,) * input_data.rank
    before, after = halves(wanted, have)
    ends = b.concat([before, after], 0)
    pairs = b.int32(b.reshape(_pairs(b, input_data.rank, ends, index), [-1]))
    return computed(b, lambda x: _general(b, x, pairs, "constant", b.like(0, x)), part)
