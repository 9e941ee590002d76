"""Reductions, sums along an axis, and the largest elements."""

from __future__ import annotations

from typing import Any

from lite.model.onnx.reader.builder import FLOATS, Builder
from lite.model.onnx.reader.operators.arithmetic import chosen, computed, wide
from lite.model.onnx.reader.operators.shapes import from_start, integers
from lite.model.onnx.reader.translate import Call, adapter
from lite.model.onnx.reader.values import CannotRead, Tensor
from lite.model.program import DataType

Axes = list[int] | Tensor | None

_FINITE = 3.4e38
"""The largest of infinite numbers is taken for this, so that none less itself is no number."""


@adapter
def reduction(
    b: Builder,
    call: Call,
    data: Tensor,
    axes: Any,
    keepdims: int,
    noop_with_empty_axes: int = 0,
) -> Tensor:
    """Over some axes, or all; a norm, or a logarithm of sums, is made of several operators."""
    kind = call.node.type.removeprefix("Reduce")
    if isinstance(axes, Tensor) and axes.shape == (0,):
        axes = None
    if axes is None and noop_with_empty_axes:
        return _each(b, kind, data)
    wanted: Axes = axes
    if not isinstance(axes, Tensor) or axes.known:
        wanted = integers(axes, "axes") or None
    elif noop_with_empty_axes and axes.shape in (None, (None,)):
        raise CannotRead("noop_with_empty_axes with a number of axes that is not known")
    if isinstance(wanted, list) and any(axis < 0 for axis in wanted):
        wanted = [axis % data.rank for axis in wanted]
    if wanted is None and data.shape is not None and data.rank == 0:
        return _each(b, kind, data)
    return computed(b, lambda x: _reduced(b, kind, x, wanted, bool(keepdims)), data)


def _reduced(b: Builder, kind: str, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    simple = {"Sum": "sum", "Mean": "mean", "Max": "max", "Min": "min", "Prod": "prod"}
    if kind in simple:
        if kind == "Mean" and x.dtype not in FLOATS:
            made = b.reduce("mean", b.cast(x, DataType.FP64), axes, keep)
            return b.cast(made, x.dtype)
        return b.cast(b.reduce(simple[kind], x, axes, keep), x.dtype)
    if kind == "LogSumExp":
        return _log_sum_exp(b, x, axes, keep)
    elements = {"L1": "abs", "L2": "square", "SumSquare": "square", "LogSum": ""}[kind]
    y = b.emit(elements, {"X": x}) if elements else x
    total = b.cast(b.reduce("sum", y, axes, keep), x.dtype)
    after = {"L2": "sqrt", "LogSum": "log"}.get(kind)
    return _floating(b, after, total) if after else total


def _floating(b: Builder, type: str, x: Tensor) -> Tensor:
    if x.dtype in FLOATS:
        return b.emit(type, {"X": x})
    return b.cast(b.emit(type, {"X": b.cast(x, DataType.FP64)}), x.dtype)


def _log_sum_exp(b: Builder, x: Tensor, axes: Axes, keep: bool) -> Tensor:
    if x.dtype not in FLOATS:
        return b.cast(_log_sum_exp(b, b.cast(x, DataType.FP64), axes, keep), x.dtype)
    top = b.emit("clip", {"X": b.reduce("max", x, axes, True)}, min=-_FINITE, max=_FINITE)
    powers = b.emit("exp", {"X": b.binary("elementwise_sub", x, top)})
    total = b.emit("log", {"X": b.reduce("sum", powers, axes, keep)})
    return b.binary("elementwise_add", total, top if keep else b.reduce("max", top, axes, False))


def _each(b: Builder, kind: str, x: Tensor) -> Tensor:
    """A reduction over no axis: of each element alone."""
    if kind in ("L1", "L2"):
        return computed(b, lambda y: b.emit("abs", {"X": y}), x)
    if kind == "SumSquare":
        return computed(b, lambda y: b.emit("square", {"X": y}), x)
    if kind == "LogSum":
        return _floating(b, "log", x)
    return b.emit("assign", {"X": x})


@adapter
def arg_extreme(
    b: Builder, call: Call, data: Tensor, axis: int, keepdims: int, select_last_index: int
) -> Tensor:
    """Where the largest or smallest element is, the first or the last one."""
    type = "arg_max" if call.node.type == "ArgMax" else "arg_min"
    x = wide(b, data)
    if not select_last_index:
        return b.emit(type, {"X": x}, axis=axis, keepdims=bool(keepdims))
    axis %= data.rank
    back = b.emit(type, {"X": _flipped(b, x, axis)}, axis=axis, keepdims=bool(keepdims))
    count = b.slice(b.shape_of(data), 0, axis, axis + 1, drop=True)
    one = b.constant(1)
    return b.binary("elementwise_sub", b.binary("elementwise_sub", count, one), back)


def _flipped(b: Builder, x: Tensor, axis: int) -> Tensor:
    return b.emit("flip", {"X": x}, axis=[axis])


@adapter
def cumulative(
    b: Builder, call: Call, x: Tensor, axis: Tensor, exclusive: int, reverse: int
) -> Tensor:
    """Sums or products of all elements before."""
    flags = {"exclusive": bool(exclusive), "reverse": bool(reverse)}

    def along(y: Tensor, number: int) -> Tensor:
        if call.node.type == "CumProd":
            return b.emit("cumprod", {"X": y}, dim=number, **flags)
        return b.emit("cumsum", {"X": y}, axis=number, **flags)

    if axis.array is not None:
        number = (integers(axis, "axis") or [0])[0]
        return computed(b, lambda y: along(y, number), x)
    # Of each axis, and then the one that is asked for.
    place = from_start(b, b.reshape(axis, []), x.rank)
    made = computed(b, lambda y: along(y, 0), x)
    for number in range(1, x.rank):
        other = computed(b, lambda y, n=number: along(y, n), x)
        made = chosen(b, b.binary("equal", place, b.like(number, place)), other, made)
    return made


@adapter
def top_k(
    b: Builder, call: Call, X: Tensor, K: Any, axis: int, largest: int = 1, sorted: int = 1
) -> list[Tensor]:
    """The largest or smallest elements and where they are."""
    if X.rank == 0:
        raise CannotRead("a number without dimensions")
    inputs: dict[str, Any] = {"X": wide(b, X)}
    # ONNX puts the smaller index first.
    attrs: dict[str, Any] = {"axis": axis, "largest": bool(largest), "stable": True}
    if isinstance(K, Tensor) and K.array is None:
        inputs["K"] = b.int32(b.reshape(K, [1]))
    else:
        attrs["k"] = (integers(K, "K") if isinstance(K, Tensor) else [int(K)])[0]  # type: ignore
    values, indices = b.emit_all("top_k_v2", inputs, {"Out": 1, "Indices": 1}, **attrs)
    for made in (values, indices):
        made.shape = made.shape or (None,) * X.rank
    return [b.cast(values, X.dtype), indices]
