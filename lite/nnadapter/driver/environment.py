"""What devices in Python ask of the process: what the user set, and whether it was forked."""

from __future__ import annotations

import os
from collections.abc import Collection

from lite.errors import DeviceError
from lite.nnadapter.hal import Hal


def setting(hal: Hal, name: str) -> str:
    """A property of the context, or the environment variable of the same name; empty where neither
    is set."""
    return getattr(hal, "properties", {}).get(name) or os.environ.get(name, "")


def refuse_fork(library: str, used_in: Collection[int]) -> None:
    """Raises DeviceError where a library's threads were left behind in another process: whoever
    waited for them would wait for ever."""
    process = os.getpid()
    if any(other != process for other in list(used_in)):
        raise DeviceError(
            f"{library} was used before this process was forked and cannot be used in the child; "
            "fork first, or start a fresh process (multiprocessing 'spawn')"
        )
