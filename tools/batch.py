"""lite batch: a model over parquet files or images, or a pipeline over documents, on Ray.

It goes on where it stopped.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import os
import re
import time
import warnings
from typing import Any

from lite.errors import ConfigError
from lite.ray.images import ImageOptions
from lite.ray.job import Job, Work
from lite.report.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    images = ImageOptions()
    parser.add_argument(
        "model", nargs="?", help="a folder or file that every machine sees under this path"
    )
    parser.add_argument(
        "--pipeline", metavar="NAME",
        help="instead of a model: PaddleX's pipeline, or its YAML file, for PDF files and pictures",
    )  # fmt: skip
    parser.add_argument("--input", required=True, help="parquet files or images, or their folder")
    parser.add_argument("--output", required=True, metavar="DIR", help="where parts are written")
    parser.add_argument("--address", default="", help="of a Ray cluster (default: this machine)")
    parser.add_argument("--threads", type=int, default=1, help="of a worker's runs (default 1)")
    parser.add_argument("--workers", type=int, default=0, help="default: as many as there are CPUs")
    parser.add_argument("--batch-rows", type=int, default=32, help="rows of one run (default 32)")
    parser.add_argument(
        "--part-rows", type=int, default=1000, help="rows of one output file (default 1000)"
    )
    parser.add_argument("--device", action="append", default=[], help="an NNAdapter device")
    parser.add_argument(
        "--column", action="append", default=[], metavar="INPUT=COLUMN", help="an input's column"
    )
    parser.add_argument("--image-column", default="", help="the column of encoded images")
    parser.add_argument("--size", default="", metavar="HxW", help="images are resized to this")
    parser.add_argument("--mean", default=",".join(map(str, images.mean)), help="of RGB, 0 to 1")
    parser.add_argument("--std", default=",".join(map(str, images.std)), help="of RGB, 0 to 1")
    parser.add_argument("--bgr", action="store_true", help="channels stand blue, green, red")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where rows failed."""
    if importlib.util.find_spec("ray") is None:
        raise ConfigError("Ray is not installed: pip install 'paddle-lite-predictor[ray]'")
    if bool(flags.pipeline) == bool(flags.model):
        raise ConfigError("name a model, or a --pipeline")
    for name in ("threads", "batch_rows", "part_rows"):
        if getattr(flags, name) < 1:
            raise ConfigError(f"--{name.replace('_', '-')} is below 1")
    job, worker = _documents(flags) if flags.pipeline else _job(flags)
    with job.alone():
        return _done(job, worker, flags)


def _done(job: Work, worker: type, flags: argparse.Namespace) -> int:
    parts = job.pending()
    total = len(job.parts())
    if len(parts) < total:
        print(f"{total - len(parts)} of {total} {job.kind} are there already")
    rows, failed, seconds = _run(job, parts, worker, flags) if parts else (0, 0, 0.0)
    rate = f", {rows / seconds:.1f} {job.rows}/s" if seconds else ""
    print(f"{rows} {job.rows} in {len(parts)} {job.kind}, {failed} failed{rate}: {job.output}")
    return 1 if failed else 0


def _documents(flags: argparse.Namespace) -> tuple[Work, type]:
    if importlib.util.find_spec("paddlex") is None:
        raise ConfigError("PaddleX is not installed: pip install 'paddle-lite-predictor[paddlex]'")
    from .document_job import DocumentJob, DocumentWorker

    yaml = flags.pipeline.endswith((".yml", ".yaml"))
    pipeline = os.path.abspath(flags.pipeline) if yaml else flags.pipeline
    source, output = os.path.abspath(flags.input), os.path.abspath(flags.output)
    return DocumentJob(pipeline, source, output, threads=flags.threads), DocumentWorker


def _job(flags: argparse.Namespace) -> tuple[Work, type]:
    from lite.ray.worker import PartWorker

    if not os.path.exists(flags.model):
        raise FileNotFoundError(f"there is no model {os.path.abspath(flags.model)}")
    columns = dict(_pair(text) for text in flags.column)
    images = ImageOptions(
        size=_size(flags.size),
        mean=_three(flags.mean, "--mean"),
        std=_three(flags.std, "--std"),
        bgr=flags.bgr,
        column=flags.image_column,
    )
    job = Job(
        os.path.abspath(flags.model),
        os.path.abspath(flags.input),
        os.path.abspath(flags.output),
        threads=flags.threads,
        batch_rows=flags.batch_rows,
        part_rows=flags.part_rows,
        devices=tuple(flags.device),
        columns=columns,
        images=images,
    )
    return job, PartWorker


def _pair(text: str) -> tuple[str, str]:
    name, equals, column = text.partition("=")
    if not (name and equals and column):
        raise ConfigError(f"--column {text}: expected INPUT=COLUMN")
    return name, column


def _size(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    match = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if match is None:
        raise ConfigError(f"--size {text}: expected HEIGHTxWIDTH, as in 224x224")
    return int(match.group(1)), int(match.group(2))


def _three(text: str, flag: str) -> tuple[float, float, float]:
    try:
        first, second, third = map(float, text.split(","))
    except ValueError:
        raise ConfigError(f"{flag} {text}: expected three numbers, as in 0.5,0.5,0.5") from None
    return first, second, third


def _run(
    job: Work, parts: list[Any], worker: type, flags: argparse.Namespace
) -> tuple[int, int, float]:
    warnings.filterwarnings("ignore", module="ray")
    logging.getLogger("ray").setLevel(logging.ERROR)
    os.environ.setdefault("RAY_DATA_LOG_LEVEL", "ERROR")
    from lite.ray.run import run_parts

    rows, failed, started = 0, 0, time.perf_counter()
    results = run_parts(job, parts, worker, address=flags.address, workers=flags.workers)
    why: list[str] = []
    with Progress(job.kind, len(parts)) as line:
        for done in results:
            why += done.get("why", "").splitlines()
            rows, failed = rows + int(done["rows"]), failed + int(done["failed"])
            rate = rows / (time.perf_counter() - started)
            line.step(what=f"{job.kind}, {rows} {job.rows}, {rate:.1f} {job.rows}/s")
    job.tidy()
    for said in sorted(why):
        print(f"failed: {said}")
    return rows, failed, time.perf_counter() - started
