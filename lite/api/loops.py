"""The limit on loops: a model whose loop does not end raises instead of hanging."""

from __future__ import annotations

from lite import _core
from lite.api import arguments


def set_loop_limit(limit: int) -> None:
    """How often a ``while`` and the loops inside it may run their blocks in one run of the model.

    0 restores the default, 2**20. A run that exceeds it raises LiteError.
    """
    count = arguments.integer(limit, "the loop limit")
    if not 0 <= count < 1 << 62:
        raise ValueError(f"the loop limit is {count}, expected 0 or more iterations")
    _core.set_loop_limit(count or _core.DEFAULT_LOOP_LIMIT)


def loop_limit() -> int:
    """How often a ``while`` and the loops inside it may run their blocks."""
    return _core.loop_limit()
