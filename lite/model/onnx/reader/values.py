"""What stands for ONNX's values while a Program is built, and what cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.core.optimizer.graph import Shape
from lite.model.program import DataType


class CannotRead(Exception):  # noqa: N818
    """This operator, used like this, is not read; the text is the reason that users see."""


MOST = 1 << 24
"""So many elements may something have that is made as the model is read."""

MOST_AXES = 64
"""No axis that an attribute names is beyond this."""


def limited(count: float) -> int:
    """A count of what will be made. Raises CannotRead where it is too large."""
    if count > MOST:
        raise CannotRead(f"{count:.0f} elements, more than {MOST}")
    return int(count)


@dataclass(slots=True, eq=False)
class Rounded:
    """How integers were made of ``x``: steps of ``scale`` from ``low`` to ``high``, of which
    ``zero`` stands for 0."""

    x: Tensor
    scale: float
    zero: int
    low: int
    high: int
    numbers: Tensor | None = None
    """What the integers stand for, once that was asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Integers of ``bits`` without sign [rows, columns]; ``scales`` and ``zeros`` are [blocks,
    columns], of ``size`` rows each. ``turned``: the matrix is the transpose of what they stand for.
    """

    integers: np.ndarray[Any, Any]
    scales: np.ndarray[Any, Any]
    zeros: np.ndarray[Any, Any]
    bits: int
    size: int
    turned: bool


@dataclass(slots=True, eq=False)
class Tensor:
    """A variable, or with ``array`` a constant that becomes a parameter where it is used.

    ``shape`` has None for a dimension that is not known, and is None without a known rank.
    ``bits``: the elements are integers of so many bits that are held in another type: unsigned ones
    of 16 to 64 bits in a signed type, those of 4 and 2 bits in bytes.
    ``rounded``: the elements are integers that stand for real numbers. ``stepped``: they are what
    such integers, of 8 bits, stand for. ``integers``: a constant's elements are whole multiples of
    a step, or of one for each channel; an array like it. ``blocks``: a constant matrix is what
    these stand for. ``sizes``: the elements are these dimensions, as far as they are known.
    """

    name: str
    dtype: DataType
    shape: Shape | None
    array: np.ndarray[Any, Any] | None = None
    bits: int = 0
    rounded: Rounded | None = None
    stepped: bool = False
    integers: np.ndarray[Any, Any] | None = None
    blocks: Blocks | None = None
    sizes: Shape | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions. Raises CannotRead where it is unknown."""
        if self.shape is None:
            raise CannotRead(f"the number of dimensions of {self.name!r} is not known")
        return len(self.shape)

    @property
    def known(self) -> bool:
        """Whether the elements are known as the model is read."""
        return self.array is not None


@dataclass(slots=True, eq=False)
class TensorList:
    """A sequence: its tensors where they are known, else a variable that holds an array of them."""

    name: str
    dtype: DataType
    items: list[Tensor] | None = None

    @property
    def known(self) -> bool:
        """Whether the elements of its tensors are known as the model is read."""
        return self.items is not None and all(item.known for item in self.items)


@dataclass(slots=True, eq=False)
class Refused:
    """What an operator would have made that is not read."""


Value = Tensor | TensorList | Refused
