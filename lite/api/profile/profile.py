"""A profile: the operators of a predictor's runs, with their times."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import prod
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np

from lite import _core
from lite.api import arguments
from lite.api.profile.peak import MachinePeak
from lite.core.partition.cost import multiply_adds
from lite.errors import ConfigError

_MAX_RUNS = 1_000_000
_PRECISIONS = {1: "float32", 2: "int8", 3: "int32", 4: "any", 5: "float16", 6: "bool", 7: "int64"}
_PRECISIONS |= {8: "int16", 9: "uint8", 10: "float64"}

_READS_PART = frozenset(
    """
gather gather_nd index_sample index_select lookup_table lookup_table_v2 shape slice strided_slice
take_along_axis
""".split()
)
"""Operators that read no more of an input than they write."""


@dataclass(frozen=True)
class OperandInfo:
    """An input or output of an operator; the operands of folded steps have no slot."""

    slot: str
    shape: tuple[int, ...]
    dtype: str
    layout: str
    """``nchw``, or ``nhwc`` where the planner keeps the tensor so; the shape is N, C, H, W."""
    constant: bool

    @property
    def bytes(self) -> int:
        """What the elements take."""
        return prod(self.shape) * np.dtype(self.dtype).itemsize

    def __str__(self) -> str:
        return f"{self.dtype}[{'x'.join(map(str, self.shape))}]"


@dataclass
class OperatorProfile:
    """An operator with the shapes that it had, in all recorded runs."""

    kind: str
    """``operator``; ``block`` for one that runs a block or a device; ``planning`` of new shapes."""
    type: str
    where: str
    """Its place in the program; empty for what the planner inserted."""
    parent: int | None
    """Position in ``Profile.operators`` of the block that it ran in."""
    depth: int
    precision: str
    layout: str
    alias: str
    algorithm: str
    """Of kernels that know several: ``winograd_4``, ``depthwise``, ``packed``, ..."""
    reason: str
    inputs: list[OperandInfo]
    outputs: list[OperandInfo]
    steps: list[str]
    """The elementwise operators that the planner folded into this one."""
    calls: int = 0
    """In all runs together."""
    run_ns: list[int] = field(default_factory=list)
    """Nanoseconds in each run, without those of the operators that it ran."""

    @property
    def inserted(self) -> bool:
        """The planner added it: the program has no such operator."""
        return self.kind == "operator" and not self.where

    @property
    def label(self) -> str:
        """The type, or what else took time."""
        return self.type or self.kind

    @property
    def ms(self) -> float:
        """Milliseconds of a run: the median of all, the mean where some did without it."""
        middle = median(self.run_ns) if all(self.run_ns) else fmean(self.run_ns)
        return middle / 1e6

    @property
    def calls_per_run(self) -> float:
        """How often it runs; more than once in a loop."""
        return self.calls / len(self.run_ns)

    @property
    def flops(self) -> int:
        """Of one call: two for each multiply-add, direct convolutions assumed."""
        if self.kind != "operator" or not self.outputs:
            return 0
        shapes: dict[str, list[Sequence[int]]] = {}
        for tensor in self.inputs:
            shapes.setdefault(tensor.slot, []).append(tensor.shape)
        found = multiply_adds(self.type, lambda slot: shapes.get(slot, []), self.outputs[0].shape)
        return 2 * found

    @property
    def bytes(self) -> int:
        """Of one call: what it has to read and write at least, weights included."""
        if self.kind != "operator":
            return 0
        written = sum(tensor.bytes for tensor in self.outputs)
        read = [tensor.bytes for tensor in self.inputs]
        if self.type in _READS_PART:
            read = [min(size, written) for size in read]
        return written + sum(read)

    @property
    def gflops(self) -> float:
        """Billions of operations a second."""
        return self.flops * self.calls_per_run / (self.ms * 1e6) if self.ms > 0 else 0.0

    def roof_share(self, peak: MachinePeak) -> float | None:
        """The roofline's time over the operator's; 1 is as fast as the machine can. None: unknown.

        More than 1 is no mistake: Winograd needs fewer operations, and data may come from a cache
        that is nearer than the working set suggests.
        """
        if self.kind != "operator" or self.ms <= 0:
            return None
        return peak.nanoseconds(self.flops, self.bytes) * self.calls_per_run / (self.ms * 1e6)

    @property
    def kernel(self) -> str:
        """The kernel in words: layout, precision where it is not float32, alias, algorithm."""
        if self.kind != "operator":
            return ""
        words = [self.layout if self.layout != "any" else ""]
        words.append(self.precision if self.precision not in ("float32", "any") else "")
        words += [self.alias if self.alias != "def" else "", self.algorithm]
        return " ".join(filter(None, words)) or "any"


class Event(NamedTuple):
    """A call of an operator; a run has the operator None."""

    operator: int | None
    parent: int | None
    run: int
    start_ns: int
    """From the beginning of the first run."""
    end_ns: int


@dataclass
class Profile:
    """What the operators of a predictor did in a few runs.

    Times are those of the runs, which recording makes longer by about a microsecond an operator.
    """

    threads: int
    isa: str
    run_ns: list[int]
    """Nanoseconds of each run."""
    operators: list[OperatorProfile]
    """In the order in which they first ran."""
    events: list[Event]
    dropped: int = 0
    """Events beyond the limit of 2^18, whose times are their blocks'."""
    peak: MachinePeak | None = None

    @property
    def runs(self) -> int:
        """Recorded runs."""
        return len(self.run_ns)

    @property
    def ms(self) -> float:
        """Milliseconds of a run, the median of all."""
        return median(self.run_ns) / 1e6

    @property
    def operators_ms(self) -> float:
        """What the operators take of it: shares are of this."""
        return sum(op.ms for op in self.operators)

    @property
    def flops(self) -> float:
        """Of a run."""
        return sum(op.flops * op.calls_per_run for op in self.operators)

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
