"""Runs the conformance checks of a device and sums them up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lite.errors import DeviceError
from lite.nnadapter.conformance.crash import crash_of

OUTCOMES = ("pass", "fail", "not emitted", "not taken", "unsupported")
# No check takes longer, unless the device hangs.
_TIMEOUT = 300.0


@dataclass(frozen=True)
class Result:
    """One check: `outcome` is one of OUTCOMES, `text` says why.

    ``not emitted``: a failure at operands in a form that no model of Paddle gives (`emitted.py`).
    ``not taken``: a device without validate_program did not compile it.
    """

    section: str
    name: str
    outcome: str
    text: str = ""
    operation: str = ""
    dtype: str = ""


def run_suite(
    device: str,
    *,
    properties: str = "",
    modules: Sequence[str] = (),
    only: str = "",
    precision: str = "",
    progress: Callable[[Result], None] | None = None,
) -> list[Result]:
    """All checks whose name contains `only`, judged by what the device computes in: `precision`, or
    what a HAL in Python says. DeviceError where the device cannot be opened."""
    results: list[Result] = []
    start = 0
    while True:
        begun: dict[str, Any] | None = None
        arguments = [device, properties, ",".join(modules), str(start), only, precision]
        for line in _answers(arguments, first=start == 0):
            if "start" in line:
                begun = line
            elif begun is not None and ("outcome" in line or "died" in line):
                results.append(_result(begun, line))
                if progress:
                    progress(results[-1])
                if "outcome" in line:
                    begun = None
        if begun is None:
            return results
        start = int(begun["start"]) + 1


def _result(begun: dict[str, Any], line: dict[str, Any]) -> Result:
    """Of a check and what it came to, or what its worker died of."""
    outcome, text = line.get("outcome", "fail"), line.get("text", line.get("died", ""))
    if outcome == "fail" and begun["unlike"]:
        outcome, text = "not emitted", f"{text} ({begun['unlike']})"
    labels = {k: v for k, v in begun.items() if k in Result.__dataclass_fields__}
    return Result(**labels, outcome=outcome, text=text)


def _answers(arguments: list[str], first: bool) -> Iterator[dict[str, Any]]:
    """The worker's lines; {"died": text} where it ended too early."""
    command = [sys.executable, "-m", f"{__package__}.worker", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as worker:
        log = _Tail(worker)
        timer = _Timer(worker)
        assert worker.stdout is not None
        lines = 0
        for text in worker.stdout:
            timer.restart()
            line = json.loads(text)
            lines += 1
            yield line
            if line.get("end"):
                timer.stop()
                return
        timer.stop()
        worker.wait()
        crash = crash_of(log.lines())
        where = f" in {crash.callback}" if crash.callback else ""
        reason = f"{_reason(worker.returncode, timer.fired)}{where}: {crash.text()}"
        if lines == 0 and first:
            raise DeviceError(f"device {arguments[0]}: {reason}")
        yield {"died": reason}


def _reason(code: int, hung: bool) -> str:
    if hung:
        return f"no answer for {_TIMEOUT:.0f} s"
    if code < 0:
        return f"the process died of {signal.Signals(-code).name}"
    return f"the process ended with code {code}"


class _Tail:
    """The last lines of a process's stderr, read so that it never blocks."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._lines: deque[str] = deque(maxlen=200)
        self._thread = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._thread.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            self._lines.append(line.strip())

    def lines(self) -> list[str]:
        """All that is kept."""
        self._thread.join(2)
        return list(self._lines)


class _Timer:
    """Kills a process that is silent too long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.fired = False
        self._timer = self._started()

    def _started(self) -> threading.Timer:
        timer = threading.Timer(_TIMEOUT, self._fire)
        timer.daemon = True
        timer.start()
        return timer

    def restart(self) -> None:
        """Counts from now."""
        self._timer.cancel()
        self._timer = self._started()

    def _fire(self) -> None:
        self.fired = True
        self._process.send_signal(signal.SIGABRT)  # it says where it is
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def stop(self) -> None:
        """Counts no more."""
        self._timer.cancel()


def totals(results: Sequence[Result]) -> dict[str, int]:
    """How many checks had each outcome."""
    return {o: sum(r.outcome == o for r in results) for o in OUTCOMES}


def matrix(results: Sequence[Result]) -> str:
    """A table: an operation a row, an element type a column, pass/fail/unsupported in a cell."""
    cells: dict[tuple[str, str], dict[str, int]] = {}
    for result in results:
        if result.section == "operations":
            cell = cells.setdefault((result.operation, result.dtype), dict.fromkeys(OUTCOMES, 0))
            cell[result.outcome] += 1
    types = sorted({dtype for _, dtype in cells}, key=lambda t: (t != "float32", t))
    rows = [["operation", *types]]
    for name in sorted({operation for operation, _ in cells}):
        rows.append([name, *(_cell(cells.get((name, dtype))) for dtype in types)])
    for result in results:
        if result.section == "behaviour":
            rows.append([result.name, result.outcome])
    widths = [max(len(r[i]) for r in rows if i < len(r)) for i in range(max(map(len, rows)))]
    lines = []
    for row in rows:
        columns = (text.ljust(width) for text, width in zip(row, widths, strict=False))
        lines.append("  ".join(columns).rstrip())
    return "\n".join(lines)


def _cell(counts: dict[str, int] | None) -> str:
    if counts is None:
        return "."
    if not any(counts[outcome] for outcome in OUTCOMES[:3]):
        return "not taken" if counts["not taken"] else "unsupported"
    parts = [f"{counts[o]} {o}" for o in OUTCOMES if counts[o]]
    return ", ".join(parts)


def as_json(device: str, results: Sequence[Result]) -> dict[str, Any]:
    """For machines: totals and every check."""
    return {
        "device": device,
        "totals": totals(results),
        "operations": sorted(
            {r.operation for r in results if r.section == "operations" and r.outcome == "pass"}
        ),
        "checks": [asdict(result) for result in results],
    }
