"""A profile: the operators of a predictor's runs, with their times."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from lite import _core
from lite.api import arguments
from lite.api.profile.data import Event, OperandInfo, OperatorProfile, ProfileData
from lite.api.profile.peak import MachinePeak
from lite.errors import ConfigError

_MAX_RUNS = 1_000_000
_PRECISIONS = {1: "float32", 2: "int8", 3: "int32", 4: "any", 5: "float16", 6: "bool", 7: "int64"}
_PRECISIONS |= {8: "int16", 9: "uint8", 10: "float64"}


class Profile(ProfileData):
    """What the operators of a predictor did in a few runs; ``table()``, ``json()``, ``trace()`` and
    ``html()`` render it.
    """

    def with_peak(self, peak: MachinePeak | None = None) -> Profile:
        """The same beside the machine's limits, which are measured now where none are given."""
        return replace(self, peak=peak or MachinePeak.measure(self.threads))

    def table(self) -> str:
        """The operators as text, the slowest first."""
        from lite.api.profile.table import table

        return table(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the events, for JSON."""
        from lite.api.profile.table import to_dict

        return to_dict(self)

    def json(self) -> str:
        """Everything but the events as JSON."""
        return json.dumps(self.to_dict(), indent=1) + "\n"

    def trace(self) -> str:
        """The events as a trace that Chrome (chrome://tracing) and Perfetto show."""
        from lite.api.profile.trace import trace

        return trace(self)

    def html(self, title: str = "Profile") -> str:
        """A page that needs no network: a timeline, the roofline and the operators."""
        from lite.api.profile.html import html

        return html(self, title)

    def __repr__(self) -> str:
        return f"Profile({len(self.operators)} operators, {self.runs} runs, {self.ms:.3f} ms)"


def record(
    core: _core.Predictor,
    inputs: list[tuple[np.ndarray[Any, Any], list[list[int]]]],
    runs: int,
    warmup: int,
) -> Profile:
    """Runs a predictor's core and says what its operators did; no inputs: those that are set."""
    runs = arguments.integer(runs, "runs")
    warmup = arguments.integer(warmup, "warmup")
    for name, count, least in (("runs", runs, 1), ("warmup", warmup, 0)):
        if not least <= count <= _MAX_RUNS:
            raise ConfigError(f"{name} is {count}, expected {least} to {_MAX_RUNS}")
    found = _core.profile(core, inputs, warmup, runs)
    return _Reader(found, core.threads()).read()


class _Reader:
    """Makes operators of records: one that runs in two blocks is two."""

    def __init__(self, found: _core.RunRecord, threads: int) -> None:
        self._found = found
        self._records = found.records
        self._profile = Profile(threads, _core.isa_name(), [], [], [], found.dropped)
        self._known: dict[tuple[int, int | None], int] = {}

    def read(self) -> Profile:
        """The profile."""
        rows = self._found.events()
        lengths = rows[:, 3] - rows[:, 2]
        inside = rows[:, 1] >= 0
        within = np.bincount(rows[inside, 1], lengths[inside], len(rows)).astype(np.int64)
        own = np.maximum(lengths - within, 0)
        number_of_runs = int((~inside).sum())
        begin = int(rows[0, 2])
        run = -1
        events: list[int | None] = []  # by row: its event
        for row, (index, parent, start, end) in enumerate(rows.tolist()):
            event = None if parent < 0 else events[parent]
            if index < 0 or (parent >= 0 and event is None):
                events.append(None)  # it failed, and something else was done in its place
                continue
            events.append(len(self._profile.events))
            operator = None
            if parent < 0:
                run += 1
                self._profile.run_ns.append(end - start)
            else:
                assert event is not None
                operator = self._operator(index, self._profile.events[event].operator)
                op = self._profile.operators[operator]
                op.run_ns = op.run_ns or [0] * number_of_runs
                op.run_ns[run] += int(own[row])
                op.calls += 1
            self._profile.events.append(Event(operator, event, run, start - begin, end - begin))
        return self._profile

    def _operator(self, index: int, parent: int | None) -> int:
        operators = self._profile.operators
        at = self._known.setdefault((index, parent), len(operators))
        if at == len(operators):
            depth = 0 if parent is None else operators[parent].depth + 1
            operators.append(_described(self._records[index], parent, depth))
        return at


def _described(found: _core.OperatorRecord, parent: int | None, depth: int) -> OperatorProfile:
    return OperatorProfile(
        found.kind,
        found.type,
        found.where,
        parent,
        depth,
        _PRECISIONS.get(found.precision, "any"),
        found.layout,
        found.alias,
        found.algorithm,
        found.reason,
        [_tensor(item) for item in found.inputs],
        [_tensor(item) for item in found.outputs],
        found.steps,
    )


def _tensor(found: _core.TensorRecord) -> OperandInfo:
    return OperandInfo(found.slot, found.shape, found.dtype, found.layout, found.constant)
