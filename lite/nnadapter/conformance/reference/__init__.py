"""What each operation gives, in numpy: the oracle of the conformance suite and of the tests.

Written after the operations' definitions, not after any device. Operands are given as the numbers
that they stand for: constants of at least one dimension, None for absent ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import elementwise, movement, reduction, vision, windows

Array = np.ndarray[Any, np.dtype[Any]]

_ALL: dict[str, Callable[..., Any]] = {}
for _family in (elementwise, movement, reduction, vision, windows):
    _ALL.update(_family.REFERENCES)


def expected(operation: str, operands: Sequence[Array | None]) -> list[Array | None]:
    """The outputs; None for one that is not asked for. KeyError for an unknown operation."""
    with np.errstate(all="ignore"):
        found = _ALL[operation](*operands)
    return list(found) if isinstance(found, list | tuple) else [np.asarray(found)]


__all__ = ["expected"]
