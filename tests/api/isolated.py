"""Runs functions in a forked child, so that a crash or a hang is an outcome, not an end."""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from lite.errors import LiteError

ALLOWED = (
    LiteError, FileNotFoundError, PermissionError, MemoryError,
    TypeError, ValueError, IndexError, KeyError,
)  # fmt: skip
"""What wrong use may raise."""


@dataclass(frozen=True)
class Outcome:
    """``kind`` is "ok", "raised" (of ALLOWED), "failed" (anything else), "signal" or "hang"."""

    kind: str
    text: str = ""

    @property
    def defined(self) -> bool:
        return self.kind in ("ok", "raised")


def _allowed(error: BaseException) -> bool:
    # A subclass of ValueError such as UnicodeEncodeError is one; so is json's, numpy's AxisError.
    return isinstance(error, ALLOWED) and not isinstance(error, AssertionError)


def _outcome(function: Callable[[], object]) -> tuple[str, str]:
    try:
        return "ok", repr(function())[:2000]
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
        if _allowed(error):
            return "raised", said
        return "failed", f"{said}\n{traceback.format_exc()[-1500:]}"


def _child(functions: Sequence[Callable[[], object]], write: int) -> None:
    with os.fdopen(write, "wb", buffering=0) as pipe:
        for function in functions:
            said = pickle.dumps(_outcome(function))
            pipe.write(len(said).to_bytes(4, "little") + said)
    os._exit(0)


def run_many(functions: Sequence[Callable[[], object]], seconds: float = 10) -> list[Outcome]:
    """What became of each function: one after the other in a child, and in a new child after each
    that crashed it or took more than ``seconds``."""
    outcomes: list[Outcome] = []
    while len(outcomes) < len(functions):
        outcomes += _run_child(functions[len(outcomes) :], seconds)
    return outcomes


def run_isolated(function: Callable[[], object], seconds: float = 10) -> Outcome:
    """What became of ``function`` in a child of its own."""
    return run_many([function], seconds)[0]


def _run_child(functions: Sequence[Callable[[], object]], seconds: float) -> list[Outcome]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _child(functions, write)
    os.close(write)
    outcomes: list[Outcome] = []
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while len(outcomes) < len(functions):
            said = _read(pipe, seconds)
            if said is None:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return [*outcomes, Outcome("hang", f"no end after {seconds} s")]
            if not said:
                break
            outcomes.append(Outcome(*pickle.loads(said)))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return [*outcomes, Outcome("signal", signal.Signals(os.WTERMSIG(status)).name)]
    if len(outcomes) < len(functions):
        outcomes.append(Outcome("failed", f"exit status {status}"))
    return outcomes


def _read(pipe: BinaryIO, seconds: float) -> bytes | None:
    """One message; empty at the end of the pipe, None when it takes too long."""
    data, size, end = b"", 4, time.monotonic() + seconds
    while len(data) < size:
        ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return None
        chunk = pipe.read(size - len(data))
        if not chunk:
            return b""
        data += chunk
        if len(data) == 4 == size:
            size += int.from_bytes(data, "little")
    return data[4:]
