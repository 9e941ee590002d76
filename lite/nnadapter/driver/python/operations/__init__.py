"""What each operation gives, in numpy: the device `python`, and the conformance suite's oracle.

Written after the operations' definitions, not after any other device. Operands are given as the
numbers that they stand for, in the definition's order: constants of at least one dimension, None
for absent ones. Functions give results of the types and shapes that the definitions say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import boxes, elementwise, images, movement, reduction, windows

Array = np.ndarray[Any, np.dtype[Any]]

OPERATIONS: dict[str, Callable[..., Any]] = {}
for _family in (boxes, elementwise, images, movement, reduction, windows):
    OPERATIONS.update(_family.OPERATIONS)


def compute(operation: str, operands: Sequence[Array | None]) -> list[Array | None]:
    """The outputs; None for one that is not asked for. KeyError for an unknown operation."""
    with np.errstate(all="ignore"):
        found = OPERATIONS[operation](*operands)
    return list(found) if isinstance(found, list | tuple) else [np.asarray(found)]


__all__ = ["OPERATIONS", "compute"]
