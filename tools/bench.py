"""lite bench: how long a model takes to load and to run, and how much memory."""

from __future__ import annotations

import argparse
import json
import resource
import time
from typing import Any

import numpy as np

from lite.api.devices import DeviceOptions
from lite.api.session import Predictor, load

from . import inputs
from .run import add_model_arguments, device_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model_arguments(parser)
    parser.add_argument("--warmup", type=int, default=3, help="runs before measuring (default 3)")
    parser.add_argument(
        "--repeats", "--iterations", type=int, default=30, help="measured runs (default 30)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    result = measure(
        flags.model,
        flags.params,
        flags.input,
        threads=flags.threads,
        warmup=flags.warmup,
        repeats=flags.repeats,
        seed=flags.seed,
        devices=device_options(flags),
    )
    print(json.dumps(result, indent=2) if flags.json else _readable(result))
    return 0


def measure(
    model: str,
    params: str | None,
    specs: list[str],
    *,
    threads: int,
    warmup: int,
    repeats: int,
    seed: int,
    devices: DeviceOptions | None = None,
) -> dict[str, Any]:
    """Times in milliseconds, memory in megabytes; the first run also plans and packs weights."""
    if warmup < 0 or repeats < 1:
        raise ValueError(f"warm-up {warmup} and repeats {repeats}: expected 0 and 1 or more")
    before = _peak_megabytes()
    start = time.perf_counter()
    predictor = load(model, params, threads=threads, devices=devices or ())
    load_time = time.perf_counter() - start
    values = inputs.make_inputs(predictor, specs, seed)
    first = _one(predictor, values)
    for _ in range(warmup):
        _one(predictor, values)
    times = np.array([_one(predictor, values) for _ in range(repeats)]) * 1e3
    peak = _peak_megabytes()
    return {
        "model": model,
        "inputs": {name: list(array.shape) for name, (array, _) in values.items()},
        "threads": threads,
        **({"placement": predictor.placement().summary()} if devices else {}),
        "isa": _isa(),
        "warmup": warmup,
        "repeats": repeats,
        "load_ms": load_time * 1e3,
        "first_run_ms": first * 1e3,
        **{f"p{share}_ms": float(np.percentile(times, share)) for share in (50, 90, 99)},
        "min_ms": float(times.min()),
        "mean_ms": float(times.mean()),
        "peak_rss_mb": peak,
        "peak_rss_above_import_mb": peak - before,
    }


def _one(predictor: Predictor, values: dict[str, inputs.Value]) -> float:
    start = time.perf_counter()
    predictor.run(values)
    return time.perf_counter() - start


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _isa() -> str:
    from lite import _core

    return _core.isa_name()


def _readable(result: dict[str, Any]) -> str:
    shapes = ", ".join(
        f"{name} {'x'.join(map(str, shape)) or 'scalar'}"
        for name, shape in result["inputs"].items()
    )
    return "\n".join(
        (
            f"{result['model']}: {shapes}; {result['threads']} thread(s), {result['isa']}",
            *([result["placement"]] if "placement" in result else []),
            f"load       {result['load_ms']:10.3f} ms",
            f"first run  {result['first_run_ms']:10.3f} ms",
            f"p50        {result['p50_ms']:10.3f} ms   ({result['repeats']} runs after "
            f"{result['warmup']} warm-up runs)",
            f"p90        {result['p90_ms']:10.3f} ms",
            f"p99        {result['p99_ms']:10.3f} ms",
            f"min        {result['min_ms']:10.3f} ms",
            f"mean       {result['mean_ms']:10.3f} ms",
            f"peak RSS   {result['peak_rss_mb']:10.1f} MB   "
            f"({result['peak_rss_above_import_mb']:.1f} MB above the level after import)",
        )
    )
