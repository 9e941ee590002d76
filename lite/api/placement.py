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
    from lite.core.optimizer.partition.placement import SubgraphInfo
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
    info.compile_ms = report["compile_ms"] if report["programs"] else None
    info.runs = report["runs"]
    info.run_ms = report["run_ms"] / report["runs"] if report["runs"] else None
    failed = [(devices, error) for devices, error in report["attempts"] if error]
    worked = [devices for devices, error in report["attempts"] if not error]
    if failed and worked:
        reason = "; ".join(f"{', '.join(devices)}: {error}" for devices, error in failed)
        if worked[-1][0] in ("CPU", "builtin_device") and worked[-1][0] not in placement.devices:
            placement.fell_back(info.id, reason)
        info.fallback = reason
    if worked:
        info.devices = list(worked[-1])
    if report["runtime_report"]:
        _complete_from_runtime(placement, info, report)


def _complete_from_runtime(
    placement: Placement, info: SubgraphInfo, report: dict[str, Any]
) -> None:
    runtime = json.loads(report["runtime_report"])
    info.cache_hit = runtime["from_cache"] if runtime["cache"] else None
    notes = runtime["cache"]
    if notes and not info.cache_hit and (" refused" in notes or not notes.endswith(": written")):
        placement.warnings.append(f"the cache of subgraph {info.id}: {notes}")
    device_of = {
        operation: part["device"]
        for part in runtime["programs"]
        for operation in part["operations"]
    }
    info.devices = list(dict.fromkeys(part["device"] for part in runtime["programs"]))
    for position, operations in zip(info.operators, report["operations"], strict=False):
        devices = list(dict.fromkeys(device_of[op] for op in operations if op in device_of))
        placement.operators[position].device = ", ".join(devices)
