"""Applications built against the installed SDK."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compile_once import compile_once

from lite.api.cpp import sdk_path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "model" / "data"

COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]


@functools.cache
def sdk(*words: str) -> list[str]:
    """What ``lite sdk`` prints, split; of the SDK that LITE_TEST_SDK names, if it does."""
    command = [sys.executable, "-m", "lite.tools.cli", "sdk", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    own = str(sdk_path())
    return shlex.split(done.stdout.replace(own, os.environ.get("LITE_TEST_SDK", own)))


def emulator() -> list[str]:
    """What stands before a program that was built for another machine."""
    return shlex.split(os.environ.get("LITE_TEST_EMULATOR", ""))


def compiled(output: Path, sources: list[Path], *flags: str, standard: int = 11) -> Path:
    """An application, built with every warning an error."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [compiler, f"-std=c++{standard}", "-O1", *warnings, *sdk("--cflags")]
    return compile_once([*command, *sources, *flags], output)


@pytest.fixture(scope="session")
def converter_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """paddle_lite_opt of this interpreter."""
    script = tmp_path_factory.mktemp("opt") / "paddle_lite_opt"
    # Also where the package is the source tree, which only the current folder makes known.
    package = shlex.quote(str(sdk_path().parents[1]))
    program = f'exec {shlex.quote(sys.executable)} -m lite.tools.opt.main "$@"'
    script.write_text(f"#!/bin/sh\nexport PYTHONPATH={package}:$PYTHONPATH\n{program}\n")
    script.chmod(0o755)
    return script


@pytest.fixture
def converter(converter_script: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script, which LITE_OPT names in one test."""
    monkeypatch.setenv("LITE_OPT", str(converter_script))
    return converter_script
