"""A Program from a path, a folder or bytes of any format that is read here."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from lite.errors import ModelFormatError
from lite.model.channels_first import put_channels_first
from lite.model.check import check_program
from lite.model.params import load_combined, load_separate, persistable_vars
from lite.model.pdmodel import read_pdmodel
from lite.model.program import Program
from lite.model.sniff import looks_like_nb, looks_like_pir
from lite.model.source import Buffer, BufferSource, FileSource, as_bytes
from lite.model.widen import widen_halves

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
)
"""What a model's folder may hold."""

_COMBINED_NAMES = ("__params__", "params", "weights")


@dataclass(frozen=True)
class _Found:
    """Where a model's bytes are, and the folder in which its parameters may be found."""

    name: str
    data: bytes
    folder: str | None


def _read_whole(path: str, what: str) -> bytes:
    source = FileSource(path, what)
    return source.read(0, source.size)


def _listing(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        message = f"{error.strerror or error}: looked for a model's folder"
        raise type(error)(error.errno, message, folder) from None
    return [name for name in names if not name.startswith(".")]


def _is_pir(path: str) -> bool:
    """Whether a file is a PIR program; a folder may hold other JSON files beside it."""
    return path.endswith(".json") and looks_like_pir(FileSource(path, "program file").read(0, 4096))


def _choose(folder: str, names: list[str], suffix: str) -> str | None:
    found = [name for name in names if name.endswith(suffix)]
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
    name = name or older or _choose(folder, names, ".nb") or _choose(folder, names, ".json")
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


def _find_program(
    path_or_dir: PathLike | None, model_file: PathLike | None, model_bytes: Buffer | None
) -> _Found:
    given = [item for item in (path_or_dir, model_file, model_bytes) if item is not None]
    if len(given) != 1:
        raise ValueError(
            f"expected one of path_or_dir, model_file and model_bytes, got {len(given)} of them"
        )
    if model_bytes is not None:
        return _Found("model bytes", as_bytes(model_bytes, "model_bytes"), None)
    path = os.fspath(given[0])  # type: ignore[arg-type]
    if not isinstance(path, str):
        raise TypeError(f"expected a path as str or os.PathLike[str], got {type(path).__name__}")
    if path_or_dir is not None:
        if os.path.isdir(path):
            path = find_model(path)
        elif not os.path.exists(path):
            siblings = (path + suffix for suffix in (".json", ".pdmodel"))
            path = next(filter(os.path.isfile, siblings), path)
    return _Found(path, _read_whole(path, "program file"), os.path.dirname(path))


def _load_params(
    program: Program, found: _Found, param_file: PathLike | None, param_bytes: Buffer | None
) -> None:
    if param_file is not None and param_bytes is not None:
        raise ValueError("expected param_file or param_bytes, got both")
    variables = persistable_vars(program)
    if param_bytes is not None:
        load_combined(program, BufferSource(param_bytes, "parameter bytes"))
        return
    if param_file is not None:
        path = os.fspath(param_file)
        if variables or os.path.exists(path):
            load_combined(program, FileSource(path, "parameter file"))
        return
    if not variables:
        return
    if found.folder is None:
        raise ModelFormatError(
            f"{found.name}: the program has {len(variables)} parameters (first: "
            f"{variables[0].name!r}); give them as param_bytes or param_file"
        )
    combined = find_params(found.name, {var.name for var in variables})
    if combined is not None:
        load_combined(program, FileSource(combined, "parameter file"))
    else:
        load_separate(program, found.folder or ".")


def _load_nb(found: _Found, param_file: PathLike | None, param_bytes: Buffer | None) -> Program:
    from lite.model.naive_buffer import read_nb

    if param_file is not None or param_bytes is not None:
        raise ValueError(f"{found.name} is a .nb file, which holds its parameters: give no others")
    return read_nb(found.data if found.folder is None else found.name)


def _make_portable(program: Program) -> None:
    """Says in other words what no kernel here computes as it stands."""
    widen_halves(program)
    put_channels_first(program)


def load_program(
    path_or_dir: PathLike | None = None,
    model_file: PathLike | None = None,
    param_file: PathLike | None = None,
    model_bytes: Buffer | None = None,
    param_bytes: Buffer | None = None,
) -> Program:
    """A checked Program with its parameters.

    The program comes from one of ``path_or_dir`` (a model's folder, a program file, or the path
    of a `.json` or `.pdmodel` without its suffix), ``model_file`` and ``model_bytes``. Its
    parameters come from ``param_file`` or ``param_bytes`` (combined), else from the files beside
    the program. A `.nb` file holds both.

    Raises ModelFormatError where a file is not what it should be, FileNotFoundError,
    PermissionError or IsADirectoryError where one cannot be read, ValueError or TypeError for
    arguments that do not fit together.
    """
    found = _find_program(path_or_dir, model_file, model_bytes)
    head = found.data[:4096]
    if looks_like_pir(head):
        from lite.model.pir import read_pir

        program = read_pir(found.data, found.name)
        found = replace(found, data=b"")
        _load_params(program, found, param_file, param_bytes)
        _make_portable(program)
    elif looks_like_nb(head) or found.name.endswith(".nb"):
        program = _load_nb(found, param_file, param_bytes)
    else:
        program = read_pdmodel(found.data, found.name)
        _load_params(program, found, param_file, param_bytes)
        _make_portable(program)
    try:
        check_program(program)
    except ModelFormatError as error:
        raise ModelFormatError(f"{found.name}: {error}") from None
    return program
