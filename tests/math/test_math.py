"""Builds and runs the C++ tests of the CPU maths on every instruction set of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_AVAILABLE = 77  # exit code where the CPU lacks the instruction set


@pytest.fixture(scope="module")
def program() -> Path:
    """The test program; `LITE_TEST_BUILD` names a folder to keep the build in."""
    for tool in ("cmake", "ninja"):
        assert shutil.which(tool), f"{tool} is needed to build the tests"
    build = Path(os.environ.get("LITE_TEST_BUILD", ROOT / "build")) / "math-tests"
    configure = ["cmake", "-G", "Ninja", "-S", ROOT / "lite/kernels/cpu/math", "-B", build]
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", build, "--target", "math_tests"], check=True)
    return build / "tests/math/math_tests"


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
