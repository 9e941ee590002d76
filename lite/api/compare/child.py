"""Processes that run jobs for this one, and survive what devices do."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
from typing import cast

from lite.api.compare.jobs import Job, Outcome
from lite.api.compare.wire import receive, send
from lite.errors import LiteError

PARALLEL = 2
"""Jobs that run at the same time."""


class _Server:
    def __init__(self) -> None:
        paths = [path for path in sys.path if path]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lite.api.compare.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for this process, which ends them
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )

    def ask(self, job: Job, limit: float) -> Outcome:
        assert self._process.stdin is not None and self._process.stdout is not None
        send(self._process.stdin, pickle.dumps((limit, job)))
        data = receive(self._process.stdout)
        if data is None:
            raise LiteError(f"the process that runs devices ended with code {self._process.wait()}")
        return cast(Outcome, pickle.loads(data))

    def close(self) -> None:
        """Ends it and what it runs."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.close()


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
