"""The operators that go wrong on a device, found by halving."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass, field
from typing import Any

from lite.api.build import Source
from lite.api.compare.child import Runner
from lite.api.compare.difference import Limit
from lite.api.compare.flat import DeviceOperator, Piece
from lite.api.compare.reproduction import write_reproduction, write_summary
from lite.api.compare.search import Fault, Searcher
from lite.api.compare.workbench import Settings, Verdict, Workbench
from lite.core.partition.config_text import config_line
from lite.report.places import OperatorPlace, counted

MOST = 10
"""Faults after which bisect gives up: then the device, not an operator, is wrong."""

_SEVERAL = 3
"""Faults of one type of operators after which all of that type are tried."""


@dataclass
class Culprit:
    """One operator that goes wrong, or several that go wrong together but not alone.

    ``line`` keeps on the CPU what must stay there. ``reproduced`` says whether the operators go
    wrong in a program of their own, ``folder`` holds that program.
    """

    operators: list[OperatorPlace]
    line: str
    wrong: str
    status: str = "ok"
    run: str = ""
    reproduced: bool = False
    folder: str = ""

    @property
    def label(self) -> str:
        """The operators' labels."""
        return " + ".join(op.label for op in self.operators)


@dataclass
class Bisection:
    """What was found. ``verified``: with ``config`` the model was run again, and was right, with
    ``remaining`` of its ``operators`` on the device.

    ``compilations`` found and verified it; ``confirmations`` tried the reproductions.
    """

    model: str
    devices: list[str]
    reference: str
    limit: Limit
    operators: int
    wrong: str
    status: str = "ok"
    run: str = ""
    culprits: list[Culprit] = field(default_factory=list)
    config: str = ""
    verified: bool = False
    remaining: int = 0
    compilations: int = 0
    confirmations: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the model is right on the device as it is."""
        return not self.wrong

    def summary(self) -> str:
        """The answer in one line."""
        where = f"{self.model} on {', '.join(self.devices)}"
        if self.ok:
            return f"{where}: right within {self.limit}"
        run = f", {self.run}" if self.run else ""
        names = ", ".join(culprit.label for culprit in self.culprits) or "no operator alone"
        end = "right without" if self.verified else "not right without"
        count = counted(self.compilations, "compilation")
        return f"{where}: {self.wrong}{run}. At fault: {names} ({count}; {end})"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain lists and dictionaries."""
        found = asdict(self)
        for culprit, source in zip(found["culprits"], self.culprits, strict=True):
            culprit["operators"] = [op.label for op in source.operators]
        return {"summary": self.summary(), **found}

    def json(self) -> str:
        """The report as JSON."""
        from lite.api.compare.render import as_json_text

        return as_json_text(self.to_dict())

    def table(self) -> str:
        """The report as text."""
        lines = [self.summary(), *(f"note: {text}" for text in self.notes)]
        for culprit in self.culprits:
            run = f" ({culprit.run})" if culprit.run else ""
            lines += ["", f"{culprit.label}: {culprit.wrong}{run}"]
            if culprit.folder:
                alone = "alone" if culprit.reproduced else "not alone"
                lines.append(f"  goes wrong {alone}: {culprit.folder}")
            lines.append(f"  {culprit.line}")
        if self.culprits:
            end = f"right, with {self.remaining} of {self.operators} operators on the device"
            end = end if self.verified else "still wrong"
            lines += ["", f"with this partition config the model is {end}:"]
            lines += [f"  {line}" for line in self.config.splitlines()]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"<Bisection: {self.summary()}>"

    def __str__(self) -> str:
        return self.table()


def bisect(
    model: str | Source,
    settings: Settings,
    *,
    folder: str = "",
    most: int = MOST,
    runner: Runner | None = None,
) -> Bisection:
    """Finds the operators that go wrong on a device, and the config lines that avoid them.

    Halves the operators on the device; each half runs with the reference's values. With ``folder``
    a program that reproduces each fault is written there. ``runner`` has the child processes, where
    some are there already. Raises what reading the model and running the reference raise.
    """
    source = model if isinstance(model, Source) else Source(model)
    with contextlib.nullcontext(runner) if runner else Runner() as children:
        bench = Workbench(source, settings, children)
        found = _Bisect(bench, most).run(folder)
        if folder and found.culprits:
            write_summary(found.config, found.table(), folder)
        return found


class _Bisect:
    def __init__(self, bench: Workbench, most: int) -> None:
        self.bench = bench
        self.most = most

    def run(self, folder: str) -> Bisection:
        bench, settings = self.bench, self.bench.settings
        whole = bench.whole()
        found = Bisection(
            *(bench.name, list(settings.devices), settings.reference, bench.limit),
            *(len(bench.flat.operators), whole.wrong, whole.status, whole.run),
            notes=bench.notes(),
        )
        if whole.wrong and bench.flat.operators:
            self._search(found, whole, folder)
        found.compilations = bench.compilations - found.confirmations
        return found

    def _search(self, found: Bisection, whole: Verdict, folder: str) -> None:
        searcher = Searcher(self.bench, whole)
        while len(found.culprits) < self.most:
            fault = searcher.find()
            if fault is None:
                found.notes.append(
                    "no part of the model goes wrong by itself: errors that are small in each "
                    "operator may add up; see lite compare"
                )
                break
            verdict = self._without(found, fault.operators[-1])
            before, last = self.bench.compilations, fault.operators[-1]
            searcher.confirm(fault)
            kept = fault.operators[-1]  # without it the others are right: the group is minimal
            if kept is not last:
                verdict = self._without(found, kept)
            found.confirmations += self.bench.compilations - before
            culprit = self._culprit(fault, kept, whole)
            found.culprits.append(culprit)
            found.config = self._config(found, [])
            searcher.exclude(kept)
            if folder:
                culprit.folder = self._reproduce(fault, culprit, folder, len(found.culprits))
            if not verdict.wrong:
                found.verified, found.remaining = True, verdict.taken
                return
            if self._is_a_type(found, kept.place.type):
                return
            whole = searcher.whole = verdict
        else:
            found.notes.append(
                f"gave up after {counted(self.most, 'fault')}; keep a whole type of operators on "
                "the CPU by a line with its name alone"
            )

    def _is_a_type(self, found: Bisection, kind: str) -> bool:
        """Whether all is right without a type of operators that was at fault several times."""
        same = [culprit for culprit in found.culprits if culprit.operators[-1].type == kind]
        if len(same) != _SEVERAL:
            return False
        config = self._config(found, [kind])
        verdict = self.bench.whole(config)
        if verdict.wrong:
            return False
        found.config, found.verified, found.remaining = config, True, verdict.taken
        found.notes.append(
            f"{_SEVERAL} of the {kind} operators are wrong, and all is right without any of them: "
            f"the config keeps every {kind} on the CPU; lite compare shows which ones are wrong"
        )
        return True

    def _without(self, found: Bisection, operator: DeviceOperator) -> Verdict:
        """The model with one more operator on the CPU."""
        return self.bench.whole(self._config(found, [config_line(operator.place)]))

    def _config(self, found: Bisection, lines: list[str]) -> str:
        known = [culprit.line for culprit in found.culprits]
        head = [self.bench.settings.config.rstrip("\n")] if self.bench.settings.config else []
        name = f"# model: {self.bench.name}"
        return "\n".join([*(head or [name]), *dict.fromkeys([*known, *lines])]) + "\n"

    def _culprit(self, fault: Fault, kept: DeviceOperator, whole: Verdict) -> Culprit:
        verdict = fault.verdict or whole
        return Culprit(
            [op.place for op in fault.operators],
            config_line(kept.place),
            *(verdict.wrong, verdict.status, verdict.run),
            reproduced=fault.verdict is not None,
        )

    def _reproduce(self, fault: Fault, culprit: Culprit, folder: str, number: int) -> str:
        piece: Piece = fault.piece
        return write_reproduction(self.bench, piece, culprit.label, culprit.wrong, folder, number)
