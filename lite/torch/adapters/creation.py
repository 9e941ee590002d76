"""Tensors from nothing: of one number, ranges, and constants."""

from __future__ import annotations

from typing import Any

import torch

from lite.torch.builder import Builder
from lite.torch.registry import adapter
from lite.torch.values import Dim, Meta, NotTranslatableError, Tensor, is_symbolic, known

Outs = list[Meta]


def _filled(b: Builder, out: Meta, value: Any) -> Tensor:
    if is_symbolic(value):
        from lite.torch.adapters.shapes import broadcast_to

        return broadcast_to(b, b.operand(value, out.dtype), out.shape)
    return b.full(out.shape, value, out.dtype)


@adapter
def zeros(b: Builder, outs: Outs, **_: Any) -> Tensor:
    """Zeros in the result's shape and type; memory without a value too."""
    return _filled(b, outs[0], 0)


@adapter
def ones(b: Builder, outs: Outs, **_: Any) -> Tensor:
    """Ones in the result's shape and type."""
    return _filled(b, outs[0], 1)


@adapter
def full(b: Builder, outs: Outs, fill_value: Any, **_: Any) -> Tensor:
    """One number in the result's shape and type."""
    return _filled(b, outs[0], fill_value)


@adapter
def fill(b: Builder, outs: Outs, value: Any, **_: Any) -> Tensor:
    """One number, or a 0-D tensor, in the result's shape and type."""
    from lite.torch.adapters.shapes import broadcast_to

    if isinstance(value, Tensor):
        return broadcast_to(b, b.cast(value, outs[0].dtype), outs[0].shape)
    return _filled(b, outs[0], value)


@adapter
def scalar_tensor(b: Builder, outs: Outs, s: Any, **_: Any) -> Tensor:
    """A 0-D tensor of a number."""
    return _filled(b, outs[0], s)


@adapter
def arange(b: Builder, outs: Outs, end: Dim, start: Dim = 0, step: Dim = 1, **_: Any) -> Tensor:
    """start, start + step, ... below end."""
    dtype = outs[0].dtype
    if not dtype.is_floating_point and any(isinstance(v, float) for v in (start, end, step)):
        # So many as the real numbers are, from the first whole one on.
        count = known(outs[0].shape[0], "how many numbers arange makes")
        start, step = int(start), int(step)
        if not step:
            raise NotTranslatableError("arange of whole numbers by less than one")
        end = start + count * step
    numbers = [b.operand(value, dtype) for value in (start, end, step)]
    inputs = dict(zip(("Start", "End", "Step"), numbers, strict=True))
    return b.emit("range", inputs, dtype=dtype, shape=outs[0].shape)


@adapter
def linspace(b: Builder, outs: Outs, start: Any, end: Any, steps: Dim, **_: Any) -> Tensor:
    """``steps`` numbers from start to end, both included."""
    if outs[0].dtype is not torch.float32:
        raise NotTranslatableError("linspace of whole numbers")
    inputs = {
        "Start": b.operand(start, torch.float32),
        "Stop": b.operand(end, torch.float32),
        "Num": b.scalar(known(steps, "how many numbers linspace makes"), torch.int32),
    }
    return b.emit("linspace", inputs, {"dtype": 5}, dtype=torch.float32, shape=outs[0].shape)


@adapter
def eye(b: Builder, outs: Outs, n: Dim, m: Any = None, **_: Any) -> Tensor:
    """Ones on the diagonal."""
    rows = known(n, "the rows of eye")
    columns = rows if m is None else known(m, "the columns of eye")
    attrs = {"num_rows": rows, "num_columns": columns, "dtype": 5}
    made = b.emit("eye", {}, attrs, dtype=torch.float32, shape=outs[0].shape)
    return b.cast(made, outs[0].dtype)
