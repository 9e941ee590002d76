"""Where operators run: the optimizer's report, completed by what the runtime did and measured."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING

from lite import _core
from lite.errors import LiteError

if TYPE_CHECKING:
    from lite.api.devices import DeviceOptions
    from lite.core.partition import Placement
    from lite.model.program import Program
    from lite.report.places import CompileOutcome, SubgraphInfo

PlacementSource = Callable[[], "Placement"]
"""Makes the report when it is asked for: that may mean reading the model again."""


def current_placement(
    core: _core.Predictor, origin: PlacementSource | Placement | None
) -> Placement:
    """The report of ``origin`` with the devices, times and fallbacks of a predictor's core."""
    if origin is None:
        raise LiteError("the predictor was made without a model's program: it has no report")
    placement = origin() if callable(origin) else copy.deepcopy(origin)
    for report in core.device_reports():
        info = placement.find(report.block)
        if info is not None:
            _complete(placement, info, report)
    return placement


def program_placement(program: Program, devices: DeviceOptions) -> Placement:
    """The report of an optimised program: its subgraphs were chosen when it was optimised."""
    from lite.core.partition.from_program import placement_of_program

    return placement_of_program(program, list(devices.names))


def nb_placement(model: str | bytes, devices: DeviceOptions) -> PlacementSource:
    """The report of a `.nb` file, or of its bytes."""

    def read() -> Placement:
        from lite.model.naive_buffer import read_nb

        return program_placement(read_nb(model), devices)

    return read


def _complete(placement: Placement, info: SubgraphInfo, report: _core.SubgraphReport) -> None:
    from lite.report.places import on_cpu

    info.compile_ms = report.compile_ms if report.programs else None
    info.runs, info.programs = report.runs, report.programs
    info.padded_runs, info.padding = report.padded_runs, report.padding
    info.run_ms = report.run_ms if report.runs else None
    outcomes = report.outcomes
    info.outcomes = [_outcome(some) for some in outcomes]
    for some in outcomes:
        _warn_of_cache(placement, info, some.runtime)
    worked = [at for at, outcome in enumerate(info.outcomes) if outcome.devices]
    if worked:
        latest = info.outcomes[worked[0]]
        if latest.failed and on_cpu(latest.devices, placement.devices):
            placement.fell_back(info.id, latest.reason)
        info.fallback = latest.reason
        info.devices = list(latest.devices)
        _complete_operators(placement, info, outcomes[worked[0]])
    if len({tuple(info.outcomes[at].devices) for at in worked}) > 1:
        texts = "; ".join(info.outcome_texts(placement.devices, reasons=False))
        placement.warnings.append(
            f"subgraph {info.id} is not always on the same device: {texts}. "
            "Its operators are listed where they ran last"
        )


def _outcome(counted: _core.CompileOutcome) -> CompileOutcome:
    from lite.report.places import CompileOutcome, FailedAttempt

    attempts = [(list(attempt.devices), attempt.error) for attempt in counted.attempts]
    failed = [FailedAttempt(devices, error) for devices, error in attempts if error]
    worked = next((devices for devices, error in attempts if not error), [])
    ran = [program.device for program in counted.runtime.programs] if counted.runtime else []
    devices = list(dict.fromkeys(ran)) or worked
    return CompileOutcome(devices, counted.compilations, counted.runs, failed)


def _warn_of_cache(
    placement: Placement, info: SubgraphInfo, runtime: _core.RuntimeReport | None
) -> None:
    if runtime is None or runtime.cache not in (_core.Cache.REFUSED, _core.Cache.NOT_WRITTEN):
        return
    warning = f"the cache of subgraph {info.id}: {runtime.cache_text}"
    if warning not in placement.warnings:
        placement.warnings.append(warning)


def _complete_operators(
    placement: Placement, info: SubgraphInfo, outcome: _core.CompileOutcome
) -> None:
    runtime = outcome.runtime
    if runtime is None:
        return
    asked = runtime.cache != _core.Cache.NONE
    info.cache_hit = runtime.cache == _core.Cache.USED if asked else None
    device_of = {
        operation: program.device
        for program in runtime.programs
        for operation in program.operations
    }
    only = info.devices[0] if len(info.devices) == 1 else ""
    for position, operations in zip(info.operators, outcome.operations, strict=False):
        devices = list(dict.fromkeys(device_of[op] for op in operations if op in device_of))
        placement.operators[position].device = ", ".join(devices) or only
