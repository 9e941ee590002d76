"""NNAPI's operations in numpy, from its documentation; independent of lite and of NNAdapter.

A function takes the operands' real values in NNAPI's order: float64 arrays (quantised ones
dequantised), int64, bool, Python numbers for scalars, None for what is left out behind the last
one that is given. It returns the result's real values, or a tuple of several.
"""

from __future__ import annotations

from typing import Any

from . import elementwise, images, movement, recurrent, reduction
from .common import Operation

OPERATIONS: dict[str, Operation] = {
    **elementwise.OPERATIONS,
    **images.OPERATIONS,
    **movement.OPERATIONS,
    **recurrent.OPERATIONS,
    **reduction.OPERATIONS,
}


def compute(operation: str, operands: list[Any]) -> list[Any]:
    """The real values of every output."""
    result = OPERATIONS[operation](*operands)
    return list(result) if isinstance(result, (tuple, list)) else [result]
