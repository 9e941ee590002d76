"""Every operator of a model on a device against a reference: with all before it, and alone."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace

from lite.api.build import Source
from lite.api.compare.child import PARALLEL, Runner
from lite.api.compare.data import (
    BISECTED,
    OUTPUTS,
    PREFIXES,
    Column,
    ComparedOperator,
    ComparisonData,
)
from lite.api.compare.difference import Limit, worst
from lite.api.compare.flat import DeviceOperator, Piece
from lite.api.compare.workbench import RESTORED, Settings, Verdict, Workbench
from lite.core.partition import Placement
from lite.errors import ConfigError
from lite.report.places import counted
from lite.report.progress import Progress

_ENDED = ("crash", "hang")
_INSTEAD = "prefixes were compiled instead, those that find the first wrong one"
_NOT_REACHED = "an operator before it ends the process"


class Comparison(ComparisonData):
    """The whole report; ``table()``, ``json()`` and ``html()`` render it."""

    placement: Placement

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

    Intermediate results are had by making them outputs of the subgraphs. Where that fails, or
    changes what the model computes, the model is compiled up to the operators between which a
    bisection finds the first wrong one; with ``prefixes``, up to each. ``runner`` has the child
    processes, where some are there already. Raises what reading the model and running the reference
    raise.
    """
    source = model if isinstance(model, Source) else Source(model)
    with contextlib.nullcontext(runner) if runner else Runner() as children:
        return _Compare(Workbench(source, settings, children), prefixes).run()


class _Compare:
    def __init__(self, bench: Workbench, prefixes: bool) -> None:
        self.bench = bench
        self.prefixes = prefixes
        self.cached = False
        self.until = time.monotonic() + bench.settings.at_most
        self.of_owner: dict[int, list[DeviceOperator]] = {}
        for op in bench.flat.operators:
            self.of_owner.setdefault(op.owner, []).append(op)

    def run(self) -> Comparison:
        with Progress("the whole model") as self.progress:
            return self._run()

    def _run(self) -> Comparison:
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
        if not rows:
            raise ConfigError(f"no operator's name contains {settings.only!r}")
        found.how = self._entire(rows, whole, found.notes)
        self._single(rows, found.notes)
        return found

    def _now(self, what: str) -> None:
        self.progress.goto(0, 0)
        self.progress.step(0, what)

    def _row(self, at: int) -> ComparedOperator | None:
        place = self.bench.flat.places[at]
        if place is None or self.bench.settings.only not in place.label:
            return None
        return ComparedOperator(place, self.bench.flat.results(at))

    def _find(self, found: Comparison, at: int) -> ComparedOperator | None:
        place = self.bench.flat.places[at]
        return next((row for row in found.operators if row.place is place), None)

    def _entire(self, rows: dict[int, ComparedOperator], whole: Verdict, notes: list[str]) -> str:
        if not self.prefixes:
            self._now("all results at once")
            own = self.bench.program.fetch_names()
            wanted = [name for row in rows.values() for name in row.outputs]
            verdict = self._results_of(list(dict.fromkeys([*wanted, *own])))
            why = self._unlike(verdict, whole)
            if not why:
                for row in rows.values():
                    row.entire = _of(row, verdict, self.bench.limit)
                return OUTPUTS
            notes.append(why)
        owners = [at for at in rows if at in self.of_owner]
        if not self.prefixes:
            self._now("the first wrong prefix")
            for at, verdict in self._first_wrong(owners).items():
                rows[at].entire = _column(verdict)
            return BISECTED
        verdicts = self._every_prefix(owners)
        for at, verdict in zip(owners, verdicts, strict=False):
            rows[at].entire = _column(verdict)
        for at in owners[len(verdicts) :]:
            rows[at].entire = Column(wrong=_NOT_REACHED, status="not reached")
        return PREFIXES

    def _results_of(self, outputs: list[str]) -> Verdict:
        """Of the model with these outputs; by every other one where that fails: compilers have
        limits, and lose one of two outputs that are equal."""
        bench = self.bench
        at, known = bench.flat.positions(), [name for name in outputs if name in bench.known]
        piece = bench.piece(at[0], at[-1], bench.flat.operators, fetches=known)
        verdict = bench.test(piece, cached=self.cached)
        if verdict.status != "error" or len(known) < 2:
            return verdict
        first = self._results_of(known[::2])
        second = self._results_of(known[1::2]) if first.status == "ok" else first
        if second.status != "ok":
            return second
        joined = {**first.differences, **second.differences}
        return replace(first if first.wrong else second, differences=joined)

    def _unlike(self, verdict: Verdict, whole: Verdict) -> str:
        """Why the intermediate outputs do not show what the model does."""
        if verdict.status != "ok":
            return f"with intermediate outputs: {verdict.wrong}; {_INSTEAD}"
        if verdict.left:
            return f"with intermediate outputs {verdict.left[0]}; {_INSTEAD}"
        outputs = self.bench.program.fetch_names()
        limit = self.bench.limit
        wrong = any(
            some.wrong(limit) for name, some in verdict.differences.items() if name in outputs
        )
        if wrong != any(some.wrong(limit) for some in whole.differences.values()):
            return (
                "with intermediate outputs the model's outputs are "
                f"{'wrong' if wrong else 'right'}, without them they are not; {_INSTEAD}"
            )
        return ""

    def _prefix(self, at: int) -> Piece:
        """The model up to an operator."""
        bench = self.bench
        return bench.piece(
            *(bench.flat.positions()[0], at, [op for op in bench.flat.operators if op.owner <= at]),
            fetches=[name for name in bench.flat.results(at) if name in bench.known],
        )

    def _first_wrong(self, owners: list[int]) -> dict[int, Verdict]:
        """Verdicts on the last prefix and, where that is wrong, those that lead to the shortest
        that is."""
        found: dict[int, Verdict] = {}

        def wrong(at: int) -> bool:
            if at not in found:
                found[at] = self.bench.test(self._prefix(at), cached=self.cached)
            return bool(found[at].wrong)

        low, high = 0, len(owners) - 1
        if owners and wrong(owners[high]):
            while low < high:
                middle = (low + high) // 2
                low, high = (low, middle) if wrong(owners[middle]) else (middle + 1, high)
        return found

    def _every_prefix(self, owners: list[int]) -> list[Verdict]:
        bench = self.bench
        pieces = [self._prefix(at) for at in owners]
        verdicts: list[Verdict] = []
        self._now("prefixes")
        for at in range(0, len(pieces), PARALLEL):
            self.progress.goto(at, len(pieces))
            some = bench.test_all(pieces[at : at + PARALLEL], cached=self.cached)
            verdicts += [verdict for verdict in some if verdict is not None]
            if any(verdict.status in _ENDED for verdict in verdicts):
                break  # what follows contains the same operator
        return verdicts

    def _single(self, rows: dict[int, ComparedOperator], notes: list[str]) -> None:
        """Each operator alone, those first whose results are wrong in the model."""
        owners = sorted((at for at in rows if at in self.of_owner), key=lambda at: _order(rows, at))
        pieces = [self.bench.piece(at, at, self.of_owner[at], echo=True) for at in owners]
        self._now("each operator alone")
        verdicts = self.bench.test_all(pieces, cached=self.cached, until=self.until)
        left = 0
        for done, (at, verdict) in enumerate(zip(owners, verdicts, strict=True), 1):
            self.progress.goto(done, len(owners))
            row = rows[at]
            if verdict is None:
                left += 1
            elif verdict.left and not verdict.wrong:
                row.note = f"not taken alone: {verdict.left[0]}"
            else:
                row.single = _column(verdict)
        if left:
            notes.append(
                f"{counted(left, 'operator')} of {len(owners)}: not run alone within "
                f"{self.bench.settings.at_most:g} s; --at_most gives more, --only chooses"
            )


def _order(rows: dict[int, ComparedOperator], at: int) -> tuple[bool, int]:
    entire = rows[at].entire
    return not (entire and entire.wrong), at


def _column(verdict: Verdict) -> Column:
    some = worst(verdict.differences.values())
    return Column(some, verdict.wrong, verdict.status, verdict.run)


def _of(row: ComparedOperator, verdict: Verdict, limit: Limit) -> Column | None:
    """An operator's part of a verdict on all."""
    some = worst(verdict.differences[n] for n in row.outputs if n in verdict.differences)
    if some is None:
        return None
    return Column(some, some.wrong(limit))
