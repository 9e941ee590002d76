"""Times and memory of a model in this process."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.api.devices import DeviceOptions
from lite.api.predictor import Predictor, load
from lite.api.profile import Profile
from lite.errors import ConfigError
from lite.report.progress import Progress

from .. import inputs
from .worker import peak_megabytes

_PROFILED_RUNS = 10
_MAX_SECONDS = 86400.0


@dataclass(frozen=True)
class Plan:
    """How often to run. ConfigError for numbers that make no sense."""

    warmup: int
    repeats: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.warmup < 0 or self.repeats < 1:
            raise ConfigError(
                f"warm-up {self.warmup} and repeats {self.repeats}: expected 0 and 1 or more"
            )
        if self.seconds is not None and not 0 < self.seconds <= _MAX_SECONDS:
            raise ConfigError(f"--seconds {self.seconds:g}: expected more than 0, at most a day")

    def goes_on(self, times: list[float], start: float) -> bool:
        """Whether another run is due."""
        if self.seconds is None:
            return len(times) < self.repeats
        return not times or time.perf_counter() - start < self.seconds


def measure(
    model: str,
    params: str | None,
    specs: list[str],
    *,
    threads: int,
    plan: Plan,
    seed: int,
    devices: DeviceOptions,
    precision: str,
) -> tuple[dict[str, Any], Profile]:
    """Times in milliseconds, memory in megabytes; the first run also plans and packs weights."""
    before = peak_megabytes()
    start = time.perf_counter()
    predictor = load(model, params, threads=threads, devices=devices, precision=precision)
    load_time = time.perf_counter() - start
    values = inputs.make_inputs(predictor.inputs, specs, seed)
    first = _one(predictor, values)
    seconds = _repeated(predictor, values, plan)
    times = np.array(seconds) * 1e3
    peak = peak_megabytes()
    with Progress("profiling"):
        profile = predictor.profile(values, runs=min(len(seconds), _PROFILED_RUNS), warmup=0)
        profile = profile.with_peak()
    assert profile.peak is not None
    p50 = float(np.percentile(times, 50))
    gflops = profile.flops / (p50 * 1e6)
    result = {
        "model": model,
        "inputs": {name: list(array.shape) for name, (array, _) in values.items()},
        "threads": threads,
        **({"placement": predictor.placement().summary()} if devices.names else {}),
        "isa": profile.isa,
        "precision": precision,
        "warmup": plan.warmup,
        "repeats": len(seconds),
        "load_ms": load_time * 1e3,
        "first_run_ms": first * 1e3,
        **{f"p{share}_ms": float(np.percentile(times, share)) for share in (50, 90, 99)},
        "min_ms": float(times.min()),
        "mean_ms": float(times.mean()),
        "throughput_per_s": 1e3 / float(times.mean()),
        "peak_rss_mb": peak,
        "peak_rss_above_import_mb": peak - before,
        "gflop": profile.flops / 1e9,
        "gflops": gflops,
        "peak_share": gflops / profile.peak.gflops,
        "peak": profile.peak.to_dict(),
    }
    return result, profile


def _repeated(predictor: Predictor, values: dict[str, inputs.Value], plan: Plan) -> list[float]:
    """Seconds of the measured runs."""
    with Progress("warming up", plan.warmup) as line:
        for _ in range(plan.warmup):
            _one(predictor, values)
            line.step()
    seconds: list[float] = []
    with Progress("measuring", 0 if plan.seconds else plan.repeats) as line:
        start = time.perf_counter()
        while plan.goes_on(seconds, start):
            seconds.append(_one(predictor, values))
            line.step()
    return seconds


def _one(predictor: Predictor, values: dict[str, inputs.Value]) -> float:
    start = time.perf_counter()
    predictor.run(values)
    return time.perf_counter() - start
