"""Ray Data and `lite batch`, in an environment with ray.

    client.py dataset MODEL           map_batches with lite.ray.Predict
    client.py cluster MODEL IMAGES OUT   a job over a simulated cluster of four machines
    client.py rows OUT                what a job wrote: paths, errors, outputs
    client.py parquet FILE ROWS       writes a file of inputs x, with an id, in row groups

Prints one JSON line.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


def dataset(model: str) -> dict[str, Any]:
    """y for 1,000 rows, by two actors."""
    import ray

    import lite.ray

    ray.init(include_dashboard=False, log_to_driver=False, logging_level="error", num_cpus=2)
    x = np.random.default_rng(0).random((1000, 4), np.float32)
    rows = ray.data.from_items([{"id": i, "x": row} for i, row in enumerate(x)])
    found = rows.map_batches(
        lite.ray.Predict, fn_constructor_args=(model, 1), num_cpus=1, batch_size=100,
        compute=ray.data.ActorPoolStrategy(size=2), batch_format="numpy",
    ).take_all()  # fmt: skip
    found.sort(key=lambda row: row["id"])
    return {"ids": [row["id"] for row in found], "y": [row["y"].tolist() for row in found]}


def cluster(model: str, images: str, output: str) -> dict[str, Any]:
    """Rows a second on one and on four simulated machines of one CPU each; where parts were run."""
    import ray
    from ray.cluster_utils import Cluster

    from lite.ray.images import ImageOptions
    from lite.ray.job import Job
    from lite.ray.run import run_parts
    from lite.ray.worker import PartWorker

    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(4):
        machines.add_node(num_cpus=1)
    machines.wait_for_nodes()
    ray.init(address=machines.address, log_to_driver=False, logging_level="error")
    options = ImageOptions(size=(64, 64))
    result: dict[str, Any] = {}
    for count in (1, 4):
        job = Job(model, images, f"{output}-{count}", part_rows=40, batch_rows=8, images=options)
        started = time.perf_counter()
        done = list(run_parts(job, job.pending(), PartWorker, workers=count))
        result[str(count)] = {
            "rows": sum(int(one["rows"]) for one in done),
            "nodes": len({one["node"] for one in done}),
            "rate": sum(int(one["rows"]) for one in done) / (time.perf_counter() - started),
        }
    ray.shutdown()
    machines.shutdown()
    return result


def rows(output: str) -> dict[str, Any]:
    """What the parts hold, in order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [pq.read_table(file) for file in sorted(Path(output).glob("part-*.parquet"))]
    table = pa.concat_tables(tables)
    return {name: table[name].to_pylist() for name in table.column_names}


def parquet(file: str, count: str) -> int:
    """Writes rows of x and id in row groups of 50."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    x = np.random.default_rng(1).random((int(count), 4)).tolist()
    pq.write_table(pa.table({"id": list(range(len(x))), "features": x}), file, row_group_size=50)
    return len(x)


if __name__ == "__main__":
    commands: dict[str, Any] = {
        "dataset": dataset, "cluster": cluster, "rows": rows, "parquet": parquet,
    }  # fmt: skip
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
