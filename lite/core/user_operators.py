"""The types of the operators that were added with ``@lite.operator``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from lite import _core

_lock = Lock()
_types: set[str] = set()


def is_added(type: str) -> bool:
    """Whether a user added this operator: nothing is known of it but its declaration."""
    return type in _types


def add(
    type: str,
    inputs: Sequence[tuple[str, bool, bool]],
    outputs: Sequence[tuple[str, bool, bool]],
    attrs: Sequence[tuple[str, str, Any, bool]],
    compute: Callable[..., Any],
    infer: Callable[..., Any] | None,
) -> None:
    """Adds or replaces an operator. Raises ConfigError for one of the library's own."""
    with _lock:
        _core.add_operator(type, list(inputs), list(outputs), list(attrs), compute, infer)
        _types.add(type)


def remove(type: str) -> bool:
    """Takes an operator away; False where there is none."""
    with _lock:
        _types.discard(type)
        return _core.remove_operator(type)
