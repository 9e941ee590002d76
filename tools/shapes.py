"""lite shapes: a few shapes to compile a model for, from the inputs that it is really given."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from lite.api.buckets import Bucket, propose
from lite.api.predictor import TensorInfo
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError

from . import inputs
from .build import padded_axes
from .named_model import add_model, named_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_model(parser)
    parser.add_argument(
        "--input",
        action="append",
        required=True,
        metavar="PATH",
        help="inputs: .npy or .npz files (of all inputs), folders of them, or .txt files with a "
        "line such as 'x:1x3x48x320' for each (repeatable)",
    )
    parser.add_argument(
        "--pad",
        action="append",
        default=[],
        metavar="NAME:AXIS",
        help="an axis along which zeros at the end do no harm (repeatable)",
    )
    parser.add_argument("--most", type=int, default=4, help="so many shapes (default 4)")
    parser.add_argument(
        "--multiple", type=int, default=1, help="sizes are multiples of this (default 1)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON list")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    source = named_model(flags)
    axes = padded_axes(flags.pad)
    with system_errors(LiteError):
        infos = inputs.declared(source.read())
        seen = [shapes for name in flags.input for shapes in _shapes_of(Path(name), infos)]
        found = propose(seen, axes, flags.most, flags.multiple)
    if flags.json:
        print(json.dumps([asdict(bucket) for bucket in found], indent=2))
    else:
        print(_text(found, len(set(map(str, seen))), flags.pad))
    return 0


def _shapes_of(path: Path, infos: list[TensorInfo]) -> list[dict[str, tuple[int, ...]]]:
    if path.is_dir():
        files = sorted(some for some in path.iterdir() if some.suffix in (".npy", ".npz", ".txt"))
        if not files:
            raise ConfigError(f"{path} has no .npy, .npz or .txt files")
        return [shapes for file in files for shapes in _shapes_of(file, infos)]
    if path.suffix == ".txt":
        lines = filter(None, map(str.strip, path.read_text(encoding="utf-8").splitlines()))
        return [inputs.shapes_of(infos, line.split()) for line in lines]
    specs = [f"{info.name}={path}" for info in infos]
    made = inputs.make_inputs(infos, specs, seed=0)
    return [{name: array.shape for name, (array, _) in made.items()}]


def _text(buckets: list[Bucket], distinct: int, pads: list[str]) -> str:
    sets = sum(bucket.sets for bucket in buckets)
    lines = [f"{sets} sets of inputs of {distinct} shapes, padded to {len(buckets)}:"]
    words = []
    for bucket in buckets:
        shapes = [f"{name}:{'x'.join(map(str, shape))}" for name, shape in bucket.shapes.items()]
        lines.append(
            f"  {', '.join(shapes):<28} {bucket.sets:>6} sets, {bucket.padding:4.0%} padding"
        )
        words += [f"--shape {shape}" for shape in shapes]
    words += [f"--pad {pad}" for pad in pads]
    return "\n".join([*lines, f"lite build: {' '.join(words)}"])
