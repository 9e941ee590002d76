"""Builds and runs the C++ tests of the CPU maths on every instruction set of this machine."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lite import _core

ROOT = Path(__file__).resolve().parents[2]
NOT_AVAILABLE = 77  # exit code where the CPU lacks the instruction set


def _compile(*words: str | Path) -> None:
    command = ["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I", ROOT, *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The test program, with the kernels of the library that is installed."""
    folder = tmp_path_factory.mktemp("math")
    sources = sorted((ROOT / "tests/math").glob("*.cc"))
    objects = [folder / f"{source.stem}.o" for source in sources]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda one, to: _compile("-c", one, "-o", to), sources, objects))
    package = Path(_core.__file__).parent
    libraries = ("-L", str(package), "-lpaddle_lite_core", "-pthread", f"-Wl,-rpath,{package}")
    _compile(*objects, *libraries, "-o", folder / "math_tests")
    return folder / "math_tests"


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("without", ["", "LITE_VNNI", "LITE_BF16_DOT"])
def test_instruction_set(program: Path, isa: str, without: str) -> None:
    """Random shapes of every function against naive loops: the same each time, so that a commit's
    verdict does not change; a hunt sets another seed."""
    seed = os.environ.get("LITE_FUZZ_SEED", "20261121")
    env = {**os.environ, "LITE_ISA": isa, **({without: "0"} if without else {})}
    tests = {"": [], "LITE_VNNI": ["Int8"], "LITE_BF16_DOT": ["Bf16"]}[without]
    run = subprocess.run([program, seed, *tests], env=env, capture_output=True, text=True)
    if run.returncode == NOT_AVAILABLE:
        pytest.skip(f"this machine has no {isa}")
    assert run.returncode == 0, f"seed {seed}\n{run.stdout}\n{run.stderr}"


def test_unknown_instruction_set_falls_back(program: Path) -> None:
    """A level that does not exist is reported, not obeyed."""
    env = {**os.environ, "LITE_ISA": "sse9000"}
    run = subprocess.run([program, "1", "none"], env=env, capture_output=True, text=True)
    assert run.returncode == NOT_AVAILABLE
    assert run.stdout.splitlines()[0].split()[-1] in ("baseline", "avx2", "avx512")
