"""Resizing, sampling and channels that become pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import FLOATS, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen, computed, wide
from lite.model.onnx.reader.operators.computed_sizes import resized
from lite.model.onnx.reader.operators.interpolation import (
    Axis,
    Way,
    nearest_indices,
    outside,
    weights,
)
from lite.model.onnx.reader.operators.shapes import with_sizes
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor, limited
from lite.model.program import DataType

_NAMES = {3: "linear", 4: "bilinear", 5: "trilinear"}


@adapter
def resize(
    b: Builder,
    call: Call,
    X: Tensor,
    scales: Any = None,
    sizes: Any = None,
    roi: Any = None,
    mode: str = "nearest",
    coordinate_transformation_mode: str = "asymmetric",
    nearest_mode: str = "floor",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    axes: Any = None,
    antialias: int = 0,
    keep_aspect_ratio_policy: str = "stretch",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Pictures of another size: by an operator that also takes sizes which are not known yet, else
    by indices and matrices of weights."""
    scales = None if isinstance(scales, Tensor) and scales.shape == (0,) else scales
    way = Way(
        mode,
        coordinate_transformation_mode,
        nearest_mode,
        cubic_coeff_a,
        bool(exclude_outside),
        bool(antialias),
        extrapolation_value,
    )
    target, policy = _target(X, scales, sizes, axes), keep_aspect_ratio_policy
    attrs = _plain(X, way, target) if policy == "stretch" else None
    if attrs is None and target.is_known(X):
        return computed(b, lambda x: _by_axis(b, x, way, target, roi, policy), X)
    if attrs is None:
        x = X if X.dtype in FLOATS or mode == "nearest" else b.cast(X, DataType.FP32)
        given, of = (scales, True) if sizes is None else (sizes, False)
        made = resized(b, wide(b, x), way, _listed(b, given), of, target.axes, roi, policy)
        return b.cast(made, X.dtype)
    x, rank, kind = b.cast(X, DataType.FP32), X.rank, attrs.pop("kind")
    inputs: dict[str, Any] = {"X": x}
    if target.numbers is None:
        inputs["OutSize"] = b.int32(b.slice(sizes, 0, 2) if axes is None else sizes)
    elif target.is_scale:
        attrs["scale"] = [target.numbers[axis] for axis in range(2, rank)]
    else:
        found = [target.numbers[axis] for axis in range(2, rank)]
        attrs.update(zip(("out_d", "out_h", "out_w")[5 - rank :], found, strict=True))
    made = b.emit(f"{kind}_interp_v2", inputs, interp_method=kind, **attrs)
    made.shape = (*(X.shape or (None, None))[:2], *(None,) * (rank - 2))
    return b.cast(made, X.dtype)


@dataclass
class _Target:
    """The sizes or scales of axes, by axis; None where they are computed as the model runs."""

    numbers: dict[int, Any] | None
    is_scale: bool
    axes: list[int]

    def is_known(self, x: Tensor) -> bool:
        """Whether the sizes before and after are."""
        numbers, sizes = self.numbers, x.shape or ()
        return numbers is not None and all(n == 1 or sizes[i] for i, n in numbers.items())


def _target(x: Tensor, scales: Any, sizes: Any, axes: Any) -> _Target:
    given = scales if sizes is None else sizes
    if given is None:
        raise CannotRead("neither scales nor sizes are given")
    rank = x.rank
    named = [axis % rank for axis in axes] if axes is not None else list(range(rank))
    numbers = given.array if isinstance(given, Tensor) else np.asarray(given)
    if numbers is None:
        return _Target(None, sizes is None, named)
    if len(numbers) != len(named):
        raise CannotRead(f"{len(numbers)} numbers for {len(named)} axes")
    return _Target(dict(zip(named, numbers.tolist(), strict=True)), sizes is None, named)


def _listed(b: Builder, given: Any) -> Tensor:
    return given if isinstance(given, Tensor) else b.constant(np.asarray(given))


def _plain(x: Tensor, way: Way, target: _Target) -> dict[str, Any] | None:
    """The attributes of an operator of interpolation, None where there is none that does it."""
    rank, numbers = x.rank, target.numbers
    if rank not in _NAMES or way.antialias or way.exclude_outside:
        return None
    # Sizes that are computed are those of pictures, where scales may be of every axis.
    if numbers is None and (
        target.is_scale or target.axes not in (list(range(rank)), list(range(2, rank)))
    ):
        return None
    if numbers is not None:
        if not set(range(2, rank)) <= set(numbers):
            return None
        known = x.shape or (None,) * rank
        for axis in (0, 1):
            same = 1 if target.is_scale else known[axis]
            if same is not None and numbers.get(axis, same) != same:
                return None
        for axis in range(2, rank):
            size, number = known[axis], float(numbers[axis])
            wanted = number if not target.is_scale else None if size is None else size * number
            if size == 1 or (wanted is not None and (wanted < 2 or not wanted.is_integer())):
                return None  # one element, or a part of one, is another matter in ONNX
    return _modes(way, rank, target)


def _modes(way: Way, rank: int, target: _Target) -> dict[str, Any] | None:
    """Paddle's words for how positions are computed."""
    transformation = way.transformation
    if way.mode == "nearest" and rank == 3:
        return None
    if way.mode == "nearest":
        if transformation == "asymmetric" and way.nearest == "floor":
            return {"kind": "nearest", "align_corners": False}
        if transformation == "align_corners" and way.nearest == "round_prefer_ceil":
            return {"kind": "nearest", "align_corners": True}
        factors = [target.numbers[axis] for axis in range(2, rank)] if target.numbers else [0.5]
        centred = transformation in ("half_pixel", "pytorch_half_pixel")
        whole = target.is_scale and all(float(n).is_integer() for n in factors)
        rounded = way.nearest in ("round_prefer_floor", "round_prefer_ceil")
        of_tensorflow = (transformation, way.nearest) == ("tf_half_pixel_for_nn", "floor")
        if whole and ((centred and rounded) or of_tensorflow):
            # So many times as large: each pixel again and again, whatever the rounding.
            return {"kind": "nearest", "align_corners": False}
        return None
    kinds = {"linear": _NAMES[rank], "cubic": "bicubic"}
    if way.mode not in kinds or (way.mode == "cubic" and (rank != 4 or way.cubic != -0.75)):
        return None
    kind = kinds[way.mode]
    if transformation == "align_corners":
        return {"kind": kind, "align_corners": True, "align_mode": 1}
    align = {"half_pixel": 0, "pytorch_half_pixel": 0, "asymmetric": 1}.get(transformation)
    if align is None or (align == 1 and way.mode == "cubic"):
        return None
    found = {"kind": kind, "align_corners": False, "align_mode": align}
    if transformation == "half_pixel" and target.numbers is None:
        found["single_in_middle"] = True
    return found


def _by_axis(b: Builder, x: Tensor, way: Way, target: _Target, roi: Any, policy: str) -> Tensor:
    """One axis after the other, each of a size that is known."""
    listed = _axes(x, target, roi, policy)
    made = x
    for at, axis in listed.items():
        if way.mode == "nearest":
            limited(axis.size + axis.target)
            index = nearest_indices(axis, way)
            if not np.array_equal(index, np.arange(axis.size)):
                made = b.emit("gather", {"X": made, "Index": b.constant(index)}, axis=at)
            continue
        if way.mode not in ("linear", "cubic"):
            raise CannotRead(f"mode {way.mode!r}")
        limited(axis.size * axis.target)
        matrix = weights(axis, way)
        if matrix.shape[0] == matrix.shape[1] and np.array_equal(matrix, np.eye(axis.size)):
            continue
        wide = b.like(np.ascontiguousarray(matrix.T), made)
        order = [i for i in range(x.rank) if i != at] + [at]
        made = b.emit("matmul_v2", {"X": b.transpose(made, order), "Y": wide})
        made = b.transpose(made, [int(i) for i in np.argsort(order)])
    for at, axis in listed.items():
        beyond = outside(axis, way)
        if beyond.any():
            shape = [-1 if i == at else 1 for i in range(x.rank)]
            made = chosen(b, b.constant(beyond.reshape(shape)), b.like(way.extrapolation, x), made)
    made.shape = tuple(listed[i].target if i in listed else d for i, d in enumerate(x.shape or ()))
    return b.emit("assign", {"X": made}) if made is x else made


def _axes(x: Tensor, target: _Target, roi: Any, policy: str) -> dict[int, Axis]:
    numbers, sizes = target.numbers or {}, x.shape or ()
    known = {at: (sizes[at] or 1, number) for at, number in numbers.items() if sizes[at]}
    crop = roi.array.reshape(2, -1) if isinstance(roi, Tensor) and roi.array is not None else None
    if crop is not None and crop.shape[1] != len(numbers):
        crop = None
    if policy != "stretch":
        ratios = [number / size for size, number in known.values()]
        scale = min(ratios) if policy == "not_larger" else max(ratios)
        return {
            at: Axis(size, int(np.floor(scale * size + 0.5)), scale)
            for at, (size, _) in known.items()
        }
    found = {}
    for place, (at, (size, number)) in enumerate(known.items()):
        ends = (0.0, 1.0) if crop is None else (float(crop[0][place]), float(crop[1][place]))
        if target.is_scale:
            found[at] = Axis(size, int(np.floor(size * number)), float(number), *ends)
        else:
            found[at] = Axis(size, int(number), number / size, *ends)
    return found


@adapter
def upsample(b: Builder, call: Call, X: Tensor, scales: Any, mode: str) -> Tensor:
    """Resize before it had another name."""
    return resize(b, call, X, scales, mode=mode)


@adapter
def grid_sample(
    b: Builder,
    call: Call,
    X: Tensor,
    grid: Tensor,
    mode: str,
    padding_mode: str,
    align_corners: int,
) -> Tensor:
    """Elements at positions between -1 and 1."""
    modes = {"linear": "bilinear", "bilinear": "bilinear", "nearest": "nearest_even"}
    modes |= {"cubic": "bicubic", "bicubic": "bicubic"}
    if mode not in modes or X.rank not in (4, 5) or (modes[mode] == "bicubic" and X.rank == 5):
        raise CannotRead(f"mode {mode!r} over {X.rank} dimensions")
    pads = {"zeros": "zeros", "border": "border", "reflection": "reflection"}
    made = b.emit(
        "grid_sampler",
        {"X": X, "Grid": grid},
        mode=modes[mode],
        padding_mode=pads[padding_mode],
        align_corners=bool(align_corners),
    )
    return made


@adapter
def depth_to_space(b: Builder, call: Call, input: Tensor, blocksize: int, mode: str) -> Tensor:
    """Channels that become pixels."""
    if mode not in ("DCR", "CRD"):
        raise CannotRead(f"mode {mode!r}")
    if mode == "CRD":
        return b.emit("pixel_shuffle", {"X": input}, upscale_factor=blocksize)
    # Blocks stand before channels: put behind them, it is the other mode.
    sorted_ = _swapped(b, input, [blocksize * blocksize, -1])
    return b.emit("pixel_shuffle", {"X": sorted_}, upscale_factor=blocksize)


@adapter
def space_to_depth(
    b: Builder, call: Call, input: Tensor, blocksize: int, mode: str = "DCR"
) -> Tensor:
    """Pixels that become channels."""
    if mode not in ("DCR", "CRD"):
        raise CannotRead(f"mode {mode!r}")
    if mode == "CRD":
        return b.emit("pixel_unshuffle", {"X": input}, downscale_factor=blocksize)
    made = b.emit("pixel_unshuffle", {"X": input}, downscale_factor=blocksize)
    count = None if input.shape is None or input.shape[1] is None else input.shape[1] * blocksize**2
    made.shape = (None, count, None, None)
    return _swapped(b, made, [-1, blocksize * blocksize])


def _swapped(b: Builder, x: Tensor, parts: list[int]) -> Tensor:
    """Channels that are a matrix of two ``parts``, as its transpose has them."""
    channels = x.shape[1] if x.shape is not None else None
    if channels is not None:
        order = np.arange(limited(channels)).reshape(parts).T.reshape(-1)
        return b.emit("gather", {"X": x, "Index": b.constant(order.astype(np.int64))}, axis=1)
    sizes = b.shape_of(x)
    split = [b.slice(sizes, 0, 0, 1), b.ints(parts), b.slice(sizes, 0, 2, 4)]
    matrices = b.transpose(with_sizes(b, x, b.concat(split, 0), 5), [0, 2, 1, 3, 4])
    return with_sizes(b, matrices, sizes, 4)


@adapter
def affine_grid(b: Builder, call: Call, theta: Tensor, size: Tensor, align_corners: int) -> Tensor:
    """Positions that an affine map gives."""
    inputs: dict[str, Any] = {"Theta": theta}
    attrs: dict[str, Any] = {}
    if size.array is None:
        inputs["OutputShape"] = b.int32(size)
    elif size.array.size != 4:
        raise CannotRead("volumes")
    else:
        attrs["output_shape"] = size.array.tolist()
    made = b.emit("affine_grid", inputs, align_corners=bool(align_corners), **attrs)
    made.shape = (None,) * 4
    return made
