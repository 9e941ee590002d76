"""What a profile holds: operators with their times, and their calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from statistics import fmean, median
from typing import NamedTuple

import numpy as np

from lite.api.profile.peak import MachinePeak
from lite.core.partition.cost import multiply_adds

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
class ProfileData:
    """What the operators of a predictor did in a few runs; the modules of this folder render it.

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
