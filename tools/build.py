"""lite build: compiles a model for a device, into a folder that a board runs without a compiler."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lite.api.artifact import build_artifact
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.manifest import Artifact
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError
from lite.nnadapter.devices import ensure_devices
from lite.nnadapter.properties import known_keys
from lite.report.places import counted

from . import inputs
from .named_model import add_model, named_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments, which lite quantize has, too."""
    add_model(parser)
    parser.add_argument("--device", required=True, metavar="NAME", help="the device")
    parser.add_argument(
        "--property",
        "--properties",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a property of the device (repeatable); its prefix may be left out",
    )
    parser.add_argument(
        "--shape",
        "--input",
        action="append",
        default=[],
        metavar="SPEC",
        help=f"what to compile for: {inputs.HELP}; another one of the same input is another shape",
    )
    parser.add_argument(
        "--pad",
        action="append",
        default=[],
        metavar="NAME:AXIS",
        help="zeros at the end of this axis do no harm: inputs between the shapes are padded to "
        "the next one, and outputs cut (repeatable)",
    )
    parser.add_argument(
        "--optimize_out", "-o", "--output", required=True, metavar="DIR", help="the folder"
    )
    parser.add_argument("--seed", type=int, default=0, help="of random inputs (default 0)")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    source = source_of(flags)
    with system_errors(LiteError):
        sets = inputs.make_input_sets(inputs.declared(source.read()), flags.shape, flags.seed)
        made = build_artifact(for_device(flags, source, sets), sets, flags.optimize_out)
    print(text_of(made, flags.optimize_out), end="")
    return 0


def source_of(flags: argparse.Namespace) -> Source:
    """The model that is named."""
    ensure_devices([flags.device])
    return named_model(flags)


def for_device(
    flags: argparse.Namespace, source: Source, sets: Sequence[Mapping[str, inputs.Value]]
) -> Source:
    """For the device that is named, and the shapes of these inputs."""
    options = DeviceOptions(
        (flags.device,),
        _properties(flags.device, flags.property),
        dynamic_shapes={name: [list(s[name][0].shape) for s in sets] for name in sets[0]},
        padded_axes=padded_axes(flags.pad),
    )
    return replace(source, devices=options)


def _properties(device: str, given: list[str]) -> str:
    keys = known_keys(device) or ()
    text = ""
    for part in filter(None, ";".join(given).split(";")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(f"--property {part} is no KEY=VALUE")
        whole = f"{device.upper()}_{key}"
        text += f"{whole if whole in keys else key}={value};"
    return text


def padded_axes(given: list[str]) -> dict[str, list[int]]:
    """By input name, from NAME:AXIS. Raises ConfigError."""
    axes: dict[str, list[int]] = {}
    for part in given:
        name, colon, axis = part.rpartition(":")
        if not colon or not axis.isdigit():
            raise ConfigError(f"--pad {part} is no NAME:AXIS")
        axes.setdefault(name, []).append(int(axis))
    return axes


def text_of(made: Artifact, folder: str) -> str:
    """What was made."""
    lines = [
        f"{folder}: {made.on_devices} of {made.operators} operators on {', '.join(made.devices)} "
        f"in {counted(made.subgraphs, 'subgraph')}"
    ]
    for some in made.compiled:
        shapes = ", ".join(
            f"{name}:{'x'.join(map(str, shape))}" for name, shape in some.shapes.items()
        )
        lines.append(
            f"  {shapes}: {len(some.files)} compiled in {some.seconds:.1f} s; from the CPU "
            f"{some.difference:.1e} of the largest number"
        )
    if made.padded_difference is not None:
        lines.append(
            f"  padded: from the CPU without padding {made.padded_difference:.1e} of the largest "
            "number"
        )
    lines.append(
        f"on the board: lite.load({folder!r}), or {folder}/model.nb with the devices, the "
        f"properties '{made.properties}' and the cache folder {folder}"
    )
    return "\n".join(lines) + "\n"
