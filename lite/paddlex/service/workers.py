"""The process that forks the workers and the front, and replaces those that end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lite.paddlex.service import front

_FRONT = "front"
_TOO_SOON = 2.0
_HOPELESS = 5
"""Processes that end within ``_TOO_SOON`` seconds, so many in turn, will not run."""


@dataclass
class _Child:
    name: str
    started: float


class Service:
    """``workers`` forks that serve ``made`` on sockets of their own, behind a front."""

    def __init__(
        self, listening: socket.socket, workers: int, made: Callable[[socket.socket], None]
    ) -> None:
        self._listening = listening
        self._count = workers
        self._made = made
        self._mains: dict[str, Callable[[], None]] = {}
        self._children: dict[int, _Child] = {}
        self._early = 0
        self._stopping = False
        self._code = 0
        # Its other end closes when this process ends, however it does.
        self._alive = os.pipe()

    def run(self) -> int:
        """Until SIGTERM or SIGINT; the exit code."""
        with tempfile.TemporaryDirectory(prefix="lite-serve-") as folder:
            # They stay open here: who connects while a worker is replaced waits for the next.
            paths = [str(Path(folder, f"worker-{k}")) for k in range(self._count)]
            for number, path in enumerate(paths):
                listening = socket.socket(socket.AF_UNIX)
                listening.bind(path)
                listening.listen(64)
                self._mains[f"worker {number}"] = partial(self._made, listening)
            self._mains[_FRONT] = partial(front.serve, self._listening, paths)
            before = [signal.signal(n, self._stop) for n in (signal.SIGTERM, signal.SIGINT)]
            for name in self._mains:
                self._start(name)
            host, port = self._listening.getsockname()[:2]
            print(f"{self._count} workers behind http://{host}:{port}", flush=True)
            while self._children:
                self._wait()
            signal.signal(signal.SIGTERM, before[0])
            signal.signal(signal.SIGINT, before[1])
        return self._code

    def _start(self, name: str) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            self._child(self._mains[name])
        self._children[pid] = _Child(name, time.monotonic())
        if self._stopping:  # the signal came between the fork and this line
            self._tell([pid])

    def _child(self, main: Callable[[], None]) -> None:
        code = 1
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._alive[1])
            threading.Thread(target=_end_with, args=(self._alive[0],), daemon=True).start()
            main()
            code = 0
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _wait(self) -> None:
        pid, status = os.waitpid(-1, 0)
        child = self._children.pop(pid, None)
        if child is None or self._stopping:
            if child is not None and child.name == _FRONT:
                self._tell(self._children)
            return
        how = os.waitstatus_to_exitcode(status)
        soon = time.monotonic() - child.started < _TOO_SOON
        self._early = self._early + 1 if soon else 0
        end = f"signal {-how}" if how < 0 else f"exit code {how}"
        print(f"lite serve: {child.name} (process {pid}) ended: {end}", file=sys.stderr, flush=True)
        if self._early >= _HOPELESS:
            print(
                f"lite serve: its {_HOPELESS}th end in turn: giving up", file=sys.stderr, flush=True
            )
            self._code = 1
            self._stop()
            return
        self._start(child.name)

    def _stop(self, *_: Any) -> None:
        """The front first, which waits for its answers; a second time all at once."""
        again, self._stopping = self._stopping, True
        front = [pid for pid, child in self._children.items() if child.name == _FRONT]
        self._tell(self._children if again or not front else front)

    def _tell(self, pids: Iterable[int]) -> None:
        for pid in list(pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _end_with(pipe: int) -> None:
    """Ends this process when the other end of the pipe is closed."""
    os.read(pipe, 1)
    os._exit(1)
