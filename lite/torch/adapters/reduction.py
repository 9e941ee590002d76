"""Sums, means, extremes, orders."""

from __future__ import annotations

from typing import Any

import torch

from lite.torch.adapters.shapes import positive
from lite.torch.builder import Builder
from lite.torch.registry import adapter
from lite.torch.values import Dim, Meta, NotTranslatableError, Tensor, known

Outs = list[Meta]


def axes_of(x: Tensor, dim: Any) -> list[int]:
    """The axes of a reduction: one, several, or all where none is named."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return list(range(x.rank))
    listed = [dim] if isinstance(dim, int) else dim
    return [positive(axis, x.rank) for axis in listed]


def reduce(
    b: Builder, kind: str, x: Tensor, dim: Any, keep: bool, out: Meta, keep_name: str = "keep_dim"
) -> Tensor:
    """A reduction operator over ``dim``."""
    if x.rank == 0:
        return x
    axes = axes_of(x, dim)
    attrs = {"dim": axes, keep_name: keep, "reduce_all": len(axes) == x.rank}
    return b.emit(kind, {"X": x}, attrs, dtype=x.dtype, shape=out.shape)


@adapter
def sum_(
    b: Builder, outs: Outs, self: Tensor, dim: Any = None, keepdim: bool = False, **_: Any
) -> Tensor:
    """Sums; bool and small whole numbers as int64."""
    return reduce(b, "reduce_sum", b.cast(self, outs[0].dtype), dim, keepdim, outs[0])


@adapter
def mean(
    b: Builder, outs: Outs, self: Tensor, dim: Any = None, keepdim: bool = False, **_: Any
) -> Tensor:
    """Means; over the image of an NCHW tensor it is a global pool."""
    x = b.cast(self, outs[0].dtype)
    if x.rank == 4 and sorted(axes_of(x, dim)) == [2, 3]:
        attrs = {"pooling_type": "avg", "global_pooling": True, "ksize": [1, 1]}
        pooled = b.emit("pool2d", {"X": x}, attrs, shape=(*x.shape[:2], 1, 1))
        return (
            pooled
            if keepdim
            else b.emit("squeeze2", {"X": pooled}, {"axes": [2, 3]}, shape=outs[0].shape)
        )
    return reduce(b, "reduce_mean", x, dim, keepdim, outs[0])


def _simple(name: str, kind: str) -> Any:
    def simple(
        b: Builder, outs: Outs, self: Tensor, dim: Any = None, keepdim: bool = False, **_: Any
    ) -> Tensor:
        x = self
        if kind in ("reduce_any", "reduce_all"):
            x = b.cast(x, torch.bool)
        elif kind == "reduce_prod":
            x = b.cast(x, outs[0].dtype)
        elif x.dtype is torch.bool:
            x = b.cast(x, torch.int32)
        return reduce(b, kind, x, dim, keepdim, outs[0])

    simple.__name__ = name
    return adapter(simple)


for _name, _kind in (
    ("amax", "reduce_max"),
    ("amin", "reduce_min"),
    ("any", "reduce_any"),
    ("all", "reduce_all"),
    ("prod", "reduce_prod"),
):
    _simple(_name, _kind)


@adapter
def logsumexp(b: Builder, outs: Outs, self: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log of the sum of exp."""
    axes = axes_of(self, dim)
    attrs = {"axis": axes, "keepdim": keepdim, "reduce_all": len(axes) == self.rank}
    return b.emit("logsumexp", {"X": b.cast(self, outs[0].dtype)}, attrs, shape=outs[0].shape)


def _extreme_with_index(name: str, largest: bool) -> Any:
    def extreme(b: Builder, outs: Outs, self: Tensor, dim: int, keepdim: bool = False) -> Any:
        axis = positive(dim, self.rank)
        if self.rank == 0 or self.dtype is torch.bool:
            raise NotTranslatableError("the extreme of bools or of a 0-D tensor with its index")
        values = reduce(b, f"reduce_{name}", self, axis, keepdim, outs[0])
        attrs = {"axis": axis, "keepdims": keepdim, "dtype": 3}
        kind = "arg_max" if largest else "arg_min"
        found = b.emit(kind, {"X": self}, attrs, dtype=torch.int64, shape=outs[0].shape)
        return [values, found]

    extreme.__name__ = f"{name}_dim"
    return adapter(extreme)


_extreme_with_index("max", True)
_extreme_with_index("min", False)


def _arg(name: str) -> Any:
    def arg(b: Builder, outs: Outs, self: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        x = b.cast(self, torch.int32) if self.dtype is torch.bool else self
        if dim is None or x.rank == 0:
            x = b.flat(x)
        axis = 0 if dim is None else positive(dim, x.rank)
        attrs = {"axis": axis, "keepdims": keepdim or dim is None or self.rank == 0, "dtype": 3}
        lone = dim is None or self.rank == 0
        shape = (1,) if lone else outs[0].shape
        found = b.emit(name, {"X": x}, attrs, dtype=torch.int64, shape=shape)
        return b.reshape(found, outs[0].shape) if lone else found

    arg.__name__ = name
    return adapter(arg)


_arg("arg_max")
_arg("arg_min")


def _spread(name: str) -> Any:
    def spread(
        b: Builder,
        outs: Outs,
        self: Tensor,
        dim: Any = None,
        correction: Any = None,
        keepdim: bool = False,
    ) -> Tensor:
        attrs = {
            "axis": axes_of(self, dim),
            "keepdim": keepdim,
            "correction": 1.0 if correction is None else float(correction),
        }
        return b.emit(name, {"x": self}, attrs, shape=outs[0].shape)

    spread.__name__ = name
    return adapter(spread)


_spread("var")
_spread("std")


@adapter
def vector_norm(
    b: Builder,
    outs: Outs,
    self: Tensor,
    ord: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    **_: Any,
) -> Tensor:
    """The 1- or 2-norm over axes."""
    if float(ord) not in (1.0, 2.0):
        raise NotTranslatableError(f"the norm of order {ord}")
    if float(ord) == 1.0:
        return reduce(b, "reduce_sum", b.emit("abs", {"X": self}), dim, keepdim, outs[0])
    total = reduce(b, "reduce_sum", b.emit("square", {"X": self}), dim, keepdim, outs[0])
    return b.emit("sqrt", {"X": total})


@adapter
def cumsum(b: Builder, outs: Outs, self: Tensor, dim: int, **_: Any) -> Tensor:
    """Running sums."""
    x = b.cast(self, outs[0].dtype)
    return x if x.rank == 0 else b.emit("cumsum", {"X": x}, {"axis": positive(dim, x.rank)})


@adapter
def topk(
    b: Builder,
    outs: Outs,
    self: Tensor,
    k: Dim,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
) -> Any:
    """The k largest of an axis and where they are."""
    attrs = {"k": known(k, "k of topk"), "axis": positive(dim, self.rank), "largest": largest}
    attrs["stable"] = True
    values = b.variable(self.dtype, outs[0].shape)
    found = b.variable(torch.int64, outs[0].shape)
    b.emit_all("top_k_v2", {"X": self}, attrs, {"Out": [values], "Indices": [found]})
    return [values, found]


@adapter
def sort(
    b: Builder, outs: Outs, self: Tensor, dim: int = -1, descending: bool = False, **_: Any
) -> Any:
    """In order, and where each came from."""
    # PyTorch's sort keeps the order of equals, asked to or not.
    attrs = {"axis": positive(dim, self.rank), "descending": descending, "stable": True}
    values = b.variable(self.dtype, self.shape)
    found = b.variable(torch.int64, self.shape)
    b.emit_all("argsort", {"X": self}, attrs, {"Out": [values], "Indices": [found]})
    return [values, found]


@adapter
def argsort(
    b: Builder, outs: Outs, self: Tensor, dim: int = -1, descending: bool = False, **_: Any
) -> Tensor:
    """Where each element in order came from."""
    return sort(b, outs, self, dim, descending)[1]  # type: ignore[no-any-return]


@adapter
def softmax(
    b: Builder, outs: Outs, self: Tensor, dim: int, half_to_float: bool = False, **_: Any
) -> Tensor:
    """exp over its sum along an axis."""
    x = b.cast(self, outs[0].dtype)
    if x.rank == 0:
        raise NotTranslatableError("softmax of a 0-D tensor")
    return b.emit("softmax", {"X": x}, {"axis": positive(dim, x.rank)})


@adapter
def log_softmax(
    b: Builder, outs: Outs, self: Tensor, dim: int, half_to_float: bool = False, **_: Any
) -> Tensor:
    """The log of softmax; Paddle's own operator ends at -64 where torch goes on to -inf."""
    x = b.cast(self, outs[0].dtype)
    if x.rank == 0:
        raise NotTranslatableError("log_softmax of a 0-D tensor")
    axis = positive(dim, x.rank)
    shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    attrs = {"axis": [axis], "keepdim": True, "reduce_all": False}
    return b.binary("elementwise_sub", x, b.emit("logsumexp", {"X": x}, attrs, shape=shape))


@adapter
def glu(b: Builder, outs: Outs, self: Tensor, dim: int = -1) -> Tensor:
    """The first half of an axis times the sigmoid of the second."""
    axis = positive(dim, self.rank)
    half = known(self.shape[axis], "the size of an axis that glu halves") // 2
    left, right = b.slice(self, axis, 0, half), b.slice(self, axis, half, 2 * half)
    return b.binary("elementwise_mul", left, b.emit("sigmoid", {"X": right}))


@adapter
def histc(
    b: Builder, outs: Outs, self: Tensor, bins: int = 100, min: float = 0, max: float = 0
) -> Tensor:
    """How many numbers lie in each of some equal parts of a range."""
    attrs = {"bins": bins, "min": float(min), "max": float(max)}
    return b.emit("histogram", {"X": self}, attrs, dtype=torch.int64, shape=outs[0].shape)
