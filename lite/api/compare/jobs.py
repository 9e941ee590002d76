"""What a child process is asked to run, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from lite.model.program import Program

if TYPE_CHECKING:
    from lite.api.compare.flat import FlatModel

Array = np.ndarray[Any, np.dtype[Any]]
Value = tuple[Array, list[list[int]]]
"""A tensor and its LoD."""

PARTITION, DEVICE, CPU, ONNXRUNTIME, PADDLE = "partition", "device", "cpu", "onnxruntime", "paddle"
REFERENCES = (CPU, ONNXRUNTIME, PADDLE)


@dataclass
class Job:
    """A program and its runs, one after the other by one predictor.

    ``engine`` is ``device``, ``partition`` or one of REFERENCES; ``partition`` runs nothing, and
    answers with the flat program. With ``forced``, all operators that ``config`` puts on the device
    go there, however little they compute. ``echoed`` are inputs that are outputs, too: a device may
    write over them.
    """

    program: Program
    runs: list[dict[str, Value]]
    engine: str = DEVICE
    model: str = ""
    devices: tuple[str, ...] = ()
    properties: str = ""
    config: str | None = None
    forced: bool = False
    cache_dir: str = ""
    echoed: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


@dataclass
class Outcome:
    """How a job ended: ``status`` is ok, error, crash or hang, ``text`` says more.

    ``results`` has the outputs of each run. ``taken`` counts operators on the device,
    ``left`` are the reasons why operators that were named for the device stayed on the CPU,
    ``changed`` inputs that a run wrote over, ``half`` is whether a device computes in 16 bits.
    """

    status: str = "ok"
    text: str = ""
    results: list[dict[str, Value]] = field(default_factory=list)
    taken: int = 0
    left: list[str] = field(default_factory=list)
    changed: list[tuple[int, str]] = field(default_factory=list)
    flat: FlatModel | None = None
    half: bool = False

    @property
    def ok(self) -> bool:
        """Whether there are results."""
        return self.status == "ok"
