"""Where a vendor's toolkit is: an environment of its own, which `lite device setup` makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir

from lite.errors import DeviceError

_VERSION = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"


def user_folder(variable: str, default: str) -> Path:
    """The package's folder in one of the XDG Base Directory Specification's; a temporary one for a
    user without a home."""
    try:
        base = Path(os.environ.get(variable) or Path.home() / default)
    except RuntimeError:
        base = Path(gettempdir(), default)
    return base / "paddle-lite-predictor"


@dataclass(frozen=True)
class Toolkit:
    """A vendor's package, and what it is installed with."""

    device: str
    package: str
    requirements: tuple[str, ...]  # all that is needed: pip resolves nothing
    minors: tuple[int, ...]  # Python 3.x that it has wheels for, the best first
    tool: Path  # what a worker runs

    @property
    def folder(self) -> Path:
        """The environment that `set_up` makes."""
        return user_folder("XDG_DATA_HOME", ".local/share") / "toolkits" / self.device

    def is_here(self, named: str = "") -> bool:
        """Whether `python` gives one."""
        return self._version(str(self._interpreter_of(named))) is not None

    def python(self, named: str = "") -> str:
        """The interpreter: the one that is named, or `set_up`'s. Raises DeviceError where the
        toolkit is not there."""
        found = self._interpreter_of(named)
        if not self.is_here(named):
            lacks = f"{found} has no" if named else "here is no"
            raise DeviceError(f"{lacks} {self.package}; run lite device setup {self.device}")
        return str(found)

    def _interpreter_of(self, named: str) -> Path:
        return Path(named) if named else self.folder / "bin" / "python"

    def version(self, python: str) -> str:
        """The package and its version, in an interpreter that `python` gave."""
        return f"{self.package} {self._version(python)}"

    def fingerprint(self) -> str:
        """Of the tool's text, and that of files beside it whose names begin with its name."""
        return _fingerprint_of(self.tool)

    def _version(self, python: str) -> str | None:
        return _version_in(python, self.package) if os.path.exists(python) else None

    def set_up(self, python: str = "") -> Path:
        """Makes the environment with an interpreter, or the first one here that will do.

        Raises DeviceError with pip's last words.
        """
        base = python or self._base()
        folder = self.folder
        shutil.rmtree(folder, ignore_errors=True)
        _run([base, "-m", "venv", str(folder)])
        pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        try:
            _run([*pip, "install", "-q", "--no-deps", *self.requirements])
        except DeviceError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        _version_in.cache_clear()
        self.python()
        return folder

    def _base(self) -> str:
        if sys.version_info[1] in self.minors:
            return sys.executable
        for minor in self.minors:
            found = shutil.which(f"python3.{minor}")
            if found:
                return found
        versions = ", ".join(f"3.{minor}" for minor in self.minors)
        raise DeviceError(f"{self.package} needs Python {versions}: name one with --python")


@lru_cache(maxsize=16)
def _fingerprint_of(path: Path) -> str:
    files = sorted(path.parent.glob(f"{path.stem}*{path.suffix}"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


@lru_cache(maxsize=16)
def _version_in(python: str, package: str) -> str | None:
    command = [python, "-I", "-c", _VERSION, package]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise DeviceError(f"{command[0]} does not start: {error}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[-1000:]
        raise DeviceError(f"{' '.join(command[:4])} ... failed: {said}")
