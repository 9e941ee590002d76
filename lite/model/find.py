"""Where a model is and what it is: the one answer for a file, a folder or bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass

from lite.errors import ModelFormatError
from lite.model.sniff import HEAD_BYTES, Kind, sniff
from lite.model.source import Buffer, FileSource, as_bytes

PathLike = str | os.PathLike[str]

LAYOUTS = (
    "NAME.json + NAME.pdiparams (Paddle 3)",
    "__model__.json + one file a parameter (Paddle 3)",
    "NAME.pdmodel + NAME.pdiparams",
    "__model__ + one file a parameter",
    "__model__ + __params__ (or params, weights)",
    "model + one file a parameter",
    "model + params (or weights)",
    "one .nb file",
    "one .onnx file",
)
"""What a model's folder may hold."""

_COMBINED_NAMES = ("__params__", "params", "weights")


_OTHERS = {
    ".pt2": "a program of torch.export: convert it with paddle_lite_opt --torch (docs/torch.md)",
    ".pt": "a PyTorch model: export it to ONNX and load that",
    ".pth": "a PyTorch model: export it to ONNX and load that",
    ".tflite": "a TensorFlow Lite model, which this framework does not read",
}


@dataclass(frozen=True)
class Found:
    """A program that was found; ``kind`` is NB, PIR, ONNX or PROGRAM, which the rest passes for."""

    kind: Kind
    name: str
    folder: str | None  # in which parameters may be found
    data: bytes | None = None  # where it was given as bytes

    def read(self) -> bytes:
        """All of the program's bytes."""
        if self.data is not None:
            return self.data
        source = FileSource(self.name, "program file")
        return source.read(0, source.size)


def _kind_of(name: str, head: bytes) -> Kind:
    kind, _ = sniff(head)
    suffix = os.path.splitext(name)[1].lower()
    if suffix == ".onnx":
        return Kind.ONNX  # messages have no beginning of their own
    if kind in (Kind.NB, Kind.PIR, Kind.PROGRAM, Kind.ONNX):
        return kind
    # Its reader says best what is wrong with it.
    return Kind.NB if suffix == ".nb" else Kind.PROGRAM


def _listing(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        message = f"{error.strerror or error}: looked for a model's folder"
        raise type(error)(error.errno, message, folder) from None
    return [name for name in names if not name.startswith(".")]


def _is_pir(path: str) -> bool:
    """Whether a file is a PIR program; a folder may hold other JSON files beside it."""
    if not path.endswith(".json"):
        return False
    return sniff(FileSource(path, "program file").read(0, HEAD_BYTES))[0] is Kind.PIR


def _choose(folder: str, names: list[str], suffix: str) -> str | None:
    found = [name for name in names if name.endswith(suffix)]
    # Paddle's predictor puts what it made of a model beside it.
    found = [name for name in found if not name.startswith("_optimized.")] or found
    for preferred in (f"inference{suffix}", f"model{suffix}", f"__model__{suffix}"):
        if preferred in found:
            return preferred
    if len(found) > 1:
        raise ModelFormatError(
            f"{folder} holds several models: {', '.join(found[:8])}; name one with model_file"
        )
    return found[0] if found else None


def find_model(folder: str) -> str:
    """The path of the program file in a model's folder.

    Raises FileNotFoundError with the accepted layouts where there is none, ModelFormatError where
    there are several.
    """
    names = [name for name in _listing(folder) if not os.path.isdir(os.path.join(folder, name))]
    name = _choose(folder, [n for n in names if _is_pir(os.path.join(folder, n))], ".json")
    older = "__model__" if "__model__" in names else _choose(folder, names, ".pdmodel")
    if older is None and "model" in names:
        older = "model"
    if name is not None and older is not None:
        import logging

        text = "%s holds %s and %s: the newer format, %s, is read"
        logging.getLogger("lite").info(text, folder, name, older, name)
    for suffix in (".nb", ".onnx", ".json"):
        older = older or _choose(folder, names, suffix)
    name = name or older
    if name is None:
        shown = ", ".join(names[:8]) or "nothing"
        raise FileNotFoundError(
            f"{folder} holds no model; looked for {'; '.join(LAYOUTS)}; found {shown}"
        )
    return os.path.join(folder, name)


def find_params(model_file: str, own_names: set[str]) -> str | None:
    """The combined parameter file beside a program file, or None.

    ``own_names`` are the parameters' names: such a file is one parameter's, not a combined one.
    """
    folder, base = os.path.split(model_file)
    stem = base.removesuffix(".pdmodel").removesuffix(".json")
    for name in (f"{stem}.pdiparams", *_COMBINED_NAMES):
        path = os.path.join(folder, name)
        if name not in own_names and os.path.isfile(path):
            return path
    names = [name for name in _listing(folder or ".") if name.endswith(".pdiparams")]
    if len(names) == 1 and not base.endswith((".pdmodel", ".json")):
        return os.path.join(folder, names[0])
    return None


def find_program(
    path_or_dir: PathLike | None = None,
    model_file: PathLike | None = None,
    model_bytes: Buffer | None = None,
) -> Found:
    """The program in a model's folder, in a file or in bytes, one of which is given.

    ``path_or_dir`` may leave out the suffix of a `.json` or `.pdmodel`. Raises FileNotFoundError,
    PermissionError or IsADirectoryError where nothing can be read, ModelFormatError for what is
    known to be something else, ValueError or TypeError for other arguments.
    """
    given = [item for item in (path_or_dir, model_file, model_bytes) if item is not None]
    if len(given) != 1:
        raise ValueError(
            f"expected one of path_or_dir, model_file and model_bytes, got {len(given)} of them"
        )
    if model_bytes is not None:
        data = as_bytes(model_bytes, "model_bytes")
        return Found(_kind_of("", data), "model bytes", None, data)
    path = os.fspath(given[0])  # type: ignore[arg-type]
    if not isinstance(path, str):
        raise TypeError(f"expected a path as str or os.PathLike[str], got {type(path).__name__}")
    if path_or_dir is not None:
        if os.path.isdir(path):
            path = find_model(path)
        elif not os.path.exists(path):
            siblings = (path + suffix for suffix in (".json", ".pdmodel"))
            path = next(filter(os.path.isfile, siblings), path)
    head = FileSource(path, "program file").read(0, HEAD_BYTES)
    other = _OTHERS.get(os.path.splitext(path)[1].lower())
    if other is not None:
        raise ModelFormatError(f"{path} is {other}")
    return Found(_kind_of(path, head), path, os.path.dirname(path))
