"""The line that says how far work is: on terminals, after a second, and gone at the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import time

import pytest

from lite.report import progress
from lite.report.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_silent_when_not_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    file = io.StringIO()
    with Progress("work", file=file):
        time.sleep(0.05)
    assert file.getvalue() == ""


def test_short_work_says_nothing() -> None:
    file = Terminal()
    with Progress("work", file=file):
        pass
    assert file.getvalue() == ""


def test_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PERIOD", 0.01)
    file = Terminal()
    with pytest.raises(KeyError), Progress("runs", 4, file=file) as line:
        line.step()
        time.sleep(0.1)
        line.step(2, "last runs")
        time.sleep(0.1)
        raise KeyError
    said = file.getvalue()
    assert (
        "runs [#####...............] 25 %" in said and "last runs [###############.....] 75" in said
    )
    assert "s left" in said and said.endswith("\r\033[K")


def test_text() -> None:
    line = Progress("reading")
    assert line.text() == "reading: 0 s"
    line.goto(3, 3)
    assert line.text() == "reading [####################] 100 %, 0 s"


def test_on_a_real_terminal() -> None:
    script = (
        "import time; from lite.report import progress as p; p._PATIENCE = 0\n"
        "with p.Progress('optimising'): time.sleep(0.5)"
    )
    main, terminal = pty.openpty()
    done = subprocess.run([sys.executable, "-c", script], stderr=terminal, stdout=subprocess.PIPE)
    os.close(terminal)
    said = os.read(main, 10000).decode()
    os.close(main)
    assert done.returncode == 0 and done.stdout == b"" and "optimising: 0 s" in said
