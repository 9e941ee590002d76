"""A folder of a model's real inputs: arrays, or pictures, prepared as inference.yml says."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from lite.api.predictor import TensorInfo
from lite.errors import ConfigError

from . import inputs
from .inputs import Value

HELP = (
    "real inputs of the model: .npy files of its only input, .npz files of all, or pictures, which "
    "are prepared by the inference.yml beside the model"
)
_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp")


def read(
    folder: str, infos: Sequence[TensorInfo], shapes: Sequence[Mapping[str, Value]], model: str
) -> list[dict[str, Value]]:
    """The inputs in a folder, by name. Pictures take the size of the first of `shapes` that they
    fit, or of the declared input.

    Raises ConfigError for a folder without any.
    """
    if not os.path.isdir(folder):
        raise ConfigError(f"--data {folder} is no folder")
    found: list[dict[str, Value]] = []
    pictures: list[Path] = []
    for path in sorted(Path(folder).iterdir()):
        ending = path.suffix.lower()
        if ending == ".npz" or (ending == ".npy" and len(infos) == 1):
            specs = [f"{info.name}={path}" for info in infos]
            found.append(inputs.make_inputs(infos, specs, 0))
        elif ending in _PICTURES:
            pictures.append(path)
    if pictures:
        from .pictures import read as read_pictures

        found += read_pictures(pictures, infos, shapes, model)
    if not found:
        raise ConfigError(f"{folder} has no inputs: expected {HELP}")
    return found


def of_each_shape(data: Sequence[dict[str, Value]]) -> list[dict[str, Value]]:
    """The first ones that have them."""
    first: dict[tuple[tuple[int, ...], ...], dict[str, Value]] = {}
    for some in data:
        first.setdefault(tuple(array.shape for array, _ in some.values()), some)
    return list(first.values())
