"""Every operator of a model on a device against a reference: with all before it, and alone."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass, field
from typing import Any

from lite.api.build import Source
from lite.api.compare.child import PARALLEL, Runner
from lite.api.compare.difference import Difference, Limit, worst
from lite.api.compare.flat import DeviceOperator
from lite.api.compare.workbench import RESTORED, Settings, Verdict, Workbench
from lite.core.partition import Placement
from lite.core.partition.placement import OperatorPlace

OUTPUTS, PREFIXES = "outputs", "prefixes"
_ENDED = ("crash", "hang")
_NOT_REACHED = "an operator before it ends the process"


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
class Comparison:
    """The whole report. ``how`` says how intermediate results were had: outputs or prefixes."""

    model: str
    devices: list[str]
    reference: str
    limit: Limit
    whole: Column
    operators: list[ComparedOperator]
    placement: Placement
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

    def table(self) -> str:
        """The report as text."""
        from lite.api.compare.render import table

        return table(self)

    def json(self) -> str:
        """The report as JSON; numbers that JSON lacks are texts."""
        from lite.api.compare.render import to_json

        return to_json(self)

    def html(self) -> str:
        """The report as one HTML page, the graph coloured by error."""
        from lite.api.compare.render import html

        return html(self)

    def __repr__(self) -> str:
        return f"<Comparison: {self.summary()}>"

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        from lite.report.html import framed

        return framed(self.html())


def compare(
    model: str | Source,
    settings: Settings,
    *,
    prefixes: bool = False,
    runner: Runner | None = None,
) -> Comparison:
    """Compares every operator of a model on a device with a reference.

    Intermediate results are had by making them outputs of the subgraphs; where that changes what
    the model computes, where it fails, or with ``prefixes``, by compiling the model up to each
    operator. ``runner`` has the child processes, where some are there already. Raises what reading
    the model and running the reference raise.
    """
    source = model if isinstance(model, Source) else Source(model)
    with contextlib.nullcontext(runner) if runner else Runner() as children:
        return _Compare(Workbench(source, settings, children), prefixes).run()


class _Compare:
    def __init__(self, bench: Workbench, prefixes: bool) -> None:
        self.bench = bench
        self.prefixes = prefixes
        self.cached = False
        self.of_owner: dict[int, list[DeviceOperator]] = {}
        for op in bench.flat.operators:
            self.of_owner.setdefault(op.owner, []).append(op)

    def run(self) -> Comparison:
        bench = self.bench
        settings = bench.settings
        whole = bench.whole()
        self.cached = whole.run == RESTORED  # then it must be looked for there
        found = Comparison(
            *(bench.name, list(settings.devices), settings.reference, bench.limit),
            _column(whole),
            [op for at in bench.flat.positions() if (op := self._row(at)) is not None],
            bench.flat.placement,
            runs=[run.label for run in bench.runs],
            notes=bench.notes(),
        )
        rows = {at: row for at in bench.flat.positions() if (row := self._find(found, at))}
        found.how = self._entire(rows, whole, found.notes)
        self._single(rows)
        return found

    def _row(self, at: int) -> ComparedOperator | None:
        place = self.bench.flat.places[at]
        if place is None:
            return None
        return ComparedOperator(place, self.bench.flat.results(at))

    def _find(self, found: Comparison, at: int) -> ComparedOperator | None:
        place = self.bench.flat.places[at]
        return next((row for row in found.operators if row.place is place), None)

    def _entire(self, rows: dict[int, ComparedOperator], whole: Verdict, notes: list[str]) -> str:
        if not self.prefixes:
            verdict = self._everything_at_once()
            why = self._unlike(verdict, whole)
            if not why:
                for row in rows.values():
                    row.entire = _of(row, verdict, self.bench.limit)
                return OUTPUTS
            notes.append(why)
        owners = [at for at in rows if at in self.of_owner]
        verdicts = self._prefixes(owners)
        for at, verdict in zip(owners, verdicts, strict=False):
            rows[at].entire = _column(verdict)
        for at in owners[len(verdicts) :]:
            rows[at].entire = Column(wrong=_NOT_REACHED, status="not reached")
        return PREFIXES

    def _everything_at_once(self) -> Verdict:
        bench = self.bench
        at = bench.flat.positions()
        names = [name for name in bench.flat.everything() if name in bench.known]
        piece = bench.piece(at[0], at[-1], bench.flat.operators, fetches=names)
        return bench.test(piece, cached=self.cached)

    def _unlike(self, verdict: Verdict, whole: Verdict) -> str:
        """Why the intermediate outputs do not show what the model does."""
        if verdict.status != "ok":
            return f"with intermediate outputs: {verdict.wrong}; prefixes were compiled instead"
        if verdict.left:
            return f"with intermediate outputs {verdict.left[0]}; prefixes were compiled instead"
        outputs = self.bench.program.fetch_names()
        limit = self.bench.limit
        wrong = any(
            some.wrong(limit) for name, some in verdict.differences.items() if name in outputs
        )
        if wrong != any(some.wrong(limit) for some in whole.differences.values()):
            return (
                "with intermediate outputs the model's outputs are "
                f"{'wrong' if wrong else 'right'}, without them they are not; prefixes were "
                "compiled instead"
            )
        return ""

    def _prefixes(self, owners: list[int]) -> list[Verdict]:
        bench = self.bench
        begin = bench.flat.positions()[0]
        pieces = [
            bench.piece(
                *(begin, at, [op for op in bench.flat.operators if op.owner <= at]),
                fetches=[name for name in bench.flat.results(at) if name in bench.known],
            )
            for at in owners
        ]
        verdicts: list[Verdict] = []
        for at in range(0, len(pieces), PARALLEL):
            verdicts += bench.test_all(pieces[at : at + PARALLEL], cached=self.cached)
            if any(verdict.status in _ENDED for verdict in verdicts):
                break  # what follows contains the same operator
        return verdicts

    def _single(self, rows: dict[int, ComparedOperator]) -> None:
        owners = [at for at in rows if at in self.of_owner]
        pieces = [self.bench.piece(at, at, self.of_owner[at], echo=True) for at in owners]
        for at, verdict in zip(
            owners, self.bench.test_all(pieces, cached=self.cached), strict=True
        ):
            row = rows[at]
            if verdict.left and not verdict.wrong:
                row.note = f"not taken alone: {verdict.left[0]}"
            else:
                row.single = _column(verdict)


def _column(verdict: Verdict) -> Column:
    some = worst(verdict.differences.values())
    return Column(some, verdict.wrong, verdict.status, verdict.run)


def _of(row: ComparedOperator, verdict: Verdict, limit: Limit) -> Column | None:
    """An operator's part of a verdict on all."""
    some = worst(verdict.differences[n] for n in row.outputs if n in verdict.differences)
    if some is None:
        return None
    return Column(some, some.wrong(limit))
