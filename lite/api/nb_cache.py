"""Optimised models kept as `.nb` files, so that the next process loads without optimising."""

from __future__ import annotations

import contextlib
import hashlib
import os
from functools import cache
from pathlib import Path

import lite
from lite import _core
from lite.api.build import Source, make_core, save_naive_buffer
from lite.api.predictor import Predictor
from lite.errors import LiteError


def load_by_cache(
    model: str | os.PathLike[str],
    params: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    threads: int = 1,
) -> Predictor:
    """What lite.load(model, params, threads=threads) gives, by way of a `.nb` file in ``folder``.

    The file is made again when the model's files or this framework changed, which replaces the
    older one; a folder that cannot be written is no error. Raises as lite.load does.
    """
    source = Source(model_file=os.fspath(model), param_file=os.fspath(params), threads=threads)
    name, state = _key(source)
    path = Path(folder, f"{name}-{state}.nb")
    predictor = _load(path, source) or _make(path, name, source)
    predictor._live().set_threads(threads)
    return predictor


def _load(path: Path, source: Source) -> Predictor | None:
    """The predictor, or None where there is no usable file."""
    with contextlib.suppress(LiteError, OSError):
        return Predictor(source.core_from_file(str(path)), source.cpu_placement)
    return None


def _make(path: Path, name: str, source: Source) -> Predictor:
    program = source.optimized()
    with contextlib.suppress(LiteError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_naive_buffer(program, str(path))
        for old in path.parent.glob(f"{name}-*.nb"):
            if old != path:
                old.unlink(missing_ok=True)
    try:
        return Predictor(make_core(program), source.cpu_placement)
    except LiteError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def _key(source: Source) -> tuple[str, str]:
    """The model's place, and the state of its files and of this framework, as short texts."""
    files = [os.path.realpath(path) for path in (source.model_file, source.param_file)]
    return _digest(*files), _digest(_framework(), *map(_state, files))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:16]


def _state(path: str) -> str:
    found = os.stat(path)
    return f"{found.st_size} {found.st_mtime_ns}"


@cache
def _framework() -> str:
    """Changes with the version, the core and, for who works on it, the optimizer's sources."""
    root = Path(lite.__file__).parent
    sources = [*(root / "model").rglob("*.py"), *(root / "core" / "optimizer").rglob("*.py")]
    libraries = Path(_core.__file__).parent.glob("*.so")
    files = map(str, (*sorted(libraries), *sorted(sources)))
    return _digest(lite.__version__, *map(_state, files))
