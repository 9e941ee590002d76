"""Settings that pool2d and pool3d share."""

from __future__ import annotations

from typing import Any

SETTINGS: list[dict[str, Any]] = [
    {"ksize": 2, "strides": 2},
    {"ksize": 3, "strides": 2, "paddings": 1},
    {"ksize": 3, "strides": 1, "paddings": 1},
    {"ksize": 3, "strides": 2, "paddings": 1, "ceil_mode": True},
    {"ksize": 2, "strides": 2, "ceil_mode": True},
    {"ksize": 5, "strides": 1, "paddings": 2, "exclusive": False},
    {"ksize": 3, "strides": 2, "paddings": 1, "exclusive": False, "ceil_mode": True},
    {"ksize": 3, "strides": 3, "padding_algorithm": "SAME"},
    {"ksize": 2, "strides": 2, "padding_algorithm": "SAME", "exclusive": False},
    {"ksize": 3, "strides": 2, "padding_algorithm": "VALID", "paddings": 1},
    {"ksize": 2, "strides": 3, "paddings": -1},
    {"ksize": 1, "global_pooling": True},
    {"ksize": 3, "global_pooling": True, "strides": 2, "paddings": 1, "exclusive": False},
    {"ksize": 1, "adaptive": True},
    {"ksize": 3, "adaptive": True},
    {"ksize": 3, "adaptive": True, "strides": 2, "paddings": 1, "exclusive": False},
    {"ksize": 2, "global_pooling": True, "adaptive": True},
]


def expand(setting: dict[str, Any], rank: int) -> dict[str, Any]:
    """Numbers as lists, one value an axis."""
    return {
        name: value if isinstance(value, (bool, str)) else [value] * rank
        for name, value in setting.items()
    }
