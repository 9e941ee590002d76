"""Clients in C99 and C++11, compiled with every warning an error, in processes of their own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lite.api.cpp import sdk_path

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "nnapi.md"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = {"c99": ["gcc", "-std=c99"], "c++11": ["g++", "-std=c++11", "-x", "c++"]}


def _compiled(source: Path, output: Path, language: str) -> Path:
    root = sdk_path()
    flags = [f"-I{root / 'include'}", f"-L{root / 'lib'}"]
    command = [*COMPILERS[language], *WARNINGS, *flags, str(source), "-o", str(output)]
    done = subprocess.run([*command, "-lneuralnetworks", f"-Wl,-rpath-link,{root.parent}"],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return output


def _printed(program: Path) -> str:
    """What it prints; only the SDK's own folder is told to the loader."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(sdk_path() / "lib")}
    environment.pop("LITE_NNAPI_DEVICES", None)
    done = subprocess.run([str(program)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("language", COMPILERS)
def test_misuse(language: str, tmp_path: Path) -> None:
    printed = _printed(_compiled(HERE / "misuse.c", tmp_path / "misuse", language))
    checks, _, failures = printed.splitlines()[-1].partition(" checks, ")
    assert int(checks) >= 80
    assert failures == "0 failures"


@pytest.mark.parametrize("language", COMPILERS)
def test_example_of_the_guide(language: str, tmp_path: Path) -> None:
    text = GUIDE.read_text()
    source = tmp_path / "example.c"
    source.write_text(text.partition("```c\n")[2].partition("```")[0])
    printed = _printed(_compiled(source, tmp_path / "example", language))
    assert printed in text  # the guide shows what it prints
    assert "6.0" in printed
