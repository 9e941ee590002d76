"""lite print: shows a model of any format as readable text."""

from __future__ import annotations

import argparse

from lite.api.targets import parse_targets
from lite.model.text import print_program

from .named_model import add_model, named_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model(parser)
    parser.add_argument("--optimized", action="store_true", help="after the optimizer's passes")
    parser.add_argument("--valid_targets", default="", help="targets to optimise for")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    targets = parse_targets(flags.valid_targets)
    source = named_model(flags, targets=targets)
    print(print_program(source.optimized() if flags.optimized else source.read()), end="")
    return 0
