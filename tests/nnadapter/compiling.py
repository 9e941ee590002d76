"""Compiles C and C++ of the tests with the system's compilers, warnings as errors."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from compile_once import compile_once

import lite

ROOT = Path(__file__).parents[2]
INCLUDE = Path(lite.__file__).parent / "nnadapter/include"  # with the headers that the build makes
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
LIBRARY = ["-shared", "-fPIC", "-fvisibility=hidden"]
# Half a minute of compiling: .ci/sanitize asks for it, and runs what is marked `sanitized`.
_SANITIZERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SANITIZED = _SANITIZERS if os.environ.get("LITE_TEST_SANITIZED") else []
_STANDARD = {".c": ["-std=c99"], ".cc": ["-std=c++17", "-Wextra"]}


def compiled(
    source: Path, output: Path, flags: Sequence[str] = (), compiler: str | None = None
) -> Path:
    """Compiles one source; an AssertionError with the compiler's text where it fails."""
    standard = _STANDARD[source.suffix]
    program = compiler or ("gcc" if source.suffix == ".c" else "g++")
    return compile_once([program, *standard, "-Wall", "-Werror", source, *flags], output)


def undefined_symbols(library: Path) -> list[str]:
    """What a library expects others to define, demangled, weak ones left out."""
    done = subprocess.run(["nm", "-DCu", str(library)], capture_output=True, text=True, check=True)
    lines = (line.split(maxsplit=1) for line in done.stdout.splitlines())
    return [name for kind, name in lines if kind == "U"]
