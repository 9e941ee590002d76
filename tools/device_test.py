"""lite device-test: whether a device does what NNAdapter expects of it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError
from lite.nnadapter.conformance.case import ROUNDING
from lite.nnadapter.conformance.export import write_cases
from lite.nnadapter.conformance.suite import Result, as_json, matrix, run_suite, totals
from lite.nnadapter.known import refuse_unknown
from lite.nnadapter.properties import warn_of_unknown

from .devices import search_first


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("device", nargs="?", help="name of the device, as in lib<device>.so")
    parser.add_argument(
        "--path", action="append", default=[], help="folder to look in (repeatable)"
    )
    parser.add_argument("--properties", default="", help='for the context: "key=value;key=value"')
    parser.add_argument(
        "--module", action="append", default=[], help="Python module that registers the device"
    )
    parser.add_argument("--only", default="", help="run the checks whose name contains this text")
    parser.add_argument(
        "--precision",
        choices=ROUNDING,
        default="",
        help="what the device computes floats in (default: what a HAL in Python says, else fp32)",
    )
    parser.add_argument("--json", metavar="FILE", help="write all results to a file")
    parser.add_argument(
        "--export", metavar="FILE", help="write the cases for nnadapter_device_test; no device runs"
    )
    parser.add_argument("--quiet", action="store_true", help="print failures and totals only")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where a check failed, or none could be made."""
    if flags.export:
        with system_errors(LiteError):
            print(f"wrote {write_cases(flags.export, flags.only)} cases to {flags.export}")
        return 0
    if not flags.device:
        raise ConfigError("device-test takes the name of a device, or --export FILE")
    search_first(flags.path)
    if not flags.module:  # those may register it
        refuse_unknown([flags.device])
        warn_of_unknown([flags.device], flags.properties)
    results = run_suite(
        flags.device,
        properties=flags.properties,
        modules=flags.module,
        only=flags.only,
        precision=flags.precision,
        progress=_complain,
    )
    if not flags.quiet:
        print(matrix(results))
    if flags.json:
        Path(flags.json).write_text(
            json.dumps(as_json(flags.device, results), indent=2) + "\n", encoding="utf-8"
        )
    counts = totals(results)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["fail"] or not counts["pass"] else 0


def _complain(result: Result) -> None:
    if result.outcome in ("fail", "not emitted"):
        word = "FAIL" if result.outcome == "fail" else "not emitted for models of Paddle:"
        print(f"{word} {result.name}: {result.text}", flush=True)
