"""lite paddlex: PaddleX's model folders on this engine, beside Paddle and ONNX Runtime."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from lite.api.devices import DeviceOptions
from lite.api.predictor import TensorInfo, load
from lite.api.system_errors import system_errors
from lite.api.typical_shapes import typical_shape
from lite.errors import ConfigError, LiteError
from lite.report.progress import Progress

from . import env
from .bench.compare import compare, relative_difference
from .report import describe

_ENGINES = ("paddle", "paddle_onednn", "onnxruntime")
_REFERENCE = "reference.npz"
_LIMIT, _SHARE = 1e-4, 1.5
_HOPELESS = 1e-2
"""A distance of Paddle's at which rounding has chosen otherwise than float64 does."""
_NEAR = 0.1
"""The share of that distance within which we are to be of Paddle then."""
_BOXES = 0.95
_ROUNDS = 3


@dataclass(frozen=True)
class Row:
    """What came out for a model; ``engines`` as ``lite bench --compare`` says it."""

    name: str
    shape: str
    right: str
    engines: dict[str, dict[str, Any]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "folders", nargs="*", metavar="FOLDER",
        help="model folders, or folders of them (default: what PaddleX has downloaded)",
    )  # fmt: skip
    parser.add_argument("--threads", type=int, default=1, help="threads of a run (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--markdown", metavar="FILE", help="write the table as a page, too")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where a model is not right."""
    named = flags.folders or [_downloads()]
    folders = [found for folder in named for found in _models(Path(folder))]
    if not folders:
        raise ConfigError(f"{', '.join(map(str, named))}: no folder with inference.json is there")
    engines = [name for name in _ENGINES if find_spec(name.partition("_")[0])]
    facts = _facts(flags.threads)
    rows = []
    for at, folder in enumerate(folders):
        with Progress(f"{folder.name}, {at + 1} of {len(folders)}"):
            rows.append(_measure(folder, engines, flags.threads))
        if not flags.json:
            print(_line(rows[-1]), flush=True)
    if flags.json:
        print(json.dumps({**facts, "models": [asdict(row) for row in rows]}))
    if flags.markdown:
        with system_errors(LiteError):
            Path(flags.markdown).write_text(_page(rows, facts), encoding="utf-8")
    return int(any(row.right.startswith("no") for row in rows))


def _downloads() -> Path:
    home = os.environ.get("PADDLE_PDX_CACHE_HOME") or os.path.join("~", ".paddlex")
    return Path(home).expanduser() / "official_models"


def _models(folder: Path) -> Iterator[Path]:
    """The folder itself, or what is in it."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder")
    for one in (folder, *sorted(folder.iterdir())):
        if any((one / f"inference.{suffix}").is_file() for suffix in ("json", "pdmodel")):
            yield one


def _measure(folder: Path, engines: list[str], threads: int) -> Row:
    try:
        with load(str(folder), threads=threads) as predictor:
            infos = predictor.inputs
        with tempfile.TemporaryDirectory() as scratch:
            specs, shape, expected = _inputs(folder, infos, Path(scratch))
            found = compare(
                str(folder), None, specs, dict.fromkeys(engines, sys.executable),
                threads=threads, seed=0, devices=DeviceOptions(), warmup=1,
                expected=expected, rounds=_ROUNDS, tolerance=float("inf"), apart=boxes_apart,
            )["engines"]  # fmt: skip
    except (LiteError, OSError, ValueError) as error:
        return Row(folder.name, "", f"no: {describe(error)}", {})
    return Row(folder.name, "x".join(map(str, shape)), _judge(found), found)


def _inputs(
    folder: Path, infos: list[TensorInfo], scratch: Path
) -> tuple[list[str], tuple[int, ...], list[np.ndarray[Any, Any]]]:
    """Specs of ``lite bench``, the picture's shape, float64 outputs where an exporter left them."""
    largest = max(infos, key=lambda info: len(info.shape))
    reference = folder / _REFERENCE
    if reference.is_file():
        with np.load(reference) as kept:
            specs = [f"{info.name}={reference}" for info in infos]
            count = sum(name.startswith("output") for name in kept.files)
            return specs, kept[largest.name].shape, [kept[f"output{at}"] for at in range(count)]
    shape = typical_shape(largest.shape)
    sizes = {"im_shape": shape[2:], "scale_factor": (1, 1)} if len(shape) == 4 else {}
    specs = []
    for info in infos:
        if info.name in sizes and len(infos) > 1:
            file = scratch / f"{info.name}.npy"
            np.save(file, np.array([sizes[info.name]], np.float32))
            specs.append(f"{info.name}={file}")
        else:
            specs.append(f"{info.name}:{'x'.join(map(str, typical_shape(info.shape)))}")
    return specs, shape, []


def boxes_apart(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """``relative_difference``; of boxes [kind, score, ...] what 95 % of them keep to, in any order.

    Detectors sort by scores, some of which differ by less than rounding, and cut at a number.
    """
    plain = relative_difference(a, b)
    if plain <= _LIMIT or a.shape != b.shape or a.ndim != 2 or a.shape[1] < 6:
        return plain
    x, y = a.astype(np.float64), b.astype(np.float64)
    scale = np.array([1.0, 1.0] + [np.abs(x[:, 2:]).max()] * (x.shape[1] - 2))
    nearest = (np.abs(x[:, None] - y[None]) / scale).max(axis=2).min(axis=1)
    return float(np.quantile(nearest, _BOXES))


def _judge(found: dict[str, dict[str, Any]]) -> str:
    """Whether our outputs are right, and by whose word."""
    peers = [name for name in _ENGINES if "difference" in found.get(name, {})]
    exact = found["lite"].get("deviation")
    # ONNX Runtime runs a file that we made.
    theirs = (
        found[peers[0]]["deviation"] if exact and peers[:1] not in ([], ["onnxruntime"]) else 0.0
    )
    if exact is not None and theirs <= _HOPELESS:
        said = f"{exact:.1e} from float64" + (f", {peers[0]} {theirs:.1e}" if theirs else "")
        return f"{'yes' if exact <= max(_LIMIT, _SHARE * theirs) else 'no'}: {said}"
    if not peers:
        return "not compared: no other engine ran it"
    apart = found[peers[0]]["difference"]
    said = f"{apart:.1e} from {peers[0]}" + (f", {theirs:.1e} from float64" if theirs else "")
    return f"{'yes' if apart <= max(_LIMIT, _NEAR * theirs) else 'no'}: {said}"


def _cells(row: Row) -> list[str]:
    cells = []
    for name in ("lite", *_ENGINES):
        facts = row.engines.get(name, {"error": ""})
        if "error" in facts:
            cells.append("fails" if facts["error"] else "")
        else:
            cells.append(f"{facts['p50_ms']:.1f} ms, {facts['peak_rss_mb']:.0f} MB")
    return cells


def _line(row: Row) -> str:
    return f"{row.name:36}{''.join(f'{cell:20}' for cell in _cells(row))}{row.right}"


def _facts(threads: int) -> dict[str, Any]:
    machine = env.collect()
    known = {name: machine[name] for name in ("lite", "cpu", "isa")}
    return {"date": time.strftime("%Y-%m-%d"), **known, "threads": threads}


def _page(rows: list[Row], facts: dict[str, Any]) -> str:
    engines = {name: found for row in rows for name, found in row.engines.items()}
    versions = [f"{name} {found['version']}" for name, found in engines.items() if len(found) > 1]
    right = sum(row.right.startswith("yes") for row in rows)
    lines = [
        "# PaddleX's models",
        "",
        f"Written by `lite paddlex --markdown` on {facts['date']}: {', '.join(versions)}; "
        f"{facts['cpu']}, {facts['isa'].split()[0]}, {facts['threads']} thread(s). Each cell is "
        "the median time of a run and the peak memory of the engine's process; `paddle` runs "
        "Paddle's own kernels, `onnxruntime` the ONNX file that we write.",
        "",
        f"{right} of {len(rows)} are right: at most {_LIMIT:g} of the largest output away from "
        f"float64, or {_SHARE:g} times as far as Paddle is; from Paddle's outputs where nothing is "
        "known in float64, or rounding makes Paddle choose otherwise than float64 does (then at "
        f"most {_NEAR:g} of Paddle's distance).",
        "",
        "| model | input | lite | " + " | ".join(_ENGINES) + " | right |",
        "|---|---|" + "--:|" * (len(_ENGINES) + 1) + "---|",
    ]
    for row in rows:
        lines.append(f"| {row.name} | {row.shape} | {' | '.join(_cells(row))} | {row.right} |")
    reasons = [
        f"- {name} with {row.name}: {found['error'][:200]}"
        for row in rows
        for name, found in row.engines.items()
        if "error" in found
    ]
    return "\n".join(lines + (["", "What fails:", "", *reasons] if reasons else [])) + "\n"
