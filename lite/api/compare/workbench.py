"""A model, its reference values and a device: everything that compare and bisect ask of them."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lite.api.build import Source
from lite.api.compare.child import PARALLEL, Runner
from lite.api.compare.difference import (
    HALF_SNR,
    QUANTISED_SNR,
    TOLERANCE,
    Difference,
    Limit,
    difference,
)
from lite.api.compare.flat import DeviceOperator, FlatModel, Known, Piece
from lite.api.compare.jobs import CPU, PARTITION, REFERENCES, Job, Outcome, Value
from lite.errors import ConfigError, DeviceError, LiteError
from lite.model.check import EMPTY_NAMES
from lite.model.program import Program

Inputs = Mapping[str, Any]
"""An array, or a pair (array, LoD), for each input."""


@dataclass(frozen=True)
class Settings:
    """What is compared with what.

    ``inputs`` are one or more sets of inputs; the model is run with each. ``tolerance`` is the
    error that is still right, relative to the largest number of a tensor; with ``snr`` (decibels)
    that decides instead, and where neither is given: QUANTISED_SNR for quantised models, HALF_SNR
    for devices that compute in 16 bits, TOLERANCE for all others. ``time_limit`` seconds may pass
    before a device hangs; after ``at_most`` seconds ``compare`` tries no further operator alone.
    ``modules`` are Python modules that register devices, ``variations``
    whether other numbers and batches are run, too. Operators are compared whose names, as
    ``conv2d#3``, contain ``only``.
    """

    devices: tuple[str, ...]
    inputs: Sequence[Inputs]
    reference: str = CPU
    properties: str = ""
    config: str | None = None
    tolerance: float | None = None
    snr: float | None = None
    time_limit: float = 60.0
    at_most: float = math.inf
    modules: tuple[str, ...] = ()
    variations: bool = True
    only: str = ""

    def __post_init__(self) -> None:
        if not self.devices:
            raise ConfigError("no device is named")
        if self.reference not in REFERENCES:
            raise ConfigError(
                f"reference is {self.reference!r}; expected one of {', '.join(REFERENCES)}"
            )
        if not self.inputs:
            raise ConfigError("no inputs are given; a device is compared on numbers")
        if self.tolerance is not None and self.snr is not None:
            raise ConfigError("tolerance and snr are both given; one decides")
        if not (self.time_limit > 0 and self.at_most > 0) or not (
            self.tolerance is None or self.tolerance > 0
        ):
            raise ConfigError("tolerance, time_limit and at_most must be above 0")


@dataclass(frozen=True)
class Run:
    """One of the runs that a test makes: with which inputs, and why."""

    inputs: int
    label: str


@dataclass
class Verdict:
    """What a test found: ``wrong`` is a sentence, empty where all is right.

    ``status`` is the outcome's, ``run`` the run that went wrong first, ``differences`` the worst of
    each output over all runs, ``taken`` the number of operators on the device.
    """

    wrong: str = ""
    status: str = "ok"
    run: str = ""
    differences: dict[str, Difference] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    taken: int = 0


RESTORED = "restored from the cache"
_REFERENCE_LIMIT = 1800.0


class Workbench:
    """Partitions the model, computes the reference, and tests pieces on the device."""

    def __init__(self, source: Source, settings: Settings, runner: Runner) -> None:
        self.settings = settings
        self.runner = runner
        self.compilations = 0
        self.name = source.name
        self.program = source.read()
        self.flat = self._partition()
        if not self.flat.positions():
            raise ConfigError("the model has no operator that computes anything")
        self.limit = self._limit()
        self.sets: list[dict[str, Value]] = [self._feeds(given) for given in settings.inputs]
        self.results = self._reference(self.sets)
        self.runs = [Run(0, "first run"), Run(0, "second run")]
        self._vary()
        # An input that the model writes again is known as it was.
        self.values = [{**a, **b} for a, b in zip(self.results, self.sets, strict=True)]
        self.known = self._known()

    def _run(self, job: Job) -> Outcome:
        limit = self.settings.time_limit
        if job.engine in REFERENCES:  # these do not hang, but may take their time
            limit = max(limit, _REFERENCE_LIMIT)
        return self.runner.run(job, limit)

    # -- Preparing.

    def _job(self, program: Program, runs: list[dict[str, Value]], **more: Any) -> Job:
        settings = self.settings
        return Job(
            replace(program, sources={}),
            runs,
            devices=settings.devices,
            properties=settings.properties,
            modules=settings.modules,
            model=self.name,
            **more,
        )

    def _partition(self) -> FlatModel:
        config = self.settings.config
        outcome = self._run(self._job(self.program, [], engine=PARTITION, config=config))
        if outcome.flat is None:
            raise DeviceError(
                f"{', '.join(self.settings.devices)} cannot be asked what it takes: {outcome.text}"
            )
        self._half = outcome.half
        return outcome.flat

    def _limit(self) -> Limit:
        settings = self.settings
        if settings.snr is None and settings.tolerance is None:
            if self.flat.is_quantised():
                return Limit(TOLERANCE, QUANTISED_SNR)
            if self._half:
                return Limit(TOLERANCE, HALF_SNR)
        return Limit(settings.tolerance or TOLERANCE, settings.snr)

    def _feeds(self, given: Inputs) -> dict[str, Value]:
        names = self.program.feed_names()
        if set(given) != set(names):
            raise KeyError(f"inputs are {', '.join(names)}; given are {', '.join(given)}")
        return {
            name: value if isinstance(value, tuple) else (np.asarray(value), [])
            for name, value in given.items()
        }

    def _reference(self, sets: list[dict[str, Value]]) -> list[dict[str, Value]]:
        """Every tensor of the flat program, for each set of inputs."""
        feeds = {name: Known(array.shape, array.dtype) for name, (array, _) in sets[0].items()}
        names = list(dict.fromkeys([*self.flat.everything(), *self._outputs()]))
        positions = self.flat.positions()
        piece = self.flat.piece(positions[0], positions[-1], [], feeds, fetches=names)
        used = [{name: feeds[name] for name in piece.feeds} for feeds in sets]
        job = self._job(piece.program, used, engine=self.settings.reference)
        outcome = self._run(job)
        if not outcome.ok:
            raise LiteError(f"the reference {self.settings.reference} fails: {outcome.text}")
        return outcome.results

    def _outputs(self) -> list[str]:
        return [n for n in dict.fromkeys(self.program.fetch_names()) if n not in EMPTY_NAMES]

    def _vary(self) -> None:
        """Adds runs with other numbers and another batch, and the first inputs at the end."""
        self.runs += [Run(at, f"inputs {at + 1}") for at in range(1, len(self.sets))]
        if not self.settings.variations:
            return
        self._try_set(_other_numbers(self.sets[0]), "other numbers")
        self._try_set(self._other_batch(), "another batch")
        self.runs.append(Run(0, "the first inputs again"))

    def _try_set(self, feeds: dict[str, Value] | None, label: str) -> None:
        """A set that the model itself refuses is left out."""
        if feeds is None:
            return
        try:
            (results,) = self._reference([feeds])
        except LiteError:
            return
        self.sets.append(feeds)
        self.results.append(results)
        self.runs.append(Run(len(self.sets) - 1, label))

    def _other_batch(self) -> dict[str, Value] | None:
        """One more of everything, where all inputs have a free first dimension."""
        declared = self.program.root.vars
        for name, (array, lod) in self.sets[0].items():
            shape = declared[name].shape if name in declared else ()
            if lod or not array.ndim or not shape or shape[0] >= 0:
                return None
        return {
            name: (np.concatenate([array, array[:1]]), [])
            for name, (array, _) in self.sets[0].items()
        }

    def _known(self) -> dict[str, Known]:
        found = {}
        for name, (array, _) in self.values[0].items():
            others = [values[name][0].shape for values in self.values[1:] if name in values]
            shape = tuple(
                size if all(len(o) == array.ndim and o[axis] == size for o in others) else -1
                for axis, size in enumerate(array.shape)
            )
            found[name] = Known(shape, array.dtype)
        return found

    def notes(self) -> list[str]:
        """What a report on this model must say whatever it finds."""
        if self.flat.operators:
            return []
        devices = ", ".join(self.settings.devices)
        return [f"no operator of the model is on {devices}; lite partition says why"]

    # -- Testing.

    def whole(self, config: str | None = None, *, cached: bool = True) -> Verdict:
        """The model as it is, with a partition config or the settings' own."""
        text = config if config is not None else self.settings.config
        program, echoed = _with_inputs_fetched(self.program)
        more = {"config": text, "echoed": echoed}
        return self._test(program, self._outputs(), self.sets, more, cached)

    def piece(
        self, first: int, last: int, on_device: Sequence[DeviceOperator], **more: Any
    ) -> Piece:
        """A program of some operators; see FlatModel.piece."""
        return self.flat.piece(first, last, on_device, self.known, **more)

    def test(self, piece: Piece, *, cached: bool = False) -> Verdict:
        """A piece, fed with what the reference computed."""
        feeds = [{name: values[name] for name in piece.feeds} for values in self.values]
        more = {"config": piece.config, "forced": True, "echoed": piece.echoed}
        return self._test(piece.program, piece.fetches, feeds, more, cached)

    def test_all(
        self, pieces: Sequence[Piece], *, cached: bool = False, until: float = math.inf
    ) -> Iterator[Verdict | None]:
        """The verdicts on pieces, in their order; two are tested at a time. None for what has not
        begun at the time ``until`` (of ``time.monotonic``)."""

        def test(piece: Piece) -> Verdict | None:
            return self.test(piece, cached=cached) if time.monotonic() < until else None

        with ThreadPoolExecutor(PARALLEL) as pool:
            yield from pool.map(test, pieces)

    def _test(
        self,
        program: Program,
        outputs: Sequence[str],
        feeds: list[dict[str, Value]],
        more: dict[str, Any],
        cached: bool,
    ) -> Verdict:
        self.compilations += 1
        runs = [feeds[run.inputs] for run in self.runs]
        with tempfile.TemporaryDirectory() as folder:
            where = folder if cached else ""
            job = self._job(program, runs, cache_dir=where, **more)
            verdict = self.judge(self._run(job), outputs, self.runs)
            if cached and not verdict.wrong:
                again = self._job(program, runs[:1], cache_dir=where, **more)
                restored = self._run(again)
                verdict = self.judge(restored, outputs, [replace(self.runs[0], label=RESTORED)])
        return verdict

    def judge(self, outcome: Outcome, outputs: Sequence[str], runs: Sequence[Run]) -> Verdict:
        """What an outcome says about the device."""
        if not outcome.ok:
            label = RESTORED if runs[0].label == RESTORED else ""
            return Verdict(outcome.text, outcome.status, label, left=outcome.left)
        verdict = Verdict(left=outcome.left, taken=outcome.taken)
        for run, results in zip(runs, outcome.results, strict=True):
            wanted = {**self.values[run.inputs], **self.results[run.inputs]}
            for name in outputs:
                if name not in results or name not in wanted:
                    continue
                some = difference(name, results[name][0], wanted[name][0])
                before = verdict.differences.get(name)
                if before is None or some.badness > before.badness:
                    verdict.differences[name] = some
                wrong = some.wrong(self.limit)
                if wrong and not verdict.wrong:
                    verdict.wrong, verdict.run = wrong, run.label
        for at, name in outcome.changed:
            if not verdict.wrong or verdict.run == runs[at].label:
                verdict.wrong, verdict.run = f"it writes over its input {name}", runs[at].label
                break
        return verdict


def _with_inputs_fetched(program: Program) -> tuple[Program, tuple[str, ...]]:
    """The program whose inputs are outputs, too, but those that it writes itself; and which."""
    everything = [op for block in program.blocks for op in block.ops if op.type != "feed"]
    written = {name for op in everything for name in op.output_names()}
    echoed = tuple(name for name in program.feed_names() if name not in written)
    return program.with_fetches(echoed), echoed


def _other_numbers(feeds: dict[str, Value]) -> dict[str, Value] | None:
    """The same numbers in another order, where that makes a difference."""
    other: dict[str, Value] = {
        name: (np.ascontiguousarray(array.ravel()[::-1]).reshape(array.shape), lod)
        for name, (array, lod) in feeds.items()
    }
    same = all(np.array_equal(other[name][0], feeds[name][0]) for name in feeds)
    return None if same else other
