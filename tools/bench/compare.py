"""Other engines on the same model: in turn, on the same inputs, their outputs compared first."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.predictor import load
from lite.errors import ConfigError, LiteError
from lite.report.progress import Progress

from .. import inputs
from ..report import describe
from .engines import ENGINES, EngineError, ModelFiles, Worker

_ROUNDS, _SECONDS_A_ROUND, _MAX_RUNS = 7, 0.15, 10000
_TOLERANCE = 1e-3
_RUN_LIMIT = 600.0
_DEVICE_FIELDS = ("names", "properties", "cache_dir", "partition_config_path", "strict")
DEVICE = "device:"


def parse_engines(text: str) -> dict[str, str]:
    """Names and the Pythons that have them, whose paths may have spaces. ConfigError for an unknown
    name."""
    found: dict[str, str] = {}
    begins = rf"(?:{'|'.join(ENGINES)})(?:[=,\s]|$)|{DEVICE}"
    for word in filter(None, re.split(rf"\s*,\s*|\s+(?={begins})", text.strip())):
        name, _, python = word.partition("=")
        if name not in ENGINES and not name.startswith(DEVICE):
            raise ConfigError(
                f"--compare {name}: no such engine; known are {', '.join(ENGINES)}, as NAME or "
                f"NAME=PYTHON, and {DEVICE}NAME for this framework with a device"
            )
        found[name] = python or sys.executable
    if not found:
        raise ConfigError(f"--compare names no engine; known are {', '.join(ENGINES)}")
    return found


Apart = Callable[["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"], float]


def relative_difference(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """The largest difference over the largest finite number of ``a``; shapes do not matter."""
    if not a.size:
        return 0.0
    wide = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    x, y = a.astype(wide).reshape(-1), b.astype(wide).reshape(-1)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(x - y))
    largest = np.abs(x[np.isfinite(x)]).max(initial=0.0)
    if np.isnan(apart).any():
        return float("inf")
    return float(apart.max() / max(largest, 1e-30)) if apart.any() else 0.0


class _Engine:
    def __init__(self, name: str) -> None:
        self.name = name
        self.worker: Worker | None = None
        self.facts: dict[str, Any] = {}
        self.rounds: list[list[float]] = []
        self.runs = 0
        self.limit = _RUN_LIMIT

    def start(self, python: str, job: dict[str, Any], warmup: int) -> None:
        self.worker = Worker(python, job)
        self.facts = self.worker.start()
        times = self.worker.measure(max(1, warmup), _RUN_LIMIT)
        self.runs = min(max(2, round(1e3 * _SECONDS_A_ROUND / max(times[-1], 1e-3))), _MAX_RUNS)

    def measure(self) -> None:
        assert self.worker is not None
        self.rounds.append(self.worker.measure(self.runs, self.limit))

    def fail(self, error: BaseException) -> None:
        self.close()
        text = str(error) if isinstance(error, EngineError) else describe(error)
        self.facts = {"error": text}

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.worker = None


def compare(
    model: str,
    params: str | None,
    specs: list[str],
    engines: dict[str, str],
    *,
    threads: int,
    seed: int,
    devices: DeviceOptions,
    warmup: int,
    cpus: Sequence[int] = (),
    expected: Sequence[np.ndarray[Any, Any]] = (),
    rounds: int | None = None,
    tolerance: float = _TOLERANCE,
    apart: Apart = relative_difference,
) -> dict[str, Any]:
    """Facts, times and ratios by engine; ``error`` says why one has none.

    Every engine runs on ``cpus`` where there are any. An engine whose outputs lie further from
    ours than ``tolerance``, as ``apart`` measures each, has no times. ``deviation`` is the
    difference to the ``expected`` outputs. Raises what the model's own run raises.
    """
    with load(model, params, threads=threads) as predictor:
        values = inputs.make_inputs(predictor.inputs, specs, seed)
    source = _source(model, params)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        np.savez(folder / "inputs.npz", *[array for array, _ in values.values()])
        shapes = [array.shape for array, _ in values.values()]
        files = ModelFiles(source, folder, shapes)
        job = {
            "names": list(values),
            "inputs": str(folder / "inputs.npz"),
            "threads": threads,
            "cpus": list(cpus),
        }
        np.savez(folder / "expected.npz", *expected)
        made = {name: _Engine(name) for name in ("lite", *engines)}
        own = {
            "model": os.path.abspath(model),
            "params": params and os.path.abspath(params),
            "lods": {name: lod for name, (_, lod) in values.items() if lod},
            "devices": {name: getattr(devices, name) for name in _DEVICE_FIELDS},
        }
        try:
            for name, engine in made.items():
                outputs = str(folder / f"{name}.npz")
                ours = name == "lite" or name.startswith(DEVICE)
                work = {**job, "engine": "lite" if ours else name, "outputs": outputs}
                try:
                    if name != "lite" and own["lods"]:
                        raise EngineError("its inputs have no LoD")
                    python = engines.get(name, sys.executable)
                    some = _with_device(own, name) if ours else files.of(name, python)
                    with Progress(f"{name}: loading and warming up"):
                        engine.start(python, {**work, "files": some}, warmup)
                    differs = _Difference(Path(outputs), tolerance, apart)
                    engine.facts["difference"] = differs.to(folder / "lite.npz")
                    if expected:
                        engine.facts["deviation"] = differs.to(folder / "expected.npz")
                except ConfigError:
                    raise
                except (LiteError, OSError, ValueError) as error:
                    if name == "lite":
                        raise
                    engine.fail(error)
            _rounds(made, rounds or _ROUNDS)
        finally:
            for engine in made.values():
                engine.close()
    return _result(made)


def _with_device(files: dict[str, Any], engine: str) -> dict[str, Any]:
    if engine == "lite":
        return files
    return {**files, "devices": {**files["devices"], "names": [engine[len(DEVICE) :]]}}


def _source(model: str, params: str | None) -> Source:
    if params:
        return Source(model_file=model, param_file=params)
    return Source(model_dir=model) if os.path.isdir(model) else Source(model_file=model)


@dataclass(frozen=True)
class _Difference:
    """Of an engine's outputs to others."""

    outputs: Path
    tolerance: float
    apart: Apart

    def to(self, others: Path) -> float:
        """The worst of all outputs. EngineError beyond the tolerance."""
        worst = 0.0
        with np.load(others) as a, np.load(self.outputs) as b:
            if len(a.files) != len(b.files):
                raise EngineError(f"it has {len(b.files)} outputs, the model {len(a.files)}")
            for name in a.files:
                mine, other = a[name], b[name]
                if mine.size != other.size:
                    raise EngineError(
                        f"its output {name[4:]} has shape {list(other.shape)}, ours "
                        f"{list(mine.shape)}"
                    )
                worst = max(worst, self.apart(mine, other))
        if not worst <= self.tolerance:
            raise EngineError(
                f"its outputs differ from ours by {worst:.2g} of the largest number: not "
                "comparable (random inputs can be the reason; give real ones with --input "
                "x=file.npy)"
            )
        return worst


def _rounds(engines: dict[str, _Engine], rounds: int) -> None:
    """Each engine a few runs a round; the order rotates."""
    with Progress("measuring in turn", rounds) as line:
        for number in range(rounds):
            alive = [engine for engine in engines.values() if engine.worker is not None]
            turn = number % len(alive)
            for engine in alive[turn:] + alive[:turn]:
                try:
                    engine.measure()
                except EngineError as error:
                    if engine.name == "lite":
                        raise
                    engine.fail(error)
            line.step()


def _result(engines: dict[str, _Engine]) -> dict[str, Any]:
    ours = [median(times) for times in engines["lite"].rounds]
    result: dict[str, Any] = {}
    for name, engine in engines.items():
        facts = result[name] = dict(engine.facts)
        if "error" in facts:
            continue
        times = np.array([time for some in engine.rounds for time in some])
        for share in (50, 90, 99):
            facts[f"p{share}_ms"] = float(np.percentile(times, share))
        if name != "lite":
            pairs = [a / median(some) for a, some in zip(ours, engine.rounds, strict=True)]
            facts["ratio"] = median(pairs)
            facts["ratio_range"] = [min(pairs), max(pairs)]
    return {"rounds": len(engines["lite"].rounds), "precision": "float32", "engines": result}


def comparison_table(found: dict[str, Any]) -> str:
    """An engine a line."""
    lines = [
        f"{found['rounds']} rounds in turn, fp32, outputs compared; ratio: our time over theirs",
        f"{'':14}{'p50 ms':>10}{'p90 ms':>10}{'load ms':>10}{'first ms':>10}{'ratio':>8}",
    ]
    for name, facts in found["engines"].items():
        if "error" in facts:
            lines.append(f"{name:14}{facts['error']}")
            continue
        ratio, span = "", ""
        if "ratio" in facts:
            low, high = facts["ratio_range"]
            ratio, span = f"{facts['ratio']:.2f}", f"   {low:.2f} to {high:.2f}"
        times = "".join(
            f"{facts[key]:10.3f}" for key in ("p50_ms", "p90_ms", "load_ms", "first_run_ms")
        )
        lines.append(f"{name:14}{times}{ratio:>8}{span}   {facts['version']}")
    return "\n".join(lines) + "\n"
