"""A line on the terminal that says how far a long piece of work is."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

_PATIENCE = 1.0
"""Seconds of work that nobody needs to be told of."""
_PERIOD = 0.2


class Progress:
    """While the block runs, a line on stderr with the work's name, its share and its seconds.

    Only on a terminal, only after a second, and gone when the block ends: what is piped or logged
    never sees it. ``total`` is how many steps there are, 0 where that is not known.

    >>> with Progress("runs", total=30) as progress:
    ...     progress.step()
    """

    def __init__(self, what: str, total: int = 0, *, file: TextIO | None = None) -> None:
        self._what, self._total, self._done = what, total, 0
        self._file = sys.stderr if file is None else file
        self._start = time.perf_counter()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Progress:
        if self._file is not None and self._file.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def step(self, count: int = 1, what: str = "") -> None:
        """So many steps more are done; ``what`` is done from now on."""
        self._done += count
        self._what = what or self._what

    def goto(self, done: int, total: int) -> None:
        """So many steps are done, of so many."""
        self._done, self._total = done, total

    def text(self) -> str:
        """The line."""
        seconds = time.perf_counter() - self._start
        if not self._total:
            return f"{self._what}: {seconds:.0f} s"
        share = self._done / self._total
        filled = round(20 * min(share, 1.0))
        bar = "#" * filled + "." * (20 - filled)
        left = f", {seconds / share - seconds:.0f} s left" if share and share < 1 else ""
        return f"{self._what} [{bar}] {100 * share:.0f} %, {seconds:.0f} s{left}"

    def _show(self) -> None:
        if self._ended.wait(_PATIENCE):
            return
        while True:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{self.text()[:width]}", end="", file=self._file, flush=True)
            if self._ended.wait(_PERIOD):
                break
        print("\r\033[K", end="", file=self._file, flush=True)
