"""Elements by index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lite.torch.adapters.shapes import broadcast_to, positive
from lite.torch.builder import Builder, Inputs, adjacent, broadcast
from lite.torch.registry import adapter
from lite.torch.values import Dim, Meta, NotTranslatableError, Tensor, is_symbolic, same

Outs = list[Meta]


@adapter
def embedding(
    b: Builder, outs: Outs, weight: Tensor, indices: Tensor, padding_idx: int = -1, **_: Any
) -> Tensor:
    """Rows of a table; torch reads the row of padding like any other."""
    if indices.dtype not in (torch.int64, torch.int32):
        raise NotTranslatableError("an embedding by indices that are neither int32 nor int64")
    inputs = {"W": weight, "Ids": indices}
    return b.emit("lookup_table_v2", inputs, {"padding_idx": -1}, shape=outs[0].shape)


def _from_the_front(b: Builder, index: Tensor, length: Dim) -> Tensor:
    """Indices that may count from the end."""
    zero = b.scalar(0, index.dtype)
    below = b.binary("less_than", index, zero, dtype=torch.bool)
    wrapped = b.binary("elementwise_add", index, b.operand(length, index.dtype))
    inputs = {"Condition": below, "X": wrapped, "Y": index}
    return b.emit("where", inputs, {"broadcast": True}, dtype=index.dtype, shape=index.shape)


@adapter
def index(b: Builder, outs: Outs, self: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """``self[i, :, j]``: whole numbers, which broadcast."""
    named = [(axis, value) for axis, value in enumerate(indices) if value is not None]
    if any(value.dtype in (torch.bool, torch.uint8) for _, value in named):
        raise NotTranslatableError("an index by a mask, whose result's size depends on data")
    axes = [axis for axis, _ in named]
    if not axes:
        return self
    numbers = [
        _from_the_front(b, b.cast(value, torch.int64), self.shape[axis]) for axis, value in named
    ]
    if len(axes) == 1:
        return _along(b, self, axes[0], numbers[0], outs[0])
    return _at_points(b, self, axes, numbers, outs[0])


def _along(b: Builder, x: Tensor, axis: int, index: Tensor, out: Meta) -> Tensor:
    flat = b.flat(index)
    shape = (*x.shape[:axis], flat.shape[0], *x.shape[axis + 1 :])
    made = b.emit("index_select", {"X": x, "Index": flat}, {"dim": axis}, shape=shape)
    return b.reshape(made, out.shape)


def _at_points(b: Builder, x: Tensor, axes: list[int], numbers: list[Tensor], out: Meta) -> Tensor:
    rest = [axis for axis in range(x.rank) if axis not in axes]
    shape = numbers[0].shape
    for number in numbers[1:]:
        shape = broadcast(shape, number.shape)
    points = [broadcast_to(b, number, shape) for number in numbers]
    at = b.emit(
        "stack", {"X": points}, {"axis": len(shape)}, dtype=torch.int64, shape=(*shape, len(points))
    )
    front = b.transpose(x, [*axes, *rest])
    sizes = tuple(x.shape[axis] for axis in rest)
    made = b.emit("gather_nd", {"X": front, "Index": at}, dtype=x.dtype, shape=(*shape, *sizes))
    before = axes[0] if adjacent(axes) else 0
    if not before:
        return made
    # Indices that stand together leave their result where they stood.
    count = len(shape)
    order = [*range(count, count + before), *range(count), *range(count + before, made.rank)]
    return b.transpose(made, order)


@adapter
def index_select(b: Builder, outs: Outs, self: Tensor, dim: int, index: Tensor) -> Tensor:
    """Elements of an axis by a vector of indices."""
    if self.rank == 0:
        raise NotTranslatableError("index_select of a 0-D tensor")
    attrs = {"dim": positive(dim, self.rank)}
    inputs = {"X": self, "Index": b.flat(index)}
    return b.emit("index_select", inputs, attrs, shape=outs[0].shape)


def _cut_to(b: Builder, x: Tensor, index: Tensor, axis: int) -> Tensor:
    """torch's index may be shorter than the source on the other axes."""
    for other in range(x.rank):
        if other == axis or same(x.shape[other], index.shape[other]):
            continue
        if is_symbolic(index.shape[other]) or is_symbolic(x.shape[other]):
            raise NotTranslatableError("an index whose free sizes differ from its source's")
        x = b.slice(x, other, 0, index.shape[other])
    return x


@adapter
def gather(
    b: Builder, outs: Outs, self: Tensor, dim: int, index: Tensor, sparse_grad: bool = False
) -> Tensor:
    """For each place of the index, the element of an axis that it names."""
    if self.rank == 0 or index.rank != self.rank:
        raise NotTranslatableError("gather of a 0-D tensor")
    axis = positive(dim, self.rank)
    index = b.cast(index, torch.int64)
    inputs = {"Input": _cut_to(b, self, index, axis), "Index": index}
    return b.emit("take_along_axis", inputs, {"Axis": axis}, shape=outs[0].shape)


@adapter
def scatter(
    b: Builder,
    outs: Outs,
    self: Tensor,
    dim: int,
    index: Tensor,
    src: Any = None,
    value: Any = None,
) -> Tensor:
    """``self`` with the places that the index names replaced."""
    axis = positive(dim, self.rank)
    for other in range(self.rank):
        if other != axis and not same(self.shape[other], index.shape[other]):
            raise NotTranslatableError("scatter by an index that is shorter than its target")
    if isinstance(src, Tensor):
        new = src
        for other in range(src.rank):
            if not same(src.shape[other], index.shape[other]):
                new = b.slice(new, other, 0, index.shape[other])
    else:
        new = b.full(index.shape, value if src is None else src, self.dtype)
    inputs = {"Input": self, "Index": index, "Value": b.cast(new, self.dtype)}
    attrs = {"Axis": axis, "Reduce": "assign", "Include_self": True}
    return b.emit("put_along_axis", inputs, attrs)


@adapter
def index_put(
    b: Builder,
    outs: Outs,
    self: Tensor,
    indices: Sequence[Tensor | None],
    values: Tensor,
    accumulate: bool = False,
    unsafe: bool = False,
) -> Tensor:
    """``self[i, j] = values`` by indices of the leading axes."""
    named = list(indices)
    while named and named[-1] is None:
        named.pop()
    if any(value is None or value.dtype is torch.bool for value in named):
        raise NotTranslatableError("index_put by a mask, or behind a whole axis")
    listed = [
        _from_the_front(b, b.cast(value, torch.int64), self.shape[axis])
        for axis, value in enumerate(named)
        if value is not None
    ]
    shape = listed[0].shape
    for value in listed[1:]:
        shape = broadcast(shape, value.shape)
    listed = [broadcast_to(b, value, shape) for value in listed]
    new = broadcast_to(b, b.cast(values, self.dtype), (*shape, *self.shape[len(listed) :]))
    inputs: Inputs = {"x": self, "indices": listed, "value": new}
    return b.emit("index_put", inputs, {"accumulate": accumulate})
