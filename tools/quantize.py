"""lite quantize: compiles a model in int8, and leaves in floats what would cost its accuracy."""

from __future__ import annotations

import argparse
import sys

from lite.api.manifest import Quantization
from lite.api.quantize import METRICS, quantize_artifact
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError

from . import build, inputs, samples

MOST_SHAPES = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    build.add_arguments(parser)
    parser.add_argument("--data", required=True, metavar="DIR", help=samples.HELP)
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="cosine",
        help="of the outputs, against the CPU in fp32: their cosine (default), the share of rows "
        "with the same best class, or of characters of a text recogniser",
    )
    parser.add_argument(
        "--at-least", type=float, default=0.999, metavar="SHARE", help="to reach (default 0.999)"
    )
    parser.add_argument(
        "--most-trials",
        type=int,
        default=80,
        metavar="N",
        help="compilations to find out where accuracy is lost (default 80)",
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    if not 0 < flags.at_least <= 1 or flags.most_trials < 1:
        raise ConfigError("--at-least is a share from 0 to 1, --most-trials at least 1")
    source = build.source_of(flags)
    with system_errors(LiteError):
        infos = inputs.declared(source.read())
        shapes = inputs.make_input_sets(infos, flags.shape, flags.seed) if flags.shape else []
        data = samples.read(flags.data, infos, shapes, flags.model)
        sets = shapes or samples.of_each_shape(data)
        if len(sets) > MOST_SHAPES:
            raise ConfigError(
                f"{flags.data} has {len(sets)} shapes, which are {len(sets)} programs: name some "
                "with --shape (lite shapes proposes them) and an axis with --pad"
            )
        made = quantize_artifact(
            *(build.for_device(flags, source, sets), sets, data, flags.optimize_out),
            metric=flags.metric,
            at_least=flags.at_least,
            most_trials=flags.most_trials,
            say=lambda line: print(line, file=sys.stderr, flush=True),
        )
    print(build.text_of(made, flags.optimize_out), end="")
    if made.quantization is not None:
        print(_text(made.quantization), end="")
    return 0


def _text(made: Quantization) -> str:
    refused = "".join(f"a subgraph stays in floats: {why}\n" for why in made.refused)
    return refused + (
        f"int8: {made.layers - len(made.kept)} of {made.layers} layers; {made.metric} over "
        f"{made.samples} samples {made.found:.5f} (all in int8 {made.in_int8:.5f}, in floats "
        f"{made.in_floats:.5f})\n"
    )
