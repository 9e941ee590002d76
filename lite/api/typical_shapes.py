"""Sizes for dimensions that a model leaves to its callers."""

from __future__ import annotations

from collections.abc import Sequence

_LINE_HEIGHT = 48
_FREE_SIDE, _FREE_WIDTH_OF_LINE = 640, 320


def typical_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """One of a batch; sides of pictures that are free (-1) as PP-OCR has them."""
    if len(shape) != 4:
        return tuple(max(1, size) for size in shape)
    batch, channels, height, width = shape
    free = _FREE_WIDTH_OF_LINE if height == _LINE_HEIGHT else _FREE_SIDE
    height, width = (size if size > 0 else free for size in (height, width))
    return max(1, batch), max(1, channels), height, width
