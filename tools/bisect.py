"""lite bisect: the operators that go wrong on a device, and the config that avoids them."""

from __future__ import annotations

import argparse

from lite.api.compare import bisect
from lite.errors import ConfigError

from .compare import add_common_arguments, source_and_settings, write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_common_arguments(parser)
    parser.add_argument(
        "--output",
        metavar="FOLDER",
        default="bisect",
        help="for reproductions and partition.txt, written where something is wrong",
    )
    parser.add_argument(
        "--most", type=int, default=10, metavar="N", help="faults after which to give up"
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where something is wrong."""
    if flags.most < 1:
        raise ConfigError(f"--most {flags.most}: expected 1 or more")
    source, settings = source_and_settings(flags)
    found = bisect(source, settings, folder=flags.output, most=flags.most)
    print(found.table(), end="")
    write(flags.json, found.json())
    if found.culprits:
        print(f"wrote {flags.output}")
    return 0 if found.ok else 1
