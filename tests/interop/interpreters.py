"""Finds Pythons that have a real paddlelite, or paddlepaddle."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NOT_RUN = "interop: not run"

_PROBE = (
    "import importlib.util as u, sys;"
    "real = u.find_spec('paddlelite');"
    "real = real and __import__('glob').glob(real.submodule_search_locations[0] + '/lite*.so');"
    "version = ''\n"
    "if real:\n"
    "    import paddlelite.lite as lite; version = lite.Opt().version().split()[-1]\n"
    "print('FOUND', version, bool(u.find_spec('paddle')))"
)


@dataclass(frozen=True)
class Interpreter:
    """A Python; ``lite_version`` is empty where it has no real paddlelite."""

    path: str
    lite_version: str
    has_paddle: bool


def _candidates() -> list[str]:
    named = os.environ.get("LITE_INTEROP_PYTHONS", "")
    if named:
        return [path for path in named.split(":") if path]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return [str(path) for path in sorted(pyenv.glob("*/bin/python"))]


def _probe(path: str) -> Interpreter | None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [path, "-c", _PROBE], capture_output=True, text=True, timeout=60, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    for line in done.stdout.splitlines():
        if line.startswith("FOUND "):
            _, version, paddle = line.split(" ")
            return Interpreter(path, version, paddle == "True")
    return None


@cache
def interpreters() -> tuple[Interpreter, ...]:
    """Every interpreter of LITE_INTEROP_PYTHONS (colon separated) or pyenv, and this one."""
    found = [_probe(path) for path in dict.fromkeys([*_candidates(), sys.executable])]
    return tuple(one for one in found if one is not None)


def real_lites() -> list[Interpreter]:
    """Those with a real paddlelite."""
    return [one for one in interpreters() if one.lite_version]


def paddle_python() -> Interpreter | None:
    """One with paddlepaddle, for reference outputs."""
    return next((one for one in interpreters() if one.has_paddle), None)


def run_script(interpreter: Interpreter, script: str, *arguments: str) -> int:
    """Runs a script of this folder; its exit status (negative for a signal)."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [interpreter.path, str(Path(__file__).with_name(script)), *arguments],
        capture_output=True,
        timeout=300,
        env=environment,
        cwd="/",
    )
    return done.returncode
