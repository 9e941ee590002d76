"""lite compare: every operator of a model on a device against a reference."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace

from lite.api.build import Source
from lite.api.compare import Settings, compare
from lite.api.compare.jobs import REFERENCES
from lite.api.system_errors import system_errors
from lite.core.partition import load_partition_config
from lite.errors import LiteError

from . import inputs
from .named_model import add_model, named_model


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``lite compare`` and ``lite bisect`` share."""
    add_model(parser)
    parser.add_argument(
        "--device",
        action="append",
        required=True,
        metavar="NAME",
        help="the device; several in order of preference, separated by commas or given again",
    )
    parser.add_argument("--properties", default="", help="the devices' properties, key=value;...")
    parser.add_argument(
        "--module", action="append", default=[], help="Python module that registers the device"
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="SPEC",
        help=f"{inputs.HELP}; a second one for the same input is for another run",
    )
    parser.add_argument("--seed", type=int, default=0, help="of random inputs (default 0)")
    parser.add_argument(
        "--reference",
        choices=REFERENCES,
        default=REFERENCES[0],
        help="what computes the right numbers (default cpu)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        metavar="X",
        help="errors up to X times the largest number of a tensor are right (default 0.01)",
    )
    parser.add_argument(
        "--snr",
        type=float,
        metavar="DB",
        help="instead, a tensor needs so many decibels (default 10 for quantised models, "
        "20 for devices that compute in 16 bits)",
    )
    parser.add_argument(
        "--time_limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="after which a device hangs (default 60)",
    )
    parser.add_argument("--partition", default="", help="a partition config file to apply")
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON")


def source_and_settings(flags: argparse.Namespace) -> tuple[Source, Settings]:
    """The model and what is asked about it."""
    source = named_model(flags)
    config = load_partition_config(path=flags.partition or None)
    settings = Settings(
        tuple(name for text in flags.device for name in re.split(r"[,\s]+", text) if name),
        inputs.make_input_sets(inputs.declared(source.read()), flags.input, flags.seed),
        reference=flags.reference,
        properties=flags.properties,
        config=config.text if config else None,
        tolerance=flags.tolerance,
        snr=flags.snr,
        time_limit=flags.time_limit,
        modules=tuple(flags.module),
    )
    return source, settings


def write(path: str | None, text: str) -> None:
    """Writes a report where a file is named."""
    if path:
        with (
            system_errors(LiteError),
            open(path, "w", encoding="utf-8", errors="surrogateescape") as file,
        ):
            file.write(text)
        print(f"wrote {path}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_common_arguments(parser)
    parser.add_argument("--html", metavar="FILE", help="write the graph, coloured by error")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="operators whose name contains this, as conv2d#3"
    )
    parser.add_argument(
        "--prefixes",
        action="store_true",
        help="compile the model up to each operator instead of asking for all results at once",
    )
    parser.add_argument(
        "--at_most",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="after which no further operator is run alone (default 60)",
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where the model or an operator is wrong."""
    source, settings = source_and_settings(flags)
    settings = replace(settings, only=flags.only, at_most=flags.at_most)
    found = compare(source, settings, prefixes=flags.prefixes)
    print(found.table(), end="")
    write(flags.json, found.json())
    if flags.html:
        write(flags.html, found.html())
    return 0 if found.ok else 1
