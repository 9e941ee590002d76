"""Reductions, arg, sorted and running ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from lite.model.onnx.operator import CannotExport, Op, numpy_type, operator

_KINDS = {"sum": "Sum", "mean": "Mean", "max": "Max", "min": "Min", "prod": "Prod"}


def _axes(op: Op, name: str = "dim") -> list[int] | None:
    """The axes; None means all."""
    if op.has("AxisTensor"):
        raise CannotExport("axes that are computed")
    axes = op.integers(name)
    if op.flag("reduce_all") or not axes:
        return None
    rank = op.rank("X")
    if not rank:
        return None
    return sorted({op.axis(axis, rank) for axis in axes})


@operator(*(f"reduce_{kind}" for kind in _KINDS), "reduce_amax", "reduce_amin")
def reduce(op: Op) -> Any:
    """Of numbers."""
    kind = _KINDS[op.type.removeprefix("reduce_").removeprefix("a")]
    x, dtype = op["X"], op.dtype("X")
    keep = op.flag("keep_dim")
    number = int(op.attr("out_dtype", -1))
    if number >= 0:
        dtype = numpy_type(number)
        x = op.cast(x, dtype)
    elif dtype in (np.bool_, np.int32) and kind == "Sum":
        x = op.cast(x, np.int64)
    elif dtype == np.bool_ or (dtype.kind in "iu" and dtype.itemsize < 4):
        return op.cast(op.reduce(kind, op.cast(x, np.float32), _axes(op), keep), dtype)
    return op.reduce(kind, x, _axes(op), keep)


@operator("mean")
def mean(op: Op) -> Any:
    """Of all elements."""
    return op.reduce("Mean", op["X"], None, keep=False)


@operator("reduce_all", "reduce_any")
def truths(op: Op) -> Any:
    """By numbers: runtimes have no reductions of truth values."""
    x = op.cast(op.cast(op["X"], np.bool_), np.int32)
    made = op.reduce("Min" if op.type == "reduce_all" else "Max", x, _axes(op), op.flag("keep_dim"))
    return op.cast(made, np.bool_)


@operator("logsumexp")
def log_sum_exp(op: Op) -> Any:
    """log(sum(exp(x)))."""
    return op.reduce("LogSumExp", op["X"], _axes(op, "axis"), op.flag("keepdim"))


@operator("p_norm")
def p_norm(op: Op) -> Any:
    """(sum |x|^p)^(1/p), with the limits for 0 and infinity."""
    x, power = op["X"], op.number("porder")
    flat = op.flag("asvector")
    axes = None if flat else [op.axis(int(op.attr("axis")), op.rank("X"))]
    keep = op.flag("keepdim")
    size = op.node("Abs", [x])
    if power == 0:
        return op.reduce("Sum", op.node("Sign", [size]), axes, keep)
    if power == 1:
        return op.reduce("L1", x, axes, keep)
    if power == 2:
        return op.reduce("L2", x, axes, keep)
    if np.isinf(power):
        return op.reduce("Max" if power > 0 else "Min", size, axes, keep)
    total = op.reduce("Sum", op.node("Pow", [size, op.like("X", power)]), axes, keep)
    return op.node("Pow", [total, op.like("X", 1 / power)])


@operator("frobenius_norm")
def frobenius_norm(op: Op) -> Any:
    """The square root of the sum of squares."""
    return op.reduce("L2", op["X"], _axes(op), op.flag("keep_dim"))


def _comparable(op: Op) -> tuple[str, np.dtype[Any]]:
    """The input in a type that runtimes can order, and its own type."""
    x, dtype = op["X"], op.dtype("X")
    if dtype.kind in "iub" and dtype.itemsize < 4:
        x = op.cast(x, np.int32)
    return x, dtype


@operator("arg_max", "arg_min")
def arg(op: Op) -> Any:
    """Where the first of the largest or smallest stands."""
    x, dtype = _comparable(op)
    if dtype == np.int64:
        x = op.cast(x, np.float64)
    rank = op.rank("X")
    flat, keep = op.flag("flatten"), op.flag("keepdims")
    axis = 0 if flat or not rank else op.axis(int(op.attr("axis")), rank)
    type = "ArgMax" if op.type == "arg_max" else "ArgMin"
    if flat or not rank:
        x = op.flat(x)
    whole = flat or not rank
    made = op.node(type, [x], axis=axis, keepdims=int(keep and not whole))
    if whole and keep:
        made = op.reshape(made, [1] * max(rank, 1))
    number = int(op.attr("dtype"))
    wanted = np.dtype(np.int64) if number < 0 else numpy_type(number)
    return made if wanted == np.int64 else op.cast(made, wanted)


def _count(op: Op) -> str:
    """How many, as a list of one."""
    return op.int64(op.value("K")) if op.has("K") else op.ints([int(op.attr("k"))])


@operator("top_k", "top_k_v2")
def top_k(op: Op) -> Any:
    """The largest or smallest of an axis in order."""
    x, dtype = _comparable(op)
    rank = op.rank("X")
    if not rank:
        raise CannotExport("no dimension to take the largest of")
    axis = op.axis(int(op.attr("axis", -1)), rank)
    largest = int(op.flag("largest", True))
    values, places = op.node("TopK", [x, _count(op)], outputs=2, axis=axis, largest=largest)
    if dtype.itemsize < 4:
        values = op.cast(values, dtype)
    return {"Out": values, "Indices": places}


@operator("argsort")
def argsort(op: Op) -> Any:
    """Everything along an axis in order, and where it stood."""
    x, dtype = _comparable(op)
    rank = op.rank("X")
    if not rank:
        raise CannotExport("no dimension to sort")
    axis = op.axis(int(op.attr("axis")), rank)
    count = op.shape_of(op["X"], axis, axis + 1)
    values, places = op.node(
        "TopK", [x, count], outputs=2, axis=axis, largest=int(op.flag("descending"))
    )
    if dtype.itemsize < 4:
        values = op.cast(values, dtype)
    return {"Out": values, "Indices": places}


@operator("kthvalue")
def kth_value(op: Op) -> Any:
    """The k-th smallest of an axis, from 1, and where it stands."""
    x, rank, k = op["X"], op.rank("X"), int(op.attr("k", 1))
    axis, keep = op.axis(int(op.attr("axis", -1)), rank), op.flag("keepdim")
    found = op.node("TopK", [x, op.ints([k])], outputs=2, axis=axis, largest=0)
    last = [op.slice(name, [k - 1], [k], [axis]) for name in found]
    if not keep:
        last = [op.squeeze(name, [axis]) for name in last]
    return {"Out": last[0], "Indices": last[1]}


@operator("cumsum")
def cumsum(op: Op) -> Any:
    """Running sums."""
    x, rank = op["X"], op.rank("X")
    if not rank and not op.flag("flatten"):  # a number is its own sum
        return op.node("Identity", [x])
    axis = 0 if op.flag("flatten") else op.axis(int(op.attr("axis")), rank)
    if op.flag("flatten"):
        x = op.flat(x)
    exclusive, reverse = int(op.flag("exclusive")), int(op.flag("reverse"))
    made = op.node("CumSum", [x, op.const(np.int64(axis))], exclusive=exclusive, reverse=reverse)
    return made


@operator("is_empty")
def is_empty(op: Op) -> Any:
    """Whether there is no element."""
    return op.node("Equal", [op.node("Size", [op["X"]]), op.const(np.int64(0))])


@operator("l1_norm")
def l1_norm(op: Op) -> Any:
    """The sum of sizes."""
    return op.reduce("L1", op["X"], None, keep=False)


@operator("squared_l2_norm")
def squared_norm(op: Op) -> Any:
    """The sum of squares, as a list of one."""
    return op.reshape(op.reduce("SumSquare", op["X"], None, keep=False), [1])


@operator("std", "var")
def deviation(op: Op) -> Any:
    """The mean square of what is left without the mean; ``correction`` counts fewer."""
    x, rank, dtype = op["x"], op.rank("x"), op.dtype("x")
    axes = sorted({op.axis(axis, rank) for axis in op.integers("axis")}) or list(range(rank))
    if not rank or not 0 <= op.number("correction", 1) <= 1:
        raise CannotExport("a single number, or a correction beyond 1")
    rest = op.node("Sub", [x, op.reduce("Mean", x, axes)])
    squares = op.reduce("Sum", op.node("Mul", [rest, rest]), axes, op.flag("keepdim"))
    sizes = op.node("Gather", [op.shape_of(x), op.ints(axes)], axis=0)
    count = op.cast(op.node("ReduceProd", [sizes], keepdims=0), dtype)
    left = op.node("Sub", [count, op.const(np.asarray(op.number("correction", 1), dtype))])
    made = op.node("Div", [squares, left])
    return {"out": made if op.type == "var" else op.node("Sqrt", [made])}


@operator("nansum")
def nan_sum(op: Op) -> Any:
    """The sum of what is a number."""
    x, rank, dtype = op["x"], op.rank("x"), op.dtype("x")
    axes = sorted({op.axis(axis, rank) for axis in op.integers("axis")}) if rank else None
    if dtype.kind == "f":
        x = op.node("Where", [op.node("IsNaN", [x]), op.const(np.asarray(0, dtype)), x])
    number = int(op.attr("dtype", -1))
    wanted = numpy_type(number) if number >= 0 else dtype
    if dtype.kind != "f" and number < 0:
        wanted = np.dtype(np.int64)
    return {"out": op.reduce("Sum", op.cast(x, wanted), axes or None, op.flag("keepdim"))}


@operator("dist")
def distance(op: Op) -> Any:
    """The p-norm of a difference."""
    power = op.number("p")
    rest = op.node("Sub", [op["X"], op["Y"]])
    size = op.node("Abs", [rest])
    if power == 0:
        return op.reduce("Sum", op.node("Sign", [size]), None, keep=False)
    if power in (1, 2):
        return op.reduce(f"L{int(power)}", rest, None, keep=False)
    if np.isinf(power):
        return op.reduce("Max" if power > 0 else "Min", size, None, keep=False)
    total = op.reduce("Sum", op.node("Pow", [size, op.like("X", power)]), None, keep=False)
    return op.node("Pow", [total, op.like("X", 1 / power)])


@operator("clip_by_norm")
def clip_by_norm(op: Op) -> Any:
    """Shortened to a length at most."""
    norm = op.reduce("L2", op["X"], None, keep=False)
    most = op.like("X", op.number("max_norm"))
    longer = op.node("Not", [op.node("LessOrEqual", [norm, most])])
    factor = op.node("Where", [longer, op.node("Div", [most, norm]), op.like("X", 1)])
    return op.node("Mul", [op["X"], factor])
