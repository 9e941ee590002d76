"""Partitioning without the passes before and behind it."""

from __future__ import annotations

from collections.abc import Iterable

from lite.core.optimizer.pass_list import BEFORE_PARTITION
from lite.core.partition import (
    PartitionConfig,
    PartitionOptions,
    PartitionRequest,
    Placement,
    SupportCheck,
    partition,
)
from lite.model.program import Program


def divide(
    program: Program,
    check: SupportCheck,
    config: PartitionConfig | None = None,
    options: PartitionOptions | None = None,
    *,
    devices: Iterable[str] = (),
    strict: bool = False,
) -> tuple[Program, Placement]:
    """The program with a `subgraph` operator in the place of each cluster, and the report."""
    request = PartitionRequest(tuple(devices), check, config, options or PartitionOptions(), strict)
    return partition(program, request, passes=(), discarded=BEFORE_PARTITION)
