"""lite partition: shows what of a model a device takes; writes a partition config on request."""

from __future__ import annotations

import argparse
import os
import re
import warnings

from lite.api.build import save_naive_buffer
from lite.api.device_check import DeviceCheck
from lite.api.system_errors import system_errors
from lite.api.targets import CPU_TARGETS, parse_targets
from lite.core.partition import (
    PartitionOptions,
    PartitionRequest,
    Placement,
    load_partition_config,
    partition,
)
from lite.errors import ConfigError, DeviceError, LiteError
from lite.model.program import Program
from lite.nnadapter.known import refuse_unknown
from lite.nnadapter.properties import warn_of_unknown

from .named_model import add_model, named_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
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
        "--input",
        action="append",
        default=[],
        metavar="NAME:1x3x224x224",
        help="an input's shape, where it matters to the device",
    )
    parser.add_argument("--config", help="a partition config to apply")
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="also write a partition config to edit",
    )
    parser.add_argument("--force", action="store_true", help="replace the config that is there")
    for name in ("json", "dot", "html"):
        parser.add_argument(f"--{name}", metavar="FILE", help=f"write the report as {name.upper()}")
    parser.add_argument("--nb", metavar="FILE", help="also write the partitioned model")
    parser.add_argument(
        "--export-onnx", metavar="DIR", help="write each subgraph as an ONNX model into a folder"
    )
    parser.add_argument("--targets", default="", help="CPU targets of --nb (default: this CPU)")
    parser.add_argument("--strict", action="store_true", help="a refused operator is an error")
    parser.add_argument("--min_size", type=int, default=1, metavar="N", help="operators, at least")
    parser.add_argument(
        "--min_compute", type=int, default=0, metavar="N", help="multiply-adds, at least"
    )
    parser.add_argument(
        "--max_transfers", type=int, metavar="N", help="tensors to and from all subgraphs, at most"
    )
    parser.add_argument(
        "--no_compute", action="store_true", help="keep subgraphs that only move data"
    )
    parser.add_argument(
        "--shape_arithmetic", action="store_true", help="put all shape arithmetic on the device"
    )


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    devices = tuple(name for text in flags.device for name in re.split(r"[,\s]+", text) if name)
    if not devices:
        raise ConfigError("--device names no device")
    refuse_unknown(devices)
    warn_of_unknown(devices, flags.properties)
    targets = parse_targets(flags.targets)
    if any(target not in CPU_TARGETS for target in targets):
        raise ConfigError(f"--targets {flags.targets} names a device; give it with --device")
    output = _output(flags)
    source = named_model(flags)
    program = source.read()
    shapes = dict(input_shape(text, program) for text in flags.input)
    request = PartitionRequest(
        devices,
        DeviceCheck(devices, flags.properties, shapes, offline=True),
        config=load_partition_config(path=flags.config),
        options=PartitionOptions(
            flags.min_size,
            flags.min_compute,
            flags.max_transfers,
            flags.no_compute,
            flags.shape_arithmetic,
        ),
        strict=flags.strict,
        shapes=shapes,
        model=source.name,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the report repeats them
        try:
            optimized, placement = partition(program, request, targets)
        except DeviceError as error:
            if isinstance(error.placement, Placement):
                _report(error.placement, flags, output)
            raise
    _report(placement, flags, output)
    if flags.export_onnx:
        from lite.model.onnx import write_subgraphs

        with system_errors(LiteError):
            for path in write_subgraphs(optimized, flags.export_onnx, shapes=request.shapes):
                print(f"wrote {path}")
    if flags.nb:
        print(f"wrote {save_naive_buffer(optimized, flags.nb)}")
    return 0


def _output(flags: argparse.Namespace) -> str | None:
    """Where the config goes. ConfigError where one is there that nobody asked to replace."""
    output: str | None = flags.output
    if output and os.path.exists(output) and not flags.force:
        raise ConfigError(f"{output} exists and may have been edited; --force replaces it")
    return output


def input_shape(text: str, program: Program) -> tuple[str, list[int]]:
    """An input's name and shape, as the command line has them; ConfigError for anything else."""
    known = program.feed_names()
    name, _, dims = text.rpartition(":")
    if not name and len(known) == 1:
        name = known[0]
    if name not in known or not re.fullmatch(r"-?\d{1,9}(x-?\d{1,9})*", dims):
        raise ConfigError(
            f"--input {text} is no shape of an input; write NAME:1x3x224x224 with one of "
            f"{', '.join(known) or 'no inputs'}"
        )
    return name, [int(dim) for dim in dims.split("x")]


def _report(placement: Placement, flags: argparse.Namespace, output: str | None) -> None:
    print(placement.table(), end="")
    title = f"{placement.model} on {', '.join(placement.devices)}"
    files = [
        (output, placement.config_text),
        (flags.json, placement.json),
        (flags.dot, placement.dot),
        (flags.html, lambda: placement.html(title)),
    ]
    for path, text in files:
        if path:
            with (
                system_errors(LiteError),
                open(path, "w", encoding="utf-8", errors="surrogateescape") as file,
            ):
                file.write(text())
            print(f"wrote {path}")
