"""What a report holds: for every operator its place and why, for every subgraph what it is and
costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class Kind(str, Enum):
    """Why an operator is not on the device, in one word."""

    UNSUPPORTED = "unsupported"
    DRIVER = "driver"
    CONFIG = "config"
    SMALL = "small"
    ORDER = "order"
    TRANSFERS = "transfers"
    NO_COMPUTE = "no_compute"
    SHAPE = "shape_arithmetic"
    CONTROL = "control"
    CONSTANT = "constant"
    FOLDED = "folded"
    RUNTIME = "runtime"


CPU, DEVICE, FOLDED = "cpu", "device", "folded"

FALLBACKS = frozenset({Kind.UNSUPPORTED, Kind.DRIVER, Kind.RUNTIME})
"""Kinds that nobody asked for: with ``strict`` they are errors."""


def on_cpu(devices: Iterable[str], asked: Iterable[str]) -> bool:
    """Whether these devices are the CPU that nobody asked for."""
    return set(devices) <= {"CPU", "builtin_device"} - set(asked)


def counted(count: int, word: str) -> str:
    """A number and its noun, as in ``1 operator`` and ``2 operators``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


@dataclass
class OperatorPlace:
    """One operator of the program before fusion. ``index`` is its position in its block.

    ``compute`` counts multiply-adds. ``place`` is ``device``, ``cpu`` or ``folded`` (computed or
    removed when the model was optimised); ``kind`` and ``reason`` say why it is not on the device.
    An index of -1 stands for an operator that the optimizer made. ``device`` is known when the
    subgraph has been compiled.
    """

    block: int
    index: int
    type: str
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    attributes: dict[str, str] = field(default_factory=dict)
    place: str = CPU
    device: str = ""
    subgraph: int | None = None
    kind: Kind | None = None
    reason: str = ""
    compute: int = 0

    @property
    def label(self) -> str:
        """The operator's type and position, as in ``conv2d#12`` or ``relu#1/3`` (block 1)."""
        where = f"{self.block}/" if self.block else ""
        return f"{self.type}#{where}{self.index if self.index >= 0 else '-'}"

    def outputs_text(self) -> str:
        """The names of the outputs."""
        return ", ".join(name for names in self.outputs.values() for name in names)

    @property
    def is_io(self) -> bool:
        """Whether the operator only stands for an input or output of the program."""
        return self.type in ("feed", "fetch")


@dataclass
class Crossing:
    """A tensor that enters or leaves a subgraph; unknown dimensions are -1 and count 1 in bytes."""

    name: str
    dtype: str
    shape: list[int]
    bytes: int

    @property
    def type_text(self) -> str:
        """Element type and shape, as in ``fp32[1x3x224x224]``; ? is an unknown dimension."""
        return f"{self.dtype}[{'x'.join('?' if dim < 0 else str(dim) for dim in self.shape)}]"


@dataclass
class FailedAttempt:
    """Devices that could not compile a subgraph together, and why."""

    devices: list[str]
    error: str


@dataclass
class CompileOutcome:
    """How compilations of a subgraph ended, one for each set of input shapes; equal ones count.

    ``devices`` are those that run its programs, ``["CPU"]`` where no device took it and empty where
    compiling failed altogether; ``failed`` is what was tried before them.
    """

    devices: list[str]
    compilations: int
    runs: int
    failed: list[FailedAttempt] = field(default_factory=list)

    @property
    def reason(self) -> str:
        """Why it did not go to the devices that were tried first."""
        return "; ".join(f"{', '.join(some.devices)}: {some.error}" for some in self.failed)


@dataclass
class SubgraphInfo:
    """One subgraph. The fields from ``devices`` on are filled while it is compiled and run.

    ``sub_block`` is its block in the optimised program, ``operators`` are positions in
    ``Placement.operators``, ``compute`` counts multiply-adds. Times are milliseconds, ``run_ms`` is
    the sum of all runs. ``padded_runs`` of them had inputs that were padded to a declared shape,
    the latest by the share ``padding``. ``devices`` and ``fallback`` are of the program that ran
    last; ``outcomes`` has all of them, the latest used first, and ``programs`` is their number.
    """

    id: int
    block: int
    operators: list[int]
    inputs: list[Crossing]
    outputs: list[Crossing]
    weights: int = 0
    compute: int = 0
    sub_block: int | None = None
    devices: list[str] = field(default_factory=list)
    compile_ms: float | None = None
    run_ms: float | None = None
    runs: int = 0
    padded_runs: int = 0
    padding: float = 0
    cache_hit: bool | None = None
    fallback: str = ""
    programs: int = 0
    outcomes: list[CompileOutcome] = field(default_factory=list)

    def outcome_texts(self, asked: Iterable[str], *, reasons: bool = True) -> list[str]:
        """Each outcome as in ``2 of 3 programs on npu (12 runs)``; ``asked``: the devices wanted.

        Empty where all programs came about alike. Those of outcomes that were dropped are one more
        text.
        """
        if not self.outcomes or (len(self.outcomes) == 1 and self.outcomes[0].devices):
            return []
        texts = []
        for some in self.outcomes:
            because = f" because: {some.reason}" if some.failed and reasons else ""
            if some.devices:
                count = f"{some.compilations:,} of {counted(self.programs, 'program')}"
                where = "the CPU" if on_cpu(some.devices, asked) else ", ".join(some.devices)
                texts.append(f"{count} on {where} ({counted(some.runs, 'run')}){because}")
            else:
                texts.append(f"{counted(some.compilations, 'compilation')} failed{because}")
        kept = [some for some in self.outcomes if some.devices]
        if rest := self.programs - sum(some.compilations for some in kept):
            runs = counted(self.runs - sum(some.runs for some in kept), "run")
            count = f"{rest:,} of {counted(self.programs, 'program')}"
            texts.append(f"{count} no longer known ({runs})")
        return texts

    @property
    def bytes_in(self) -> int:
        """Bytes that go to the device in a run."""
        return sum(item.bytes for item in self.inputs)

    @property
    def bytes_out(self) -> int:
        """Bytes that come back in a run."""
        return sum(item.bytes for item in self.outputs)


@dataclass(repr=False)
class Places:
    """The whole report, which the modules of this folder render.

    ``model`` is the model's name where it has one, ``tensors`` has types and shapes by name.
    ``judged`` says, by device, what decided in its driver's place, where that was so.
    """

    devices: list[str] = field(default_factory=list)
    operators: list[OperatorPlace] = field(default_factory=list)
    subgraphs: list[SubgraphInfo] = field(default_factory=list)
    config: str = ""
    warnings: list[str] = field(default_factory=list)
    model: str = ""
    tensors: dict[str, str] = field(default_factory=dict)
    judged: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}{f' of {self.model}' if self.model else ''}: {self.summary()}>"
        )

    def on_device(self) -> list[OperatorPlace]:
        """The operators that run on a device."""
        return [op for op in self.operators if op.place == DEVICE]

    def fallbacks(self) -> list[OperatorPlace]:
        """The operators that run on the CPU although nobody asked for that."""
        return [op for op in self.operators if op.place == CPU and op.kind in FALLBACKS]

    def find(self, sub_block: int) -> SubgraphInfo | None:
        """The subgraph whose operators stand in that block of the optimised program."""
        return next((info for info in self.subgraphs if info.sub_block == sub_block), None)

    def fell_back(self, subgraph: int, reason: str) -> None:
        """Notes that a subgraph runs on the CPU after all, and why."""
        info = self.subgraphs[subgraph]
        info.fallback = reason
        info.devices = []
        for position in info.operators:
            op = self.operators[position]
            op.place, op.kind, op.reason = CPU, Kind.RUNTIME, reason

    def summary(self) -> str:
        """The report in one line."""
        listed = [op for op in self.operators if not op.is_io and op.place != FOLDED]
        on = sum(op.place == DEVICE for op in listed)
        devices = self._device_counts(listed) or ", ".join(self.devices) or "the device"
        return (
            f"{on} of {counted(len(listed), 'operator')} on {devices} in "
            f"{counted(len(self.subgraphs), 'subgraph')}, {len(listed) - on} on the CPU"
        )

    @property
    def bytes_moved(self) -> int:
        """Bytes that go to and from devices in a run."""
        return sum(info.bytes_in + info.bytes_out for info in self.subgraphs)

    def compute_share(self) -> float | None:
        """The share of the multiply-adds that devices do; None where nothing is known of them."""
        total = sum(op.compute for op in self.operators if op.place != FOLDED)
        return sum(op.compute for op in self.on_device()) / total if total else None

    def reasons(self) -> list[tuple[str, int]]:
        """Why operators are on the CPU, and how many each reason keeps there; most first."""
        listed = [op for op in self.operators if not op.is_io and op.place != FOLDED]
        counts = Counter(op.reason for op in listed if op.reason)
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

    def _device_counts(self, listed: list[OperatorPlace]) -> str:
        """How many operators each of several devices runs; empty until that is known."""
        counts = dict.fromkeys(self.devices, 0)
        counts.update(Counter(op.device for op in listed if op.place == DEVICE))
        unknown = counts.pop("", 0)
        if len(self.devices) < 2 or not any(counts.values()):
            return ""
        texts = [f"{count} on {name.replace(', ', ' and ')}" for name, count in counts.items()]
        return f"devices ({', '.join([*texts, *([f'{unknown} unknown'] if unknown else [])])})"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain lists and dictionaries."""
        found = asdict(self)
        for op in found["operators"]:
            op["kind"] = op["kind"].value if op["kind"] else None
        for info, source in zip(found["subgraphs"], self.subgraphs, strict=True):
            info["bytes_in"], info["bytes_out"] = source.bytes_in, source.bytes_out
        found["summary"] = self.summary()
        return found

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The report that ``to_dict`` gave."""
        operators = [
            OperatorPlace(**{**op, "kind": Kind(op["kind"]) if op["kind"] else None})
            for op in data["operators"]
        ]
        subgraphs = []
        for info in data["subgraphs"]:
            fields = {k: v for k, v in info.items() if k not in ("bytes_in", "bytes_out")}
            fields["inputs"] = _crossings(info["inputs"])
            fields["outputs"] = _crossings(info["outputs"])
            fields["outcomes"] = _outcomes(info.get("outcomes", ()))
            subgraphs.append(SubgraphInfo(**fields))
        return cls(
            list(data["devices"]),
            operators,
            subgraphs,
            data["config"],
            list(data["warnings"]),
            data.get("model", ""),
            dict(data.get("tensors", {})),
            dict(data.get("judged", {})),
        )


def _crossings(items: Iterable[dict[str, Any]]) -> list[Crossing]:
    return [Crossing(**item) for item in items]


def _outcomes(items: Iterable[dict[str, Any]]) -> list[CompileOutcome]:
    return [
        CompileOutcome(**{**item, "failed": [FailedAttempt(**some) for some in item["failed"]]})
        for item in items
    ]
