"""The limit on memory: a run that would need more raises instead of being killed."""

from __future__ import annotations

from lite import _core
from lite.api import arguments


def set_memory_limit(limit: int) -> None:
    """The largest single allocation in bytes; 0 restores 80 % of what is available."""
    count = arguments.integer(limit, "the memory limit")
    if not 0 <= count < 1 << 62:
        raise ValueError(f"the memory limit is {count}, expected 0 or more bytes")
    _core.set_memory_limit(count)


def memory_limit() -> int:
    """The largest single allocation in bytes."""
    return _core.memory_limit()
