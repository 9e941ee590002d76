"""Inputs of a model from the command line: files, or random numbers of a shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.api.predictor import TensorInfo
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, ModelFormatError
from lite.model.params import NUMPY_TYPES
from lite.model.program import Program

Value = tuple[np.ndarray[Any, Any], list[list[int]]]

HELP = (
    "x=file.npy, x=file.npz (array 'x' and its LoD 'x.lod0', 'x.lod1', ...), or x:1x3x224x224 for "
    "random numbers; a model with one input needs no name"
)

_SHAPE = re.compile(r"\d+(x\d+)*|scalar")


def declared(program: Program) -> list[TensorInfo]:
    """A program's inputs, without loading it."""
    infos = []
    for name in program.feed_names():
        var = program.root.vars[name]
        dtype = NUMPY_TYPES.get(var.dtype) if var.dtype is not None else None
        infos.append(TensorInfo(name, tuple(var.shape), np.dtype(dtype).name if dtype else None))
    return infos


def shapes_of(infos: Sequence[TensorInfo], specs: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """The shapes of ``x:1x3x224x224`` and the like, of every input; declared ones may be left out.

    Raises ConfigError as make_inputs does.
    """
    given = dict(_split(spec, [info.name for info in infos]) for spec in specs)
    for name, body in given.items():
        if body[0] != ":" or not _SHAPE.fullmatch(body[1:]):
            raise ConfigError(f"{name}{body} is no shape; write {name}:1x3x224x224")
    return {
        info.name: _dims(given[info.name][1:]) if info.name in given else _declared_shape(info)
        for info in infos
    }


def make_inputs(infos: Sequence[TensorInfo], specs: Sequence[str], seed: int) -> dict[str, Value]:
    """An array and LoD for every input: from its spec, else random in its declared shape.

    Random float data is standard normal, in both parts of complex numbers; random integers are 0
    or 1. An unknown batch size is 1.
    Raises ConfigError for a spec that cannot be read and for shapes that are not known.
    """
    names = {info.name: info for info in infos}
    given = dict(_split(spec, list(names)) for spec in specs)
    random = np.random.default_rng(seed)
    return {name: _value(given.get(name), info, random) for name, info in names.items()}


def make_input_sets(
    infos: Sequence[TensorInfo], specs: Sequence[str], seed: int
) -> list[dict[str, Value]]:
    """Several sets: the second spec of an input belongs to the second one, and so on.

    An input that has no spec there is what it was in the first set.
    """
    names = [info.name for info in infos]
    listed: list[list[str]] = [[]]
    counts = dict.fromkeys(names, 0)
    for spec in specs:
        name, _ = _split(spec, names)
        if counts[name] == len(listed):
            listed.append([])
        listed[counts[name]].append(spec)
        counts[name] += 1
    first = make_inputs(infos, listed[0], seed)
    sets = [first]
    for at, some in enumerate(listed[1:], 1):
        given = {_split(spec, names)[0] for spec in some}
        made = make_inputs([info for info in infos if info.name in given], some, seed + at)
        sets.append({**first, **made})
    return sets


def _split(spec: str, names: list[str]) -> tuple[str, str]:
    for name in sorted(names, key=len, reverse=True):
        if spec.startswith((f"{name}=", f"{name}:")):
            return name, spec[len(name) :]
    if len(names) == 1 and (_SHAPE.fullmatch(spec) or spec.endswith((".npy", ".npz"))):
        return names[0], f"{':' if _SHAPE.fullmatch(spec) else '='}{spec}"
    raise ConfigError(
        f"--input {spec} names no input of the model; it has {', '.join(names) or 'none'}. "
        f"Write {HELP}"
    )


def _value(spec: str | None, info: TensorInfo, random: np.random.Generator) -> Value:
    if spec is None:
        return _random(_declared_shape(info), info, random), []
    body = spec[1:]
    if spec[0] == "=":
        return _from_file(body, info.name)
    if not _SHAPE.fullmatch(body):
        raise ConfigError(f"--input {info.name}:{body} is no shape; write {info.name}:1x3x224x224")
    return _random(_dims(body), info, random), []


def _dims(text: str) -> tuple[int, ...]:
    return () if text == "scalar" else tuple(int(dim) for dim in text.split("x"))


def _declared_shape(info: TensorInfo) -> tuple[int, ...]:
    shape = tuple(
        1 if dim < 0 and axis == 0 and len(info.shape) > 1 else dim
        for axis, dim in enumerate(info.shape)
    )
    if any(dim < 0 for dim in shape):
        raise ConfigError(
            f"input {info!r} has a free shape; give one with --input {info.name}:1x3x224x224"
        )
    return shape


def _random(
    shape: tuple[int, ...], info: TensorInfo, random: np.random.Generator
) -> np.ndarray[Any, Any]:
    dtype = np.dtype(info.dtype or "float32")
    if dtype.kind == "c":
        parts = random.standard_normal((2, *shape), np.float32)
        return np.asarray(parts[0] + 1j * parts[1], dtype)
    if dtype.kind == "f":
        return np.asarray(random.standard_normal(shape, np.float32), dtype)
    return np.asarray(random.integers(0, 2, shape), dtype)


def _from_file(path: str, name: str) -> Value:
    with system_errors(ModelFormatError):
        try:
            loaded = np.load(path, allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise ModelFormatError(f"{path} is no .npy or .npz file: {error}") from None
        if isinstance(loaded, np.ndarray):
            return loaded, []
        with loaded as archive:
            return _from_archive(archive, path, name)


def _from_archive(archive: Any, path: str, name: str) -> Value:
    arrays = [key for key in archive.files if ".lod" not in key]
    key = name if name in arrays else arrays[0] if len(arrays) == 1 else None
    if key is None:
        raise ConfigError(f"{path} has no array '{name}'; it has {', '.join(arrays) or 'none'}")
    lod: list[list[int]] = []
    while f"{key}.lod{len(lod)}" in archive.files:
        lod.append([int(offset) for offset in archive[f"{key}.lod{len(lod)}"]])
    return archive[key], lod
