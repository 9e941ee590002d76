"""What a comparison holds: each operator's columns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from lite.api.compare.difference import Difference, Limit
from lite.report.places import OperatorPlace, Places

OUTPUTS, PREFIXES, BISECTED = "outputs", "prefixes", "bisected prefixes"


@dataclass
class Column:
    """What one way of running an operator gave; ``difference`` is of its worst output and run.

    ``wrong`` is a sentence, empty where it is right; ``status`` ok, error, crash, hang or
    not reached.
    """

    difference: Difference | None = None
    wrong: str = ""
    status: str = "ok"
    run: str = ""


@dataclass
class ComparedOperator:
    """An operator: *entire* is its result in the model, *single* that of it alone.

    ``single`` is None for operators on the CPU, and where the device does not take it alone.
    """

    place: OperatorPlace
    outputs: list[str]
    entire: Column | None = None
    single: Column | None = None
    note: str = ""

    @property
    def on_device(self) -> bool:
        """Whether the operator runs on a device."""
        return self.place.kind is None and self.place.subgraph is not None


@dataclass
class ComparisonData:
    """The whole report, which render.py renders. ``how`` says how intermediate results were had:
    as outputs, by the model up to each operator, or up to those that finding the first wrong one
    takes."""

    model: str
    devices: list[str]
    reference: str
    limit: Limit
    whole: Column
    operators: list[ComparedOperator]
    placement: Places
    how: str = OUTPUTS
    runs: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def wrong(self) -> list[ComparedOperator]:
        """The operators that are wrong by themselves."""
        return [op for op in self.operators if op.single is not None and op.single.wrong]

    @property
    def ok(self) -> bool:
        """Whether the model and each of its operators are right."""
        return not self.whole.wrong and not self.wrong()

    def summary(self) -> str:
        """The answer in one line."""
        where = f"{self.model} on {', '.join(self.devices)} against {self.reference}"
        if self.ok:
            first = next((op for op in self.operators if op.entire and op.entire.wrong), None)
            rest = f", though {first.place.label} is not within it" if first else ""
            return f"{where}: right within {self.limit}{rest}"
        names = [op.place.label for op in self.wrong()]
        alone = f"wrong alone: {', '.join(names)}" if names else "no operator is wrong alone"
        model = f"the model is wrong ({self.whole.wrong})" if self.whole.wrong else "outputs right"
        return f"{where}: {model}; {alone}"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain lists and dictionaries."""
        operators = [
            {
                "label": op.place.label,
                "type": op.place.type,
                "place": "device" if op.on_device else "cpu",
                "subgraph": op.place.subgraph if op.on_device else None,
                "outputs": op.outputs,
                "entire": None if op.entire is None else asdict(op.entire),
                "single": None if op.single is None else asdict(op.single),
                "note": op.note,
            }
            for op in self.operators
        ]
        return {
            "summary": self.summary(),
            "model": self.model,
            "devices": self.devices,
            "reference": self.reference,
            "limit": asdict(self.limit),
            "whole": asdict(self.whole),
            "how": self.how,
            "runs": self.runs,
            "notes": self.notes,
            "operators": operators,
        }
