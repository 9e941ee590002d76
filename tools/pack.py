"""lite pack: stores a `.nb` model's weights as this machine's kernels read them."""

from __future__ import annotations

import argparse
import os

from lite.api.predictor import load, pack

from . import inputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", help="a .nb file")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="default: MODEL.nb.pack, where loading the model looks for it",
    )
    parser.add_argument("--input", action="append", default=[], metavar="SPEC", help=inputs.HELP)
    parser.add_argument("--precision", default="fp32", help="fp32 (the default), bf16 or fp16")
    parser.add_argument("--threads", type=int, default=1, help="threads of the run (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="of random inputs (default 0)")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    with load(flags.model, precision=flags.precision) as predictor:
        values = inputs.make_inputs(predictor.inputs, flags.input, flags.seed)
    path = pack(
        flags.model,
        values,
        flags.output,
        precision=flags.precision,
        threads=flags.threads,
    )
    print(f"wrote {path} ({os.path.getsize(path) / 2**20:.1f} MB)")
    return 0
