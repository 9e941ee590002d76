"""``partition``: ``optimize`` for devices; what they support becomes `subgraph` operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lite.core.optimizer import optimize
from lite.core.optimizer.graph import Graph
from lite.core.optimizer.optimize import split_targets
from lite.core.partition.detect import Partitioner
from lite.core.partition.options import PartitionRequest
from lite.core.partition.placement import Placement
from lite.model.program import Program


def partition(
    program: Program,
    request: PartitionRequest,
    targets: Sequence[str] = ("x86",),
    **options: Any,
) -> tuple[Program, Placement]:
    """An equivalent program, divided before any fusion, and the report.

    Targets that are no CPU are devices behind those of the request; ``options`` are those of
    ``optimize``. Raises what ``optimize`` raises, ConfigError for a config that is wrong where the
    request is strict, and DeviceError for an unknown device or, where it is strict, for a refused
    operator: that has the report as its ``placement``.
    """
    cpu, named = split_targets(targets)
    devices = tuple(dict.fromkeys((*request.devices, *named)))
    request = replace(request, devices=devices)
    made: list[Partitioner] = []

    def divide(graph: Graph) -> Partitioner:
        made.append(Partitioner(graph, request))
        return made[0]

    optimized = optimize(program, cpu, divide=divide, **options)
    return optimized, made[0].placement
