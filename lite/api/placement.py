"""Where operators run: the optimizer's report, completed by what the runtime did and measured."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lite import _core
from lite.errors import LiteError

if TYPE_CHECKING:
    from lite.api.devices import DeviceOptions
    from lite.core.optimizer.partition import Placement
    from lite.core.optimizer.partition.placement import CompileOutcome, SubgraphInfo
    from lite.model.program import Program

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
        info = placement.find(report["block"])
        if info is not None:
            _complete(placement, info, report)
    return placement


def program_placement(program: Program, devices: DeviceOptions) -> Placement:
    """The report of an optimised program: its subgraphs were chosen when it was optimised."""
    from lite.core.optimizer.partition.from_program import placement_of_program

    return placement_of_program(program, list(devices.names))


def nb_placement(model: str | bytes, devices: DeviceOptions) -> PlacementSource:
    """The report of a `.nb` file, or of its bytes."""

    def read() -> Placement:
        from lite.model.naive_buffer import read_nb

        return program_placement(read_nb(model), devices)

    return read


def _complete(placement: Placement, info: SubgraphInfo, report: dict[str, Any]) -> None:
    from lite.core.optimizer.partition.placement import on_cpu

    info.compile_ms = report["compile_ms"] if report["programs"] else None
    info.runs, info.programs = report["runs"], report["programs"]
    info.run_ms = report["run_ms"] if report["runs"] else None
    info.outcomes = [_outcome(some) for some in report["outcomes"]]
    for raw in report["outcomes"]:
        _warn_of_cache(placement, info, _runtime(raw))
    worked = [at for at, outcome in enumerate(info.outcomes) if outcome.devices]
    if worked:
        latest = info.outcomes[worked[0]]
        if latest.failed and on_cpu(latest.devices, placement.devices):
            placement.fell_back(info.id, latest.reason)
        info.fallback = latest.reason
        info.devices = list(latest.devices)
        _complete_operators(placement, info, report["outcomes"][worked[0]])
    if len({tuple(info.outcomes[at].devices) for at in worked}) > 1:
        texts = "; ".join(info.outcome_texts(placement.devices, reasons=False))
        placement.warnings.append(
            f"subgraph {info.id} is not always on the same device: {texts}. "
            "Its operators are listed where they ran last"
        )


def _outcome(raw: dict[str, Any]) -> CompileOutcome:
    from lite.core.optimizer.partition.placement import CompileOutcome, FailedAttempt

    failed = [FailedAttempt(list(devices), error) for devices, error in raw["attempts"] if error]
    worked = next((list(devices) for devices, error in raw["attempts"] if not error), [])
    ran = [part["device"] for part in _runtime(raw).get("programs", [])]
    devices = list(dict.fromkeys(ran)) or worked
    return CompileOutcome(devices, raw["compilations"], raw["runs"], failed)


def _runtime(raw: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(raw["runtime_report"] or "{}")
    return found


def _warn_of_cache(placement: Placement, info: SubgraphInfo, runtime: dict[str, Any]) -> None:
    notes = runtime.get("cache", "")
    refused = notes and (" refused" in notes or not notes.endswith(": written"))
    if refused and not runtime["from_cache"]:
        warning = f"the cache of subgraph {info.id}: {notes}"
        if warning not in placement.warnings:
            placement.warnings.append(warning)


def _complete_operators(placement: Placement, info: SubgraphInfo, raw: dict[str, Any]) -> None:
    runtime = _runtime(raw)
    if not runtime:
        return
    info.cache_hit = runtime["from_cache"] if runtime["cache"] else None
    device_of = {
        operation: part["device"]
        for part in runtime["programs"]
        for operation in part["operations"]
    }
    only = info.devices[0] if len(info.devices) == 1 else ""
    for position, operations in zip(info.operators, raw["operations"], strict=False):
        devices = list(dict.fromkeys(device_of[op] for op in operations if op in device_of))
        placement.operators[position].device = ", ".join(devices) or only
