"""Resizing to sizes that are computed as the model runs: interpolation.py as operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.operators.arithmetic import chosen
from lite.model.onnx.reader.operators.interpolation import Way
from lite.model.onnx.reader.operators.shapes import counted
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType


@dataclass(frozen=True)
class _Axis:
    """One axis, all as tensors [1] of float64 but for the last: `interpolation.Axis`."""

    size: Tensor
    target: Tensor
    scale: Tensor
    start: Tensor
    end: Tensor
    count: Tensor


class _Numbers:
    """Arithmetic on tensors of float64 and numbers."""

    def __init__(self, b: Builder) -> None:
        self.b = b

    def of(self, value: Tensor | float) -> Tensor:
        return value if isinstance(value, Tensor) else self.b.like(value, _LIKE)

    def __call__(self, kind: str, x: Tensor | float, y: Tensor | float) -> Tensor:
        return self.b.binary(f"elementwise_{kind}", self.of(x), self.of(y))

    def floor(self, x: Tensor) -> Tensor:
        return self.b.emit("floor", {"X": x})

    def ceil(self, x: Tensor) -> Tensor:
        return self.b.emit("ceil", {"X": x})

    def where(self, kind: str, x: Tensor, y: Tensor | float, yes: Tensor, no: Tensor) -> Tensor:
        return chosen(self.b, self.b.binary(kind, x, self.of(y)), yes, no)


_LIKE = Tensor("", DataType.FP64, ())


def resized(
    b: Builder,
    x: Tensor,
    way: Way,
    given: Tensor,
    is_scale: bool,
    named: Sequence[int],
    roi: Tensor | None,
    policy: str,
) -> Tensor:
    """Each axis by indices and weights; ``given`` has a scale or a size for each of ``named``."""
    if way.antialias or way.mode not in ("nearest", "linear", "cubic"):
        raise CannotRead(f"antialias or mode {way.mode!r} with sizes that are computed")
    numbers = _Numbers(b)
    made = x
    roi = roi if way.transformation == "tf_crop_and_resize" else None
    for axis, at in zip(_axes(numbers, x, given, is_scale, named, roi, policy), named, strict=True):
        places = _positions(numbers, axis, way.transformation)
        made = _sampled(numbers, made, axis, way, at, places)
        made.shape = (None,) * x.rank
        if way.transformation == "tf_crop_and_resize":
            made = _extrapolated(numbers, made, axis, way, at, places)
    return made


def _axes(
    n: _Numbers,
    x: Tensor,
    given: Tensor,
    is_scale: bool,
    named: Sequence[int],
    roi: Tensor | None,
    policy: str,
) -> list[_Axis]:
    b, wide = n.b, DataType.FP64
    shape, count = b.shape_of(x), len(named)
    sizes = [b.cast(b.slice(shape, 0, at, at + 1), wide) for at in named]
    wanted = [b.cast(b.slice(given, 0, i, i + 1), wide) for i in range(count)]
    scales = wanted if is_scale else [n("div", w, s) for w, s in zip(wanted, sizes, strict=True)]
    if policy != "stretch" and not is_scale:
        best = scales[0]
        for scale in scales[1:]:
            best = n("min" if policy == "not_larger" else "max", best, scale)
        scales = [best] * count
        targets = [n.floor(n("add", n("mul", best, s), 0.5)) for s in sizes]
    elif is_scale:
        targets = [n.floor(n("mul", w, s)) for w, s in zip(wanted, sizes, strict=True)]
    else:
        targets = wanted
    ends = [n.of(0.0)] * count + [n.of(1.0)] * count
    if roi is not None and roi.shape != (0,):
        ends = [b.cast(b.slice(roi, 0, i, i + 1), wide) for i in range(2 * count)]
    return [
        _Axis(*parts, b.cast(parts[1], DataType.INT64))
        for parts in zip(sizes, targets, scales, ends[:count], ends[count:], strict=True)
    ]


def _positions(n: _Numbers, axis: _Axis, transformation: str) -> Tensor:
    """Where each element of the result lies in the input."""
    at = n.b.cast(counted(n.b, axis.count), DataType.FP64)
    last, length = n("sub", axis.size, 1.0), n("mul", axis.size, axis.scale)
    middles = n("div", n("add", at, 0.5), axis.scale)
    centred = n("sub", middles, 0.5)
    if transformation == "half_pixel":
        return centred
    if transformation == "tf_half_pixel_for_nn":
        return middles
    if transformation == "pytorch_half_pixel":
        alone = n("sub", n("mul", at, 0.0), 0.5)
        return n.where("greater_than", axis.target, 1.0, centred, alone)
    if transformation == "asymmetric":
        return n("div", at, axis.scale)
    if transformation == "align_corners":
        apart = n("sub", length, 1.0)
        apart = n.where("equal", apart, 0.0, n.of(float("inf")), apart)
        return n("div", n("mul", at, last), apart)
    if transformation == "half_pixel_symmetric":
        shift = n("sub", 1.0, n("div", axis.target, length))
        return n("add", n("mul", n("div", axis.size, 2.0), shift), centred)
    if transformation == "tf_crop_and_resize":
        gaps = n("max", n("sub", axis.target, 1.0), 1.0)
        step = n("div", n("mul", n("sub", axis.end, axis.start), last), gaps)
        spread = n("add", n("mul", axis.start, last), n("mul", at, step))
        middle = n("mul", n("mul", n("add", axis.start, axis.end), 0.5), last)
        return n.where("equal", axis.target, 1.0, middle, spread)
    raise CannotRead(f"coordinate_transformation_mode {transformation!r}")


def _sampled(n: _Numbers, x: Tensor, axis: _Axis, way: Way, at: int, places: Tensor) -> Tensor:
    last = n("sub", axis.size, 1.0)

    def taken(place: Tensor) -> Tensor:
        inside = n("max", n("min", place, last), 0.0)
        index = n.b.cast(inside, DataType.INT64)
        return n.b.emit("gather", {"X": x, "Index": index}, axis=at)

    if way.mode == "nearest":
        return taken(_rounded(n, places, way.nearest))
    left = n.floor(places)
    ratio = n("sub", places, left)
    first, taps = (
        (0, [n("sub", 1.0, ratio), ratio]) if way.mode == "linear" else _cubic(n, ratio, way)
    )
    neighbours = [n("add", left, float(first + i)) for i in range(len(taps))]
    if way.exclude_outside:
        taps = _only_inside(n, neighbours, taps, last)
    made: Tensor | None = None
    for neighbour, tap in zip(neighbours, taps, strict=True):
        shape = [-1 if i == at else 1 for i in range(x.rank)]
        part = n("mul", taken(neighbour), n.b.reshape(n.b.cast(tap, x.dtype), shape))
        made = part if made is None else n("add", made, part)
    assert made is not None
    return made


def _rounded(n: _Numbers, places: Tensor, nearest: str) -> Tensor:
    if nearest == "round_prefer_floor":
        return n.ceil(n("sub", places, 0.5))
    if nearest == "round_prefer_ceil":
        return n.floor(n("add", places, 0.5))
    if nearest in ("floor", "ceil"):
        return n.floor(places) if nearest == "floor" else n.ceil(places)
    raise CannotRead(f"nearest_mode {nearest!r}")


def _cubic(n: _Numbers, ratio: Tensor, way: Way) -> tuple[int, list[Tensor]]:
    """Weights of the four neighbours from one before the left one on."""
    a = way.cubic
    near, far = n("sub", 1.0, ratio), n("add", ratio, 1.0)

    def inner(d: Tensor) -> Tensor:
        slope = n("sub", n("mul", d, a + 2), a + 3)
        return n("add", n("mul", slope, n("mul", d, d)), 1.0)

    def outer(d: Tensor) -> Tensor:
        slope = n("add", n("mul", n("sub", d, 5.0), d), 8.0)
        return n("sub", n("mul", n("mul", slope, d), a), 4 * a)

    return -1, [outer(far), inner(ratio), inner(near), outer(n("add", near, 1.0))]


def _only_inside(
    n: _Numbers, neighbours: list[Tensor], taps: list[Tensor], last: Tensor
) -> list[Tensor]:
    zero = n.of(0.0)
    kept = [
        n.where("less_than", at, 0.0, zero, n.where("greater_than", at, last, zero, tap))
        for at, tap in zip(neighbours, taps, strict=True)
    ]
    total = kept[0]
    for tap in kept[1:]:
        total = n("add", total, tap)
    return [n("div", tap, total) for tap in kept]


def _extrapolated(n: _Numbers, x: Tensor, axis: _Axis, way: Way, at: int, places: Tensor) -> Tensor:
    b, last = n.b, n("sub", axis.size, 1.0)
    below, above = b.binary("less_than", places, n.of(0.0)), b.binary("greater_than", places, last)
    beyond = b.binary("logical_or", below, above)
    shape = [-1 if i == at else 1 for i in range(x.rank)]
    made = chosen(b, b.reshape(beyond, shape), b.like(way.extrapolation, x), x)
    made.shape = x.shape
    return made
