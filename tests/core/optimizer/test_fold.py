"""Broadcasting as the folds see it."""

from __future__ import annotations

import pytest

from lite.core.optimizer.broadcasting import aligned_shape


@pytest.mark.parametrize(
    ("shape", "rank", "axis", "aligned"),
    [
        ((4,), 4, 1, (1, 4, 1, 1)),
        ((4, 1, 1), 4, 1, (1, 4, 1, 1)),
        ((4, 1, 1), 4, -1, (1, 4, 1, 1)),
        ((5,), 3, -1, (1, 1, 5)),
        ((1, 4, 1, 1), 4, 1, (1, 4, 1, 1)),  # an axis between operands of one rank
        ((4, 5), 3, 2, None),
        ((4,), 3, -2, None),
        ((4,), 2**31, -1, None),  # what a damaged attribute claims
        ((4,), 4, 2**31 - 1, None),
    ],
)
def test_aligned_shape(
    shape: tuple[int, ...], rank: int, axis: int, aligned: tuple[int, ...] | None
) -> None:
    assert aligned_shape(shape, rank, axis) == aligned
