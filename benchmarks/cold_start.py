"""Time and memory from nothing to a model's first result, a fresh process each.

    python benchmarks/cold_start.py MODEL.nb [SHAPE] [--runs 5] [--threads 1] [--old FOLDER]

``--old`` is a folder with another build's ``lite``, measured in turn with this one. Prints medians:
milliseconds of the import of lite, of load, of the first and the second run; page faults; peak
memory, and what it grew by over the file's size.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

CHILD = """
import json, resource, sys, time
import numpy as np
path, shape, threads = sys.argv[1], [int(n) for n in sys.argv[2].split("x")], int(sys.argv[3])
x = np.random.RandomState(0).rand(*shape).astype("float32")

def peak():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024

times, faults = [time.perf_counter()], [resource.getrusage(resource.RUSAGE_SELF).ru_minflt]
def step():
    times.append(time.perf_counter())
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)

import lite
from lite import _core
lite.load
step()
before = peak()
predictor = lite.load(path, threads=threads)
step()
y = predictor.run([x])
step()
after = peak()
predictor.run([x])
step()
names = ("import", "load", "first", "second")
row = {name: 1e3 * (b - a) for name, a, b in zip(names, times, times[1:])}
row["load + first"] = row["load"] + row["first"]
row["faults"] = faults[3] - faults[1]
row["peak MB"] = after
row["grown MB"] = after - before
print(json.dumps(row))
"""
COLUMNS = ("import", "load", "first", "second", "load + first", "faults", "peak MB", "grown MB")


def child(folder: Path | None, options: argparse.Namespace) -> dict[str, float]:
    """One process's numbers."""
    environment = dict(os.environ)
    if folder:
        environment["PYTHONPATH"] = str(folder)
    command = [
        sys.executable,
        "-c",
        CHILD,
        str(options.model.resolve()),
        options.shape,
        str(options.threads),
    ]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=True
    )
    row: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return row


def main() -> None:
    """Prints a line for each build."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model", type=Path)
    parser.add_argument("shape", nargs="?", default="1x3x224x224")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--old", type=Path)
    options = parser.parse_args()
    size = options.model.stat().st_size / 2**20
    builds: dict[str, Path | None] = {"this": Path(__file__).resolve().parents[1]}
    if options.old:
        builds = {"old": options.old, **builds}
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in builds}
    for _ in range(options.runs):
        for name, folder in builds.items():
            rows[name].append(child(folder, options))
    print(f"{options.model.name}, {size:.1f} MB".ljust(24)
          + "".join(column.rjust(14) for column in COLUMNS) + "  grown / file")  # fmt: skip
    for name, measured in rows.items():
        medians = [statistics.median(row[column] for row in measured) for column in COLUMNS]
        print(name.ljust(24) + "".join(f"{value:14.1f}" for value in medians)
              + f"{medians[-1] / size:14.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
