"""Views, joins and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from lite.torch.builder import Builder
from lite.torch.registry import ADAPTERS, adapter
from lite.torch.values import (
    Dim,
    Meta,
    NotTranslatableError,
    Shape,
    Tensor,
    is_symbolic,
    known,
    same,
)

Outs = list[Meta]
_END = 2**31 - 1


def positive(axis: int, rank: int) -> int:
    """An axis counted from the front."""
    return axis + max(rank, 1) if axis < 0 else axis


@adapter
def view(b: Builder, outs: Outs, self: Tensor, **_: Any) -> Tensor:
    """Any operator whose result holds the same elements in order."""
    return b.reshape(self, outs[0].shape)


@adapter
def unsqueeze(b: Builder, outs: Outs, self: Tensor, dim: int) -> Tensor:
    """A new axis of one."""
    axis = dim + self.rank + 1 if dim < 0 else dim
    return b.emit("unsqueeze2", {"X": self}, {"axes": [axis]}, shape=outs[0].shape)


@adapter
def squeeze(b: Builder, outs: Outs, self: Tensor, dim: Any = None) -> Tensor:
    """Without axes of one, all or those of ``dim``."""
    axes = range(self.rank) if dim is None else [dim] if isinstance(dim, int) else dim
    gone = [a for a in (positive(a, self.rank) for a in axes) if a < self.rank]
    gone = [a for a in gone if same(self.shape[a], 1)]
    if not gone:
        return self
    return b.emit("squeeze2", {"X": self}, {"axes": gone}, shape=outs[0].shape)


@adapter
def flatten(b: Builder, outs: Outs, self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Axes joined into one."""
    start, stop = positive(start_dim, self.rank), positive(end_dim, self.rank)
    if self.rank == 0 or start == stop:
        return b.reshape(self, outs[0].shape)
    attrs = {"start_axis": start, "stop_axis": stop}
    return b.emit("flatten_contiguous_range", {"X": self}, attrs, shape=outs[0].shape)


@adapter
def permute(b: Builder, outs: Outs, self: Tensor, dims: Sequence[int]) -> Tensor:
    """The axes in the order of ``dims``."""
    return b.transpose(self, [positive(dim, self.rank) for dim in dims])


@adapter
def transpose(b: Builder, outs: Outs, self: Tensor, dim0: int = 0, dim1: int = 1) -> Tensor:
    """Two axes exchanged; ``t`` and ``numpy_T`` of a matrix too."""
    if self.rank < 2:
        return self
    axes = list(range(self.rank))
    a, c = positive(dim0, self.rank), positive(dim1, self.rank)
    axes[a], axes[c] = axes[c], axes[a]
    return b.transpose(self, axes)


@adapter
def numpy_t(b: Builder, outs: Outs, self: Tensor) -> Tensor:
    """All axes turned round."""
    return b.transpose(self, list(range(self.rank))[::-1])


def broadcast_to(b: Builder, x: Tensor, shape: Shape) -> Tensor:
    """Axes of one repeated, and new axes in front."""
    lead = len(shape) - x.rank
    if lead == 0 and all(same(a, c) for a, c in zip(shape, x.shape, strict=True)):
        return x
    kept = [axis >= lead and same(x.shape[axis - lead], dim) for axis, dim in enumerate(shape)]
    inputs: dict[str, Tensor | Sequence[Tensor] | None] = {"X": x}
    if all(keep or not is_symbolic(dim) for keep, dim in zip(kept, shape, strict=True)):
        dims = [-1 if keep else int(dim) for keep, dim in zip(kept, shape, strict=True)]
    else:
        dims, inputs["expand_shapes_tensor"] = b.sizes(shape)
    return b.emit("expand_v2", inputs, {"shape": dims}, shape=shape)


@adapter
def expand(b: Builder, outs: Outs, self: Tensor, **_: Any) -> Tensor:
    """Broadcast to the result's shape."""
    return broadcast_to(b, self, outs[0].shape)


@adapter
def repeat(b: Builder, outs: Outs, self: Tensor, repeats: Sequence[Dim]) -> Tensor:
    """Tiles."""
    times = [known(value, "how often a tensor is repeated") for value in repeats]
    lead = (1,) * (len(times) - self.rank)
    x = b.reshape(self, (*lead, *self.shape)) if lead else self
    return b.emit("tile", {"X": x}, {"repeat_times": times}, shape=outs[0].shape)


@adapter
def repeat_interleave(
    b: Builder, outs: Outs, self: Tensor, repeats: Dim, dim: Any = None, output_size: Any = None
) -> Tensor:
    """Every element of an axis several times."""
    x = b.flat(self) if dim is None else self
    axis = 0 if dim is None else positive(dim, self.rank)
    attrs = {"Repeats": known(repeats, "how often elements are repeated"), "dim": axis}
    return b.emit("repeat_interleave", {"X": x}, attrs, shape=outs[0].shape)


@adapter
def cat(b: Builder, outs: Outs, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Joined along an axis; torch lets empty vectors of any rank take part."""
    rank = len(outs[0].shape)
    parts = [t for t in tensors if not (t.rank == 1 and rank != 1 and same(t.shape[0], 0))]
    parts = [b.cast(part, outs[0].dtype) for part in parts]
    if len(parts) == 1:
        return parts[0]
    attrs = {"axis": positive(dim, rank)}
    return b.emit("concat", {"X": parts}, attrs, dtype=outs[0].dtype, shape=outs[0].shape)


@adapter
def stack(b: Builder, outs: Outs, tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Joined along a new axis."""
    parts = [b.cast(part, outs[0].dtype) for part in tensors]
    attrs = {"axis": positive(dim, len(outs[0].shape))}
    return b.emit("stack", {"X": parts}, attrs, dtype=outs[0].dtype, shape=outs[0].shape)


@adapter
def split(b: Builder, outs: Outs, self: Tensor, dim: int = 0, **_: Any) -> Any:
    """Cut along an axis into the results' sizes."""
    axis = positive(dim, self.rank)
    if len(outs) == 1:
        return [self]
    sections = [known(out.shape[axis], "where a tensor is cut") for out in outs]
    parts = [b.variable(self.dtype, out.shape) for out in outs]
    attrs = {"axis": axis, "sections": sections, "num": 0}
    b.emit_all("split", {"X": self}, attrs, {"Out": parts})
    return parts


@adapter
def unbind(b: Builder, outs: Outs, self: Tensor, dim: int = 0) -> Any:
    """One result for each element of an axis."""
    parts = [b.variable(self.dtype, out.shape) for out in outs]
    b.emit_all("unbind", {"X": self}, {"axis": positive(dim, self.rank)}, {"Out": parts})
    return parts


@adapter
def select(b: Builder, outs: Outs, self: Tensor, dim: int, index: Dim) -> Tensor:
    """One element of an axis."""
    axis = positive(dim, self.rank)
    if is_symbolic(index):
        return b.slice(self, axis, index, index + 1, drop=True, shape=outs[0].shape)
    start = int(index)
    end = _END if start == -1 else start + 1
    attrs = {"axes": [axis], "starts": [start], "ends": [end], "decrease_axis": [axis]}
    return b.emit("slice", {"Input": self}, attrs, shape=outs[0].shape)


@adapter
def slice_(
    b: Builder,
    outs: Outs,
    self: Tensor,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: Dim = 1,
) -> Tensor:
    """Every ``step``-th element of a range of an axis."""
    axis = positive(dim, self.rank)
    first, last = 0 if start is None else start, _END if end is None else end
    stride = known(step, "the step of a slice")
    length = self.shape[axis]
    if stride == 1:
        whole = same(last, length) or (not is_symbolic(last) and int(last) >= _END)
        if not is_symbolic(length) and not is_symbolic(last):
            whole = int(last) >= int(length)
        if whole and same(first, 0):
            return self
        return b.slice(self, axis, first, last, shape=outs[0].shape)
    attrs: dict[str, Any] = {"axes": [axis], "strides": [stride]}
    attrs["starts"] = [known(first, "the start of a slice with a step")]
    end_known = _END if same(last, length) else known(last, "the end of a slice with a step")
    attrs["ends"] = [min(end_known, _END)]
    return b.emit("strided_slice", {"Input": self}, attrs, shape=outs[0].shape)


@adapter
def slice_scatter(
    b: Builder,
    outs: Outs,
    self: Tensor,
    src: Tensor,
    dim: int = 0,
    start: Any = None,
    end: Any = None,
    step: Dim = 1,
) -> Tensor:
    """``self`` with a slice of it replaced by ``src``."""
    axis = positive(dim, self.rank)
    first, last = 0 if start is None else start, _END if end is None else end
    length = self.shape[axis]
    reaches = same(last, length) or (not is_symbolic(last) and int(last) >= _END)
    if not is_symbolic(last) and not is_symbolic(length):
        reaches = reaches or int(last) >= int(length)
    if same(step, 1) and same(first, 0) and reaches:
        return src
    attrs = {
        "axes": [axis],
        "starts": [known(first, "the start of a slice")],
        "ends": [_END if reaches else known(last, "the end of a slice")],
        "steps": [known(step, "the step of a slice")],
    }
    inputs = {"Input": self, "ValueTensor": b.cast(src, self.dtype)}
    return b.emit("set_value", inputs, attrs)


@adapter
def select_scatter(
    b: Builder, outs: Outs, self: Tensor, src: Tensor, dim: int, index: Dim
) -> Tensor:
    """``self`` with one element of an axis replaced by ``src``."""
    axis = positive(dim, self.rank)
    start = known(index, "the index of a replaced element")
    end = _END if start == -1 else start + 1
    attrs = {
        "axes": [axis],
        "starts": [start],
        "ends": [end],
        "steps": [1],
        "decrease_axes": [axis],
    }
    return b.emit("set_value", {"Input": self, "ValueTensor": b.cast(src, self.dtype)}, attrs)


@adapter
def as_strided(
    b: Builder,
    outs: Outs,
    self: Tensor,
    size: Sequence[Dim],
    stride: Sequence[Dim],
    storage_offset: Any = None,
) -> Tensor:
    """Only what is another view of dense, row-major elements."""
    expected: Dim = 1
    dense = not any(is_symbolic(dim) for dim in (*size, *stride, *self.shape))
    for dim, step in zip(reversed(size), reversed(stride), strict=True):
        dense = dense and (same(dim, 1) or same(step, expected))
        expected = expected * dim if dense else expected
    count = 1
    for dim in self.shape:
        count = count * dim if dense else count
    if not dense or storage_offset not in (None, 0) or expected != count:
        raise NotTranslatableError("as_strided that is no plain view")
    return b.reshape(self, outs[0].shape)


@adapter
def unfold(b: Builder, outs: Outs, self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of an axis, as a last axis of their own."""
    if not self.rank:
        return b.reshape(self, outs[0].shape)
    axis = positive(dimension, self.rank)
    starts = np.arange(0, known(self.shape[axis], "an axis with windows") - size + 1, step)
    places = (starts[:, None] + np.arange(size)).reshape(-1)
    index = b.parameter(places.astype(np.int64), torch.int64)
    cut = b.emit("gather", {"X": self, "Index": index}, {"axis": axis})
    apart = (*self.shape[:axis], len(starts), size, *self.shape[axis + 1 :])
    axes = [at for at in range(self.rank + 1) if at != axis + 1]
    return b.transpose(b.reshape(cut, apart), [*axes, axis + 1])


@adapter
def roll(b: Builder, outs: Outs, self: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """Elements moved round."""
    steps = [
        known(s, "a shift") for s in (shifts if isinstance(shifts, (list, tuple)) else [shifts])
    ]
    axes = list(dims if isinstance(dims, (list, tuple)) else [dims])
    attrs = {"shifts": steps, "axis": [positive(axis, self.rank) for axis in axes]}
    return b.emit("roll", {"X": self}, attrs)


@adapter
def flip(b: Builder, outs: Outs, self: Tensor, dims: Sequence[int]) -> Tensor:
    """Axes turned round."""
    if not dims:
        return self
    return b.emit("flip", {"X": self}, {"axis": [positive(dim, self.rank) for dim in dims]})


@adapter
def pad(b: Builder, outs: Outs, self: Tensor, pad: Sequence[Dim], value: Any = 0) -> Tensor:
    """Numbers added in front of and behind the last axes; negative ones are cut away."""
    widths = [known(width, "a padding") for width in pad]
    x = self
    for index in range(len(widths) // 2):
        axis = self.rank - 1 - index
        front, back = min(widths[2 * index], 0), min(widths[2 * index + 1], 0)
        if front or back:
            x = b.slice(x, axis, -front, back if back else _END)
    full = [0] * (2 * self.rank)
    for index in range(len(widths) // 2):
        axis = self.rank - 1 - index
        full[2 * axis : 2 * axis + 2] = [max(w, 0) for w in widths[2 * index : 2 * index + 2]]
    if not any(full):
        return x
    attrs = {"paddings": full, "pad_value": float(value or 0)}
    if x.dtype is torch.float32:
        return b.emit("pad", {"X": x}, attrs, shape=outs[0].shape)
    if x.dtype is torch.bool:
        wide = b.emit("pad", {"X": b.cast(x, torch.int32)}, attrs, shape=outs[0].shape)
        return b.cast(wide, torch.bool)
    return b.emit("pad", {"X": x}, attrs, shape=outs[0].shape)


def _mirror(mode: str) -> Any:
    def mirror(b: Builder, outs: Outs, self: Tensor, padding: Sequence[Dim]) -> Tensor:
        widths = [known(width, "a padding") for width in padding]
        if min(widths) < 0:
            raise NotTranslatableError(f"{mode} padding that cuts away")
        batch = 1 if self.rank == len(widths) // 2 + 2 else 0
        lead = [1] if not batch else []
        planes = [1] * (3 - len(widths) // 2)
        shape = [*lead, *self.shape[: batch + 1], *planes, *self.shape[batch + 1 :]]
        widths += [0] * (6 - len(widths))
        wide = list(shape)
        for index in range(3):
            wide[4 - index] = wide[4 - index] + widths[2 * index] + widths[2 * index + 1]
        x = b.reshape(self, tuple(shape))
        attrs = {"paddings": widths, "mode": mode}
        made = b.emit("pad3d", {"X": x}, attrs, shape=tuple(wide))
        return b.reshape(made, outs[0].shape)

    mirror.__name__ = f"pad_{mode}"
    return adapter(mirror)


for _mode in ("reflect", "replicate", "circular"):
    _mirror(_mode)


@adapter
def pad_by_mode(
    b: Builder,
    outs: Outs,
    self: Tensor,
    pad: Sequence[Dim],
    mode: str = "constant",
    value: Any = None,
) -> Tensor:
    """Any of the paddings by name."""
    if mode == "constant":
        return ADAPTERS["pad"](b, outs, self, pad, value)  # type: ignore[no-any-return]
    return ADAPTERS[f"pad_{mode}"](b, outs, self, pad)  # type: ignore[no-any-return]


@adapter
def tril(b: Builder, outs: Outs, self: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two axes."""
    return _triangle(b, self, diagonal, True)


@adapter
def triu(b: Builder, outs: Outs, self: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two axes."""
    return _triangle(b, self, diagonal, False)


def _triangle(b: Builder, x: Tensor, diagonal: Dim, lower: bool) -> Tensor:
    attrs = {"diagonal": known(diagonal, "a diagonal"), "lower": lower}
    if x.dtype is torch.bool:
        return b.cast(b.emit("tril_triu", {"X": b.cast(x, torch.int32)}, attrs), torch.bool)
    return b.emit("tril_triu", {"X": x}, attrs)
