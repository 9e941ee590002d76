"""Activations and functions of one element."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.reader.builder import FLOATS, Builder
from lite.model.onnx.reader.operators.arithmetic import arithmetic
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.params import NUMPY_TYPES


@adapter
def softmax(b: Builder, call: Call, input: Tensor, axis: int) -> Tensor:
    """Softmax and LogSoftmax along one axis."""
    return softmax_of(b, input, axis, _softmax_type(call))


@adapter
def softmax_flat(b: Builder, call: Call, input: Tensor, axis: int) -> Tensor:
    """Before operator set 13: over all axes from the given one on."""
    return softmax_of(b, input, axis, _softmax_type(call), flat=True)


def softmax_of(
    b: Builder, x: Tensor, axis: int, type: str = "softmax", flat: bool = False
) -> Tensor:
    """Along an axis, or ``flat`` over all from that on."""
    last = x.rank - 1 if flat else 0
    axis = axis + x.rank if flat and axis < 0 else axis
    if not flat or axis >= last:
        return b.emit(type, {"X": x}, axis=axis)
    attrs = {"start_axis": axis, "stop_axis": last}
    merged = b.emit("flatten_contiguous_range", {"X": x}, **attrs)
    return reshaped_like(b, b.emit(type, {"X": merged}, axis=axis), x)


def _softmax_type(call: Call) -> str:
    return "softmax" if call.node.type == "Softmax" else "log_softmax"


def reshaped_like(b: Builder, x: Tensor, other: Tensor) -> Tensor:
    """The elements in the shape of another tensor."""
    sizes = b.shape_of(other)
    if sizes.array is not None:
        return b.reshape(x, [int(n) for n in sizes.array])
    made = b.emit("reshape2", {"X": x, "Shape": b.int32(sizes)})
    made.shape = other.shape
    return made


@adapter
def clip(b: Builder, call: Call, input: Tensor, min: Any, max: Any) -> Tensor:
    """Between two bounds, numbers or tensors, each of which may be absent."""
    known = [bound for bound in (min, max) if isinstance(bound, Tensor)]
    numbers = all(bound.array is not None and bound.array.size == 1 for bound in known)
    if numbers and input.dtype in FLOATS:
        low, high = (_number(bound) for bound in (min, max))
        if low is None and high is None:
            return input
        if not (low is not None and high is not None and low > high):
            return b.emit("clip", {"X": input}, min=low, max=high)
    made = input
    for type, bound in (("elementwise_max", min), ("elementwise_min", max)):
        if bound is not None:
            other = bound if isinstance(bound, Tensor) else b.like(bound, input)
            made = arithmetic(b, type, made, other)
    return made


def _number(bound: Any) -> float | None:
    if isinstance(bound, Tensor):
        assert bound.array is not None
        bound = bound.array.reshape(-1)[0].item()
    return None if bound is None else float(np.clip(bound, -3.4028234663852886e38, 3.4028234e38))


@adapter
def prelu(b: Builder, call: Call, X: Tensor, slope: Tensor) -> Tensor:
    """A slope below zero, which broadcasts."""
    if slope.array is not None and slope.array.size == 1:
        return b.emit("prelu", {"X": X, "Alpha": b.reshape(slope, [1])}, mode="all")
    channels = slope.shape is not None and _is_channels(slope.shape, X)
    if call.version < 7 and slope.rank == 1 and X.rank > 1:
        channels = True
    if channels and slope.array is not None and X.dtype in FLOATS:
        return b.emit("prelu", {"X": X, "Alpha": b.reshape(slope, [-1])}, mode="channel")
    zero = b.like(0, X)
    below = arithmetic(b, "elementwise_mul", arithmetic(b, "elementwise_min", X, zero), slope)
    return arithmetic(b, "elementwise_add", arithmetic(b, "elementwise_max", X, zero), below)


def _is_channels(shape: Any, x: Tensor) -> bool:
    """Whether a slope is one for each channel, [C, 1, 1] beside [N, C, H, W]."""
    return x.rank > 2 and len(shape) == x.rank - 1 and all(dim == 1 for dim in shape[1:])


@adapter
def gelu(b: Builder, call: Call, X: Tensor, approximate: str) -> Tensor:
    """x times the normal distribution up to x."""
    if approximate not in ("none", "tanh"):
        raise CannotRead(f"approximate {approximate!r}")
    return b.emit("gelu", {"X": X}, approximate=approximate == "tanh")


@adapter
def hardmax(b: Builder, call: Call, input: Tensor, axis: int) -> Tensor:
    """1 at the first of the largest elements."""
    rank = input.rank
    axis = axis + rank if axis < 0 else axis
    source, flat = input, call.version < 13 and axis < rank - 1
    if flat:
        attrs = {"start_axis": axis, "stop_axis": rank - 1}
        source = b.emit("flatten_contiguous_range", {"X": input}, **attrs)
    best = b.emit("arg_max", {"X": source}, axis=axis, keepdims=True)
    ones = b.emit("fill_any_like", {"X": source}, value=1.0)
    places = b.binary("elementwise_sub", b.emit("cumsum", {"X": ones}, axis=axis), ones)
    best = b.cast(best, places.dtype)
    made = b.cast(b.binary("equal", places, best), input.dtype)
    return reshaped_like(b, made, input) if flat else made


@adapter
def shrink(b: Builder, call: Call, input: Tensor, lambd: float, bias: float) -> Tensor:
    """Zero around zero; the rest moves towards it."""
    x = input
    low = b.binary("less_than", x, b.like(-lambd, x))
    high = b.binary("greater_than", x, b.like(lambd, x))
    offset = NUMPY_TYPES[x.dtype](bias)
    pair = {"X": b.binary("elementwise_sub", x, b.like(offset, x)), "Y": b.like(0, x)}
    above = b.emit("where", {"Condition": high, **pair}, broadcast=True)
    pair = {"X": b.binary("elementwise_add", x, b.like(offset, x)), "Y": above}
    made = b.emit("where", {"Condition": low, **pair}, broadcast=True)
    made.shape = x.shape
    return made


@adapter
def softplus(b: Builder, call: Call, X: Tensor) -> Tensor:
    """log(1 + exp(x)), exact far out as well: max(x, 0) + log1p(exp(-|x|))."""
    return b.emit("softplus", {"X": X}, beta=1.0, threshold=20.0)


@adapter
def complementary_error(b: Builder, call: Call, x: Tensor) -> Tensor:
    """1 - erf(x), as 1 + erf(-x): Keras writes gelu by it."""
    curve = b.emit("erf", {"X": b.emit("scale", {"X": x}, scale=-1.0)})
    return arithmetic(b, "elementwise_add", curve, b.like(1, x))
