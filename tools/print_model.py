"""lite print: shows a model of any format as readable text."""

from __future__ import annotations

import argparse

from lite.api import arguments
from lite.api.build import Source
from lite.api.targets import parse_targets
from lite.model.text import print_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "model", help="a folder, or an inference.json, .pdmodel, __model__ or .nb file"
    )
    parser.add_argument("--params", help="the combined parameters, when not beside the model")
    parser.add_argument("--optimized", action="store_true", help="after the optimizer's passes")
    parser.add_argument("--valid_targets", default="", help="targets to optimise for")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    path = arguments.path(flags.model, "the model")
    targets = parse_targets(flags.valid_targets)
    if flags.params:
        source = Source(model_file=path, param_file=flags.params, targets=targets)
    else:
        source = Source(model_dir=path, targets=targets)
    print(print_program(source.optimized() if flags.optimized else source.read()), end="")
    return 0
