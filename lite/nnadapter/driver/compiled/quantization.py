"""Int8: what programs were given, from which a vendor's quantiser finds the ranges of numbers, and
which of their layers stay in floats.

A program in int8 is compiled from a plan alone, which ``lite quantize`` makes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from lite.errors import DeviceError
from lite.nnadapter.model import Array

PRECISIONS = ("fp16", "int8")


@dataclass(frozen=True)
class Calibrated:
    """What a vendor's quantiser made of a model, by the inputs that it was given."""

    model: bytes
    layers: tuple[str, ...]
    """That can be int8, by the quantiser's names and in the order in which they are computed."""
    may_stay: tuple[str, ...]
    """Those of them that can as well stay in floats."""

    def with_floats(self, kept: Sequence[str]) -> bytes:
        """What a program is built of: a line with the layers that stay in floats, then the rest."""
        return json.dumps(sorted(kept)).encode() + b"\n" + self.model


Runner = Callable[[Sequence[Array]], list[Array]]


@dataclass
class Recorded:
    """A program in floats, what it was given, and who quantises and builds it."""

    calibrate: Callable[[Sequence[Sequence[Array]]], Calibrated]
    build: Callable[[bytes], Runner]
    """From `Calibrated.with_floats`."""
    samples: list[list[Array]] = field(default_factory=list)


@dataclass
class _State:
    recorded: dict[str, Recorded] | None = None
    plans: dict[str, bytes] = field(default_factory=dict)


_state = _State()


def precision_key(device: str) -> str:
    """The property that asks for one of `PRECISIONS`."""
    return f"{device.upper()}_PRECISION"


def key_of(model: bytes) -> str:
    """What stands for the ONNX of a program."""
    return sha256(model).hexdigest()


@contextmanager
def recording() -> Iterator[dict[str, Recorded]]:
    """What programs are given meanwhile, by `key_of`."""
    recorded: dict[str, Recorded] = {}
    _state.recorded = recorded
    try:
        yield recorded
    finally:
        _state.recorded = None


@contextmanager
def planned(plans: dict[str, bytes]) -> Iterator[None]:
    """Programs are built in int8 by these plans meanwhile: `Calibrated.with_floats` by `key_of`;
    nothing for those that stay in floats."""
    _state.plans = plans
    try:
        yield
    finally:
        _state.plans = {}


def is_int8(model: bytes) -> bool:
    """Whether this is `Calibrated.with_floats`, and no ONNX."""
    return model.startswith(b"[")


def is_recording() -> bool:
    """Whether somebody wants what programs in floats are given."""
    return _state.recorded is not None


def record(key: str, program: Callable[[], Recorded], inputs: Sequence[Array]) -> None:
    """Keeps a copy of what a program is given, while somebody records."""
    if _state.recorded is not None:
        known = _state.recorded.get(key) or _state.recorded.setdefault(key, program())
        known.samples.append([array.copy() for array in inputs])


def plan_of(model: bytes) -> bytes:
    """Of which a model is built where int8 is wished for: a plan of it, or itself where that is to
    stay in floats. Raises DeviceError where nobody made a plan."""
    plan = _state.plans.get(key_of(model))
    if plan is None:
        raise DeviceError("int8 needs data to find its ranges by: lite quantize compiles it")
    return plan or model
