"""What a check of lite doctor found, and how checks ask a process that may die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

OK, WARNING, WRONG = "ok", "warning", "wrong"
_TIMEOUT = 120


@dataclass(frozen=True)
class Finding:
    """One line of the report. ``do`` says how to mend it; only ``wrong`` makes the exit code 1."""

    check: str
    state: str
    says: str
    do: str = ""


def ask(script: str, *words: str) -> Any:
    """The JSON value that a script prints last, run by this Python with this search path.

    Raises ChildError where it ends without one.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    try:
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONPATH": path},
            timeout=_TIMEOUT,
        )
    except subprocess.TimeoutExpired:
        raise ChildError(f"no answer for {_TIMEOUT} s") from None
    if done.returncode < 0:
        raise ChildError(f"the process dies of {signal.Signals(-done.returncode).name}")
    lines = done.stdout.splitlines()
    try:
        return json.loads(lines[-1])
    except (IndexError, json.JSONDecodeError):
        said = done.stderr.strip().splitlines()
        text = said[-1] if said else f"the process ended with code {done.returncode}"
        raise ChildError(text) from None


class ChildError(Exception):
    """A process that was asked something failed; the text is its last line."""
