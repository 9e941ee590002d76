"""Runs jobs from stdin, each in a fork of this process: no device sees what another one left.

Jobs and outcomes are pickles, between a process and its own child only.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import select
import signal
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from typing import BinaryIO

from lite.api.compare.execute import execute
from lite.api.compare.jobs import Job, Outcome
from lite.core.partition import PartitionRequest, partition
from lite.errors import LiteError
from lite.model.naive_buffer import program_bytes
from lite.model.program import BlockDesc, OpDesc, Program
from lite.nnadapter.devices import OWN, ensure_devices

_TAIL = 3


def main() -> int:
    """Serves until stdin ends."""
    questions, answers = (
        Connection(os.dup(0), writable=False),
        Connection(os.dup(1), readable=False),
    )
    os.dup2(2, 1)  # what a device prints does not belong to the answers
    _import_all()
    while True:
        try:
            limit, job = questions.recv()
        except EOFError:
            return 0
        with contextlib.suppress(LiteError):  # the fork says what is wrong
            ensure_devices(set(OWN).intersection(job.devices))
        answer = _in_a_fork(job, limit)
        try:
            answers.send_bytes(answer)
        except BrokenPipeError:
            return 0


def _import_all() -> None:
    """What every job imports, so that no fork does it again. No device is touched."""
    program = Program([BlockDesc(ops=[OpDesc("relu", {"X": ["x"]}, {"Out": ["y"]})])])
    request = PartitionRequest(("none",), check=lambda *_: {})
    program_bytes(partition(program, request)[0])


def _in_a_fork(job: Job, limit: float) -> bytes:
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            os.close(reader)
            _child(job, writer, log)
        os.close(writer)
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            data, hung = _read(pipe, time.monotonic() + limit)
        if hung:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if data and not hung:
            return data
        outcome = Outcome("hang", f"no answer within {limit:g} s")
        if not hung:
            outcome = Outcome("crash", _death(status) + _tail(log))
        return pickle.dumps(outcome)


def _child(job: Job, writer: int, log: BinaryIO) -> None:
    code = 1
    try:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        faulthandler.enable(log.fileno(), all_threads=False)
        data = pickle.dumps(execute(job))
        with os.fdopen(writer, "wb") as file:
            file.write(data)
        code = 0
    finally:
        os._exit(code)


def _read(pipe: BinaryIO, until: float) -> tuple[bytes, bool]:
    """All that the child writes, and whether its time ran out before it was done."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return b"", True
        part = os.read(pipe.fileno(), 1 << 20)
        if not part:
            return b"".join(parts), False
        parts.append(part)


def _death(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"the process died of {signal.Signals(os.WTERMSIG(status)).name}"
    return f"the process ended with code {os.WEXITSTATUS(status)}"


def _tail(log: BinaryIO) -> str:
    """The last lines that the child wrote before the stack that faulthandler shows."""
    with contextlib.suppress(OSError):
        log.seek(0)
        text = log.read()[-20000:].decode(errors="replace")
        said = text.partition("Fatal Python error")[0].strip().splitlines()[-_TAIL:]
        return "".join(f"; {line.strip()}" for line in said)
    return ""


if __name__ == "__main__":
    sys.exit(main())
