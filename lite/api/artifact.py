"""lite build: compiles a model into an artefact (``lite.api.manifest``)."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import lite
from lite.api.build import Source
from lite.api.compare.difference import difference
from lite.api.devices import DeviceOptions
from lite.api.manifest import MANIFEST, MODEL, Artifact, CompiledShape, Quantization
from lite.api.predictor import Predictor
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, DeviceError, LiteError

Value = tuple[np.ndarray[Any, Any], list[list[int]]]


def build_artifact(
    source: Source,
    sets: Sequence[Mapping[str, Value]],
    folder: str | Path,
    quantization: Quantization | None = None,
) -> Artifact:
    """Writes the folder for a model's devices and the shapes of its inputs.

    Each of `sets` is run once, on the devices and on the CPU; `quantization` is for the manifest.
    Raises ConfigError where there is nothing to do or the folder is not empty, DeviceError where a
    subgraph of the model does not compile, or where what was saved is not restored.
    """
    if not source.devices or not sets:
        raise ConfigError("an artifact needs devices, and a set of inputs at least")
    folder = empty_folder(folder)
    with (
        system_errors(LiteError),
        TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch,
    ):
        made = Path(scratch, "made")
        made.mkdir()
        artifact = replace(_build(source, sets, made), quantization=quantization)
        (made / MANIFEST).write_text(json.dumps(asdict(artifact), indent=2) + "\n")
        folder.rmdir()
        made.rename(folder)  # whole, or not at all
    return artifact


def empty_folder(folder: str | Path) -> Path:
    """Made where it is not there. Raises ConfigError where there is something in it."""
    folder = Path(folder)
    with system_errors(LiteError):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(f"{folder} is not empty: an artifact is a folder of its own")
    return folder


def _build(source: Source, sets: Sequence[Mapping[str, Value]], folder: Path) -> Artifact:
    options = source.devices
    shapes = [{name: list(array.shape) for name, (array, _) in some.items()} for some in sets]
    candidates = {name: _unlike([some[name] for some in shapes]) for name in shapes[0]}
    wished = replace(source, devices=replace(options, dynamic_shapes=candidates))
    model = wished.save_naive_buffer(str(folder / MODEL))
    alone = DeviceOptions(
        options.names, properties=options.properties, cache_dir=str(folder), strict=True
    )
    predictor = lite.load(model, devices=alone)
    reference = Predictor(*replace(source, devices=DeviceOptions()).make_core())
    compiled = [
        _compile(predictor, reference, some, sizes, folder)
        for some, sizes in zip(sets, shapes, strict=True)
    ]
    _restore(lite.load(model, devices=alone), sets)
    padded = _padded_difference(alone, options.padded_axes, model, sets, reference)
    report = predictor.placement()
    places = [op for op in report.operators if not op.is_io]
    return Artifact(
        *(lite.__version__, list(options.names), options.properties, options.padded_axes),
        len(report.subgraphs),
        *(sum(op.place != "cpu" for op in places), len(places), compiled),
        padded,
        {path.name: _sum(path) for path in sorted(folder.iterdir())},
    )


def _compile(
    predictor: Predictor,
    reference: Predictor,
    inputs: Mapping[str, Value],
    shapes: dict[str, list[int]],
    folder: Path,
) -> CompiledShape:
    before = {path.name for path in folder.glob("*.nnc")}
    begin = time.monotonic()
    found = predictor.run(inputs)
    seconds = time.monotonic() - begin
    files = sorted({path.name for path in folder.glob("*.nnc")} - before)
    expected = reference.run(inputs)
    differences = [difference(name, found[name], expected[name]).badness for name in expected]
    return CompiledShape(shapes, files, round(seconds, 2), max(differences, default=0.0))


def _restore(predictor: Predictor, sets: Sequence[Mapping[str, Value]]) -> None:
    for inputs in sets:
        predictor.run(inputs)
        report = predictor.placement()
        for info in report.subgraphs:
            if info.cache_hit is False:
                why = "; ".join(report.warnings) or "the device may not save programs"
                raise DeviceError(
                    f"subgraph {info.id} was compiled again by {', '.join(info.devices)} and not "
                    f"restored from what was saved: {why}"
                )


def _padded_difference(
    options: DeviceOptions,
    axes: Mapping[str, Sequence[int]],
    model: str,
    sets: Sequence[Mapping[str, Value]],
    reference: Predictor,
) -> float | None:
    """What zeros at the end of the first set's inputs change, a quarter of each padded axis."""
    if not axes:
        return None
    shapes = {name: [list(some[name][0].shape) for some in sets] for name in sets[0]}
    inputs = {
        name: (_first_part(array, axes.get(name, ())), lod)
        for name, (array, lod) in sets[0].items()
    }
    expected = reference.run(inputs)
    padded = {name: list(some) for name, some in axes.items()}
    options = replace(options, dynamic_shapes=shapes, padded_axes=padded)
    predictor = lite.load(model, devices=options)
    found = predictor.run(inputs)
    if not any(info.padded_runs for info in predictor.placement().subgraphs):
        raise ConfigError(
            f"{padded}: no subgraph reads these inputs, or what to cut off its "
            "outputs does not follow from their shapes: lite build without --pad"
        )
    return max(difference(name, found[name], expected[name]).badness for name in expected)


def _first_part(array: np.ndarray[Any, Any], axes: Sequence[int]) -> np.ndarray[Any, Any]:
    for axis in axes:
        size = array.shape[axis] * 3 // 4
        size -= size % 32 if size > 32 else 0
        array = array.take(range(size), axis)
    return array


def _unlike(shapes: list[list[int]]) -> list[list[int]]:
    return [list(shape) for shape in dict.fromkeys(map(tuple, shapes))]


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
