"""Runs a job on Ray: a cluster of this machine, or one that is there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import ray
import ray.data

from lite.errors import ConfigError
from lite.ray.job import AnyPart, Work


def run_parts(
    job: Work, parts: Sequence[AnyPart], worker: type, *, address: str = "", workers: int = 0
) -> Iterator[dict[str, Any]]:
    """Yields what became of each part, in the order in which they end.

    ``address`` is a cluster's; without one a cluster of this machine is started. A worker that dies
    is started again and its part is done again. ``workers`` of 0 are as many as the CPUs allow.
    """
    if not ray.is_initialized():
        options: dict[str, Any] = {"address": address} if address else {"include_dashboard": False}
        ray.init(log_to_driver=False, logging_level="error", **options)
    ray.data.DataContext.get_current().enable_progress_bars = False
    cpus = int(ray.cluster_resources().get("CPU", 0))
    if cpus < job.threads:
        raise ConfigError(f"threads is {job.threads}, but the cluster has {cpus} CPUs")
    count = min(workers or cpus // job.threads, len(parts))
    items = [{"part": json.dumps(asdict(part))} for part in parts]
    done = ray.data.from_items(items, override_num_blocks=len(parts))
    done = done.map_batches(
        worker,
        fn_constructor_args=(job,),
        batch_size=1,
        batch_format="numpy",
        num_cpus=job.threads,
        compute=ray.data.ActorPoolStrategy(size=count),
    )
    yield from done.iter_rows()
