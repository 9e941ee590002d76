"""lite device-test: whether a device does what NNAdapter expects of it."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from lite.nnadapter.conformance.suite import Result, as_json, matrix, run_suite, totals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("device", help="name of the device, as in lib<device>.so")
    parser.add_argument(
        "--path", action="append", default=[], help="folder to look in (repeatable)"
    )
    parser.add_argument("--properties", default="", help='for the context: "key=value;key=value"')
    parser.add_argument(
        "--module", action="append", default=[], help="Python module that registers the device"
    )
    parser.add_argument("--only", default="", help="run the checks whose name contains this text")
    parser.add_argument("--json", metavar="FILE", help="write all results to a file")
    parser.add_argument("--quiet", action="store_true", help="print failures and totals only")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where a check failed, or none could be made."""
    if flags.path:
        known = os.environ.get("NNADAPTER_DEVICE_PATH", "")
        paths = [str(Path(p).resolve()) for p in flags.path]
        os.environ["NNADAPTER_DEVICE_PATH"] = os.pathsep.join([*paths, *filter(None, [known])])
    results = run_suite(
        flags.device,
        properties=flags.properties,
        modules=flags.module,
        only=flags.only,
        progress=_complain,
    )
    if not flags.quiet:
        print(matrix(results))
    if flags.json:
        Path(flags.json).write_text(json.dumps(as_json(flags.device, results), indent=2) + "\n")
    counts = totals(results)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["fail"] or not counts["pass"] else 0


def _complain(result: Result) -> None:
    if result.outcome == "fail":
        print(f"FAIL {result.name}: {result.text}", flush=True)
