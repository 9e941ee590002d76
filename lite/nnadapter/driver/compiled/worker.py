"""A vendor's toolkit in a process of its own: asked over a socket, ended with ours at latest."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled import worker_process

START_SECONDS = 120
_LAST_WORDS = 600
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Refused(Exception):  # noqa: N818
    """The toolkit raised: its reason."""


class WorkerEnded(Exception):  # noqa: N818
    """The toolkit crashed, hung or said nonsense: how, and its last words."""


class Worker:
    """Questions to a toolkit; the next one after a crash or a hang starts a new process.

    ``python`` is the toolkit's interpreter, ``tool`` the file with a function a question (see
    ``worker_process``).
    """

    def __init__(self, python: str, tool: Path) -> None:
        self._command = [python, "-I", worker_process.__file__]
        self._tool = str(tool)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._log: IO[bytes] | None = None
        _all.add(self)

    def ask(
        self, name: str, arguments: Any = None, blobs: Sequence[bytes] = (), seconds: float = 300
    ) -> tuple[Any, list[bytes]]:
        """An answer and its blobs.

        Raises Refused with what the toolkit raised, WorkerEnded where it ended or was silent for
        ``seconds``, DeviceError where it does not start.
        """
        with self._lock:
            if self._channel is None:
                self._start()
            assert self._channel is not None and self._log is not None
            os.ftruncate(self._log.fileno(), 0)
            return self._exchange(seconds, [name, arguments], blobs)

    def stop(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            self._end()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self._log = TemporaryFile(buffering=0)  # noqa: SIM115 - closed by _end
        fcntl.fcntl(self._log, fcntl.F_SETFL, os.O_APPEND)  # it is cut before each question
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [*self._command, str(theirs.fileno()), self._tool],
                    stdin=subprocess.DEVNULL,
                    stdout=self._log,
                    stderr=self._log,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # the user's Ctrl-C is ours to handle
                )
            except OSError as error:
                ours.close()
                raise DeviceError(f"{self._command[0]} does not start: {error}") from None
        self._channel = ours
        try:
            self._exchange(START_SECONDS)
        except (Refused, WorkerEnded) as error:
            self._end()
            raise DeviceError(
                f"the toolkit in {self._command[0]} does not start: {error}"
            ) from None

    def _exchange(
        self, seconds: float, question: Any = None, blobs: Sequence[bytes] = ()
    ) -> tuple[Any, list[bytes]]:
        assert self._channel is not None
        self._channel.settimeout(seconds)
        try:
            if question is not None:
                worker_process.send(self._channel, question, blobs)
            head, made = worker_process.receive(self._channel)
            if not isinstance(head, dict) or len(head) != 1:
                raise ValueError("no answer")
        except (OSError, EOFError, ValueError) as error:
            raise WorkerEnded(self._last_words(error, seconds)) from None
        except BaseException:  # an interrupt leaves half of a message in the socket
            self._end()
            raise
        if "error" in head:
            raise Refused(str(head["error"]))
        return head["answer"], made

    def _last_words(self, error: Exception, seconds: float) -> str:
        """Ends the process and says how it ended."""
        log = self._log
        assert log is not None
        code = self._end(keep_log=True)
        with log:
            log.seek(0)
            words = _COLOURS.sub("", log.read().decode(errors="replace")).strip()
        if isinstance(error, TimeoutError):
            how = f"it was silent for {seconds:.0f} s"
        elif isinstance(error, ValueError):
            how = "what it answered is no message"
        elif code is not None and code > 128:
            how = f"it died of {_signal_name(code - 128)}"
        else:
            how = f"its process ended with code {code}"
        return f"{how}; its last words: {words[-_LAST_WORDS:]}" if words else how

    def _end(self, keep_log: bool = False) -> int | None:
        """The exit code of the process, which has a moment to end by itself."""
        process, self._process = self._process, None
        channel, self._channel = self._channel, None
        log, self._log = self._log, None
        if log is not None and not keep_log:
            log.close()
        if channel is not None:
            channel.close()
        if process is None:
            return None
        try:
            return process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def _forget(self) -> None:
        """In a forked child: the process is the parent's."""
        self._lock = threading.Lock()
        if self._channel is not None:
            self._channel.close()
        self._process = self._channel = self._log = None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _after_fork() -> None:
    for worker in list(_all):
        worker._forget()


_all: weakref.WeakSet[Worker] = weakref.WeakSet()
os.register_at_fork(after_in_child=_after_fork)
