"""Processes that run jobs for this one, and survive what devices do."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import cast

from lite.api.compare.jobs import Job, Outcome
from lite.errors import LiteError

PARALLEL = 2
"""Jobs that run at the same time."""


class _Server:
    def __init__(self) -> None:
        paths = [path for path in sys.path if path]
        (read_question, write_question), (read_answer, write_answer) = os.pipe(), os.pipe()
        self._questions = Connection(write_question, readable=False)
        self._answers = Connection(read_answer, writable=False)
        with open(read_question, "rb") as questions, open(write_answer, "wb") as answers:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lite.api.compare.server"],
                stdin=questions,
                stdout=answers,
                start_new_session=True,  # Ctrl-C is for this process, which ends them
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )

    def ask(self, job: Job, limit: float) -> Outcome:
        try:
            self._questions.send((limit, job))
            return cast(Outcome, self._answers.recv())
        except (EOFError, BrokenPipeError):
            code = self._process.wait()
            raise LiteError(f"the process that runs devices ended with code {code}") from None

    def close(self) -> None:
        """Ends it and what it runs."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._questions.close()
        self._answers.close()


class Runner:
    """Runs jobs in children, at most PARALLEL at a time."""

    def __init__(self, parallel: int = PARALLEL) -> None:
        self._parallel = parallel
        self._idle: queue.SimpleQueue[_Server | None] = queue.SimpleQueue()
        for _ in range(parallel):
            self._idle.put(None)

    def run(self, job: Job, limit: float) -> Outcome:
        """The outcome of one job, which may take ``limit`` seconds."""
        server = self._idle.get()
        try:
            server = server or _Server()
            return server.ask(job, limit)
        except BaseException:
            if server is not None:
                server.close()
                server = None
            raise
        finally:
            self._idle.put(server)

    def close(self) -> None:
        """Ends the children."""
        for _ in range(self._parallel):
            server = self._idle.get()
            if server is not None:
                server.close()
        for _ in range(self._parallel):
            self._idle.put(None)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
