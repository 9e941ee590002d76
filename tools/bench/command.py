"""lite bench: how long a model takes to load and to run, and how much memory."""

from __future__ import annotations

import argparse
import json
from typing import Any

from lite.api.profile import Profile
from lite.api.profile.table import peak_line
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError

from ..run import add_model_arguments, device_options
from .compare import compare, comparison_table, parse_engines
from .engines import ENGINES
from .measure import Plan, measure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model_arguments(parser)
    parser.add_argument("--warmup", type=int, default=3, help="runs before measuring (default 3)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--runs", "--repeats", "--iterations", type=int, default=30, dest="repeats",
        help="measured runs (default 30)",
    )  # fmt: skip
    length.add_argument("--seconds", type=float, help="measure for so long instead")
    parser.add_argument("--profile", action="store_true", help="show what each operator takes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--trace", metavar="FILE", help="write a trace for chrome://tracing")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page with a timeline and the roofline"
    )
    parser.add_argument(
        "--compare",
        metavar="ENGINE,...",
        help=f"measure other engines in turn: {', '.join(ENGINES)}, of this "
        "Python or of another one (paddlelite=/path/python3); all in fp32, with as many threads",
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    engines = parse_engines(flags.compare) if flags.compare is not None else {}
    if engines and flags.precision != "fp32":
        raise ConfigError("--compare measures every engine in fp32: leave out --precision")
    devices = device_options(flags)
    plan = Plan(flags.warmup, flags.repeats, flags.seconds)
    result, profile = measure(
        flags.model,
        flags.params,
        flags.input,
        threads=flags.threads,
        plan=plan,
        seed=flags.seed,
        devices=devices,
        precision=flags.precision,
    )
    written = [
        (flags.trace, profile.trace),
        (flags.html, lambda: profile.html(f"{flags.model}: profile")),
    ]
    for path, text in written:
        if path:
            _write(path, text())
    if flags.profile:
        result["profile"] = profile.to_dict()
    if engines:
        result["compare"] = compare(
            flags.model,
            flags.params,
            flags.input,
            engines,
            threads=flags.threads,
            seed=flags.seed,
            devices=devices,
            warmup=flags.warmup,
        )
    if flags.json:
        print(json.dumps(result, indent=2))
        return 0
    print(_readable(result, profile))
    if flags.profile:
        print()
        print(profile.table(), end="")
    if engines:
        print()
        print(comparison_table(result["compare"]), end="")
    for path, _ in written:
        if path:
            print(f"wrote {path}")
    return 0


def _write(path: str, text: str) -> None:
    from lite.model.atomic import replacing

    with system_errors(LiteError), replacing(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))


def _readable(result: dict[str, Any], profile: Profile) -> str:
    shapes = ", ".join(
        f"{name} {'x'.join(map(str, shape)) or 'scalar'}"
        for name, shape in result["inputs"].items()
    )
    return "\n".join(
        (
            f"{result['model']}: {shapes}; {result['threads']} thread(s), {result['isa']}"
            + (f", {result['precision']}" if result["precision"] != "fp32" else ""),
            *([result["placement"]] if "placement" in result else []),
            f"load       {result['load_ms']:10.3f} ms",
            f"first run  {result['first_run_ms']:10.3f} ms",
            f"p50        {result['p50_ms']:10.3f} ms   ({result['repeats']} runs after "
            f"{result['warmup']} warm-up runs)",
            f"p90        {result['p90_ms']:10.3f} ms",
            f"p99        {result['p99_ms']:10.3f} ms",
            f"min        {result['min_ms']:10.3f} ms",
            f"mean       {result['mean_ms']:10.3f} ms   "
            f"({result['throughput_per_s']:.1f} runs a second)",
            f"peak RSS   {result['peak_rss_mb']:10.1f} MB   "
            f"({result['peak_rss_above_import_mb']:.1f} MB above the level after import)",
            f"computes   {result['gflops']:10.1f} GFLOPS   ({result['gflop']:.3f} GFLOP a run, "
            f"{100 * result['peak_share']:.0f} % of the {result['peak']['gflops']:.1f} measured)",
            peak_line(profile),
        )
    )
