"""Checks of files: is the package whole, is it the only one, does it have what it needs?"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import lite

from .finding import OK, WARNING, WRONG, ChildError, Finding, ask

NAME = "paddle-lite-predictor"
LIBRARIES = (
    "libpaddle_lite_core.so",
    "libnnadapter.so",
    "libnnadapter_compat.so",
    "libfake_device.so",
)
EXTENSIONS = ("_core", "_nnadapter")
_NEEDED = {"numpy": "numpy", "protobuf": "google.protobuf", "pyyaml": "yaml"}
_REINSTALL = f"pip install --force-reinstall --no-deps {NAME}"


def findings() -> Iterator[Finding]:
    """All checks of this file."""
    home = folder()
    distributions = _installed(NAME)
    yield _place(home, distributions)
    yield from _interpreter(home)
    yield from _files(home, next(iter(distributions.values()), None))
    yield from _copies(home)
    yield from _compatible_name()
    yield from _requirements(next(iter(distributions.values()), None))
    yield from _commands()


def folder() -> Path:
    """Where the package is that was imported."""
    return Path(lite.__path__[0])


def _installed(name: str) -> dict[str, importlib.metadata.Distribution]:
    """What pip has installed of this name, by folder."""
    found = importlib.metadata.Distribution.discover(name=name)
    return {str(Path(str(one.locate_file(""))).resolve()): one for one in found}


def _place(home: Path, distributions: dict[str, importlib.metadata.Distribution]) -> Finding:
    says = f"lite {lite.__version__} in {home}"
    if len(distributions) > 1:
        places = ", ".join(distributions)
        return Finding(
            "package",
            WRONG,
            f"{says}; installed more than once: {places}",
            f"pip uninstall {NAME} until nothing is left, then install it",
        )
    if not distributions:
        return Finding("package", OK, f"{says}, which pip does not know")
    ((where, found),) = distributions.items()
    if found.version != lite.__version__:
        return Finding(
            "package",
            WRONG,
            f"{says}, but pip has installed {found.version} in {where}",
            _REINSTALL,
        )
    if _is_editable(found) or Path(where).resolve() == home.parent.resolve():
        return Finding("package", OK, says)
    return Finding(
        "package",
        WARNING,
        f"{says} hides what pip has installed in {where}",
        "start Python in another folder, or take that one from PYTHONPATH",
    )


def _is_editable(found: importlib.metadata.Distribution) -> bool:
    return '"editable": true' in (found.read_text("direct_url.json") or "").replace(
        '"editable":true', '"editable": true'
    )


def _interpreter(home: Path) -> Iterator[Finding]:
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    version = sys.version.split()[0]
    for name in EXTENSIONS:
        if (home / f"{name}{suffix}").exists():
            continue
        others = sorted(path.name for path in home.glob(f"{name}.*.so"))
        if others:
            yield Finding(
                "interpreter",
                WRONG,
                f"Python {version} needs {name}{suffix}; here is "
                f"only {', '.join(others)}, which another Python loads",
                f"{sys.executable} -m {_REINSTALL}",
            )
            return
        yield Finding("interpreter", WRONG, f"{name}{suffix} is missing in {home}", _REINSTALL)
        return
    yield Finding("interpreter", OK, f"Python {version}, {sys.executable}")


def _files(home: Path, found: importlib.metadata.Distribution | None) -> Iterator[Finding]:
    missing = [name for name in LIBRARIES if not (home / name).exists()]
    changed: list[str] = []
    listed = [] if found is None or _is_editable(found) else list(_record(found))
    for name, path, mode, value in listed:
        if not path.exists():
            missing += [name] if path.name not in missing else []
        elif _digest(path, mode) != value:
            changed.append(name)
    for names, what in ((missing, "missing"), (changed, "not as they were installed")):
        if names:
            more = f" and {len(names) - 8} more" if len(names) > 8 else ""
            yield Finding("files", WRONG, f"{what}: {', '.join(names[:8])}{more}", _REINSTALL)
    if not missing and not changed:
        yield Finding(
            "files", OK, f"{len(listed)} as they were installed" if listed else "all here"
        )


def _record(found: importlib.metadata.Distribution) -> Iterator[tuple[str, Path, str, str]]:
    """What pip installed: name, path, kind of hash and its value. `Distribution.files` leaves out
    what is missing since Python 3.12."""
    for row in csv.reader((found.read_text("RECORD") or "").splitlines()):
        mode, _, value = row[1].partition("=") if len(row) > 1 else ("", "", "")
        if value:
            yield row[0], Path(str(found.locate_file(row[0]))), mode, value


def _digest(path: Path, mode: str) -> str:
    """As RECORD has it."""
    digest = hashlib.new(mode, path.read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _copies(home: Path) -> Iterator[Finding]:
    """Other modules of our name in the search path: which one is found depends on its order."""
    others = []
    for entry in dict.fromkeys(sys.path):
        package, module = Path(entry or ".") / "lite", Path(entry or ".") / "lite.py"
        if any(package.glob("*.py")) and package.resolve() != home.resolve():
            others.append(str(package.resolve()))
        if module.is_file():
            others.append(str(module.resolve()))
    if others:
        yield Finding(
            "second copy",
            WARNING,
            f"{', '.join(others)} in the search path as well",
            "remove what is not wanted: the order of sys.path decides",
        )
    else:
        yield Finding("second copy", OK, "none in the search path")


def _compatible_name() -> Iterator[Finding]:
    """paddlelite is ours, unless Paddle Lite's own wheel is installed too."""
    for where, found in _installed("paddlelite").items():
        yield Finding(
            "paddlelite",
            WRONG,
            f"Paddle Lite's own wheel {found.version} is installed "
            f"in {where} and shares files with this one",
            f"pip uninstall paddlelite, then {_REINSTALL}",
        )


def _requirements(found: importlib.metadata.Distribution | None) -> Iterator[Finding]:
    wanted = dict.fromkeys(_NEEDED, "")
    for text in (found.requires if found else None) or []:
        match = re.fullmatch(r"([\w-]+)>=([\d.]+)", text.strip())
        if match and match[1].lower() in wanted:
            wanted[match[1].lower()] = match[2]
    for name, least in wanted.items():
        yield _requirement(name, least)


def _requirement(name: str, least: str) -> Finding:
    do = f"pip install '{name}{f'>={least}' if least else ''}'"
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, WRONG, "not installed", do)
    if least and _numbers(version) < _numbers(least):
        return Finding(name, WRONG, f"{version}, but {least} or newer is needed", do)
    script = f"import json, {_NEEDED[name]} as module; print(json.dumps(str(module.__file__)))"
    if name == "protobuf":
        script = (
            "import json; from google.protobuf.internal import api_implementation as it; "
            "print(json.dumps(it.Type()))"
        )
    try:
        answer = ask(script)
    except ChildError as error:
        return Finding(
            name,
            WRONG,
            f"{version} does not import: {error}",
            f"pip install --force-reinstall {name}",
        )
    if answer == "python":
        return Finding(
            name,
            WARNING,
            f"{version} in pure Python: models load slowly",
            "unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION, or reinstall it",
        )
    return Finding(name, OK, f"{version}{f', {answer}' if name == 'protobuf' else ''}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version.split("+")[0])[:3]]


def _commands() -> Iterator[Finding]:
    """The commands of the PATH may belong to another Python's installation."""
    for name in ("lite", "paddle_lite_opt"):
        path = shutil.which(name)
        if path is None:
            continue
        with open(path, "rb") as file:
            first = file.read(4096).decode("utf-8", "replace")
        own = str(Path(sys.executable).parent)
        if own not in first and str(Path(path).parent) != own:
            yield Finding(
                "commands",
                WARNING,
                f"{path} is another Python's",
                f"put {own} first in PATH, or use {sys.executable} -m lite.tools.cli",
            )
            return
    yield Finding(
        "commands", OK, "lite and paddle_lite_opt are this Python's, where they are found"
    )
