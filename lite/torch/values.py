"""What stands for torch's tensors while a Program is built, and what cannot be built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch.fx import Node

from lite.model.program import DataType

Dim: TypeAlias = Any
"""A size: an int, or a torch.SymInt that is known when the program runs."""

Shape: TypeAlias = tuple[Dim, ...]


class NotTranslatableError(Exception):
    """An operator, or one use of it, has no translation; the text is the reason that users see."""


@dataclass(frozen=True, slots=True)
class Meta:
    """The element type, shape and strides of a result that torch expects."""

    dtype: torch.dtype
    shape: Shape
    strides: Shape = ()

    @staticmethod
    def of(tensor: torch.Tensor) -> Meta:
        """The meta of a real, fake or meta tensor."""
        strides = () if tensor.layout is not torch.strided else tuple(tensor.stride())
        return Meta(tensor.dtype, tuple(tensor.shape), strides)


def metas(node: Node) -> list[Meta | None]:
    """What torch knows of a node's results."""
    value = node.meta.get("val")
    if isinstance(value, (list, tuple)):
        return [Meta.of(item) if isinstance(item, torch.Tensor) else None for item in value]
    return [Meta.of(value)] if isinstance(value, torch.Tensor) else [None]


@dataclass(frozen=True, slots=True)
class Tensor:
    """A variable of the Program that is built. ``swapped`` is its source where it is a transpose of
    the last two axes, which products read without a copy."""

    name: str
    dtype: torch.dtype
    shape: Shape
    swapped: Tensor | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)


DTYPES: dict[torch.dtype, DataType] = {
    torch.float32: DataType.FP32,
    torch.int64: DataType.INT64,
    torch.int32: DataType.INT32,
    torch.bool: DataType.BOOL,
    torch.uint8: DataType.UINT8,
    torch.int8: DataType.INT8,
}
"""The element types that are computed here; tensors of another stay with torch."""


def data_type(dtype: torch.dtype) -> DataType:
    """The Program's number of an element type. Raises NotTranslatableError."""
    found = DTYPES.get(dtype)
    if found is None:
        raise NotTranslatableError(f"{str(dtype).removeprefix('torch.')} is not computed here")
    return found


def is_symbolic(value: object) -> bool:
    """Whether a size is known only when the program runs."""
    return isinstance(value, torch.SymInt) and value.node.maybe_as_int() is None


def same(a: Dim, b: Dim) -> bool:
    """Whether two sizes are equal for every input, as far as their expressions show."""
    if is_symbolic(a) or is_symbolic(b):
        return is_symbolic(a) and is_symbolic(b) and bool(a.node.expr == b.node.expr)
    return int(a) == int(b)


def known(value: Dim, what: str) -> int:
    """A number that must stand when the program is built. Raises NotTranslatableError."""
    if is_symbolic(value):
        raise NotTranslatableError(f"{what} is known only when the program runs")
    return int(value)
