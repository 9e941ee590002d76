"""A folder that a board runs without the vendor's compiler: a `.nb` and what was compiled of it.

``manifest.json`` says what for: devices and properties, which the board must be given as they are,
the shapes, the axes that are padded to them, the files' checksums, and how far each shape's outputs
were from the CPU's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lite.api.devices import DeviceOptions
from lite.api.system_errors import system_errors
from lite.errors import ModelFormatError

MODEL, MANIFEST = "model.nb", "manifest.json"


@dataclass(frozen=True)
class CompiledShape:
    """What was compiled for the shapes of one set of inputs."""

    shapes: dict[str, list[int]]
    files: list[str]
    seconds: float
    difference: float
    """The largest from the CPU, over the output's largest number."""


@dataclass(frozen=True)
class Quantization:
    """What int8 keeps: 1 is the same as on the CPU in fp32."""

    metric: str
    at_least: float
    in_floats: float
    in_int8: float
    """With all layers in int8 that can be."""
    found: float
    samples: int
    layers: int
    kept: list[str]
    """The layers that stay in floats, by the names of the device's quantiser."""
    refused: list[str]
    """Why whole subgraphs stay in floats."""


@dataclass(frozen=True)
class Artifact:
    """What the manifest says."""

    lite: str
    devices: list[str]
    properties: str
    padded_axes: dict[str, list[int]]
    subgraphs: int
    on_devices: int
    operators: int
    compiled: list[CompiledShape]
    padded_difference: float | None
    """From the CPU without padding, of a shape between; None where nothing is padded."""
    sha256: dict[str, str]
    quantization: Quantization | None = None


def options_of(folder: Path, *, strict: bool) -> DeviceOptions | None:
    """How the programs in a folder run, by its manifest; None where it has none.

    Raises ModelFormatError for a manifest that cannot be read.
    """
    path = folder / MANIFEST
    if not os.path.isfile(path) or not os.path.isfile(folder / MODEL):
        return None
    with system_errors(ModelFormatError):
        text = path.read_bytes()
    try:
        return _options(json.loads(text), folder, strict)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFormatError(f"{path} is not what lite build wrote: {error!r}") from None


def _options(said: Mapping[str, Any], folder: Path, strict: bool) -> DeviceOptions:
    padded = {str(name): [int(axis) for axis in axes] for name, axes in said["padded_axes"].items()}
    shapes: dict[str, list[list[int]]] = {}
    if padded:
        for some in said["compiled"]:
            for name, shape in some["shapes"].items():
                shapes.setdefault(str(name), []).append([int(dim) for dim in shape])
    names = tuple(str(name) for name in said["devices"])
    return DeviceOptions(
        names,
        str(said["properties"]),
        cache_dir=str(folder),
        dynamic_shapes=shapes,
        padded_axes=padded,
        strict=strict,
    )
