"""The tests of the CPU maths for 64-bit Arm: cross-built in LITE_AARCH64, under qemu-user, as
several CPUs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cross.built import BUILT, ROOT
from machines import with_caches

LIBRARIES = "/usr/aarch64-linux-gnu"
# Parts of the harness that take seconds in the emulator. Small convolutions, Winograd, transposed
# ones, bf16 and convolutions of fp16 take minutes.
PARTS = (
    "Attention",
    "Bytes",
    "ConvLarge",
    "Depthwise",
    "Gemm",
    "Int8",
    "Packed",
    "Pool",
    "Steps",
    "VectorMath",
)
FP16_CPUS = (("cortex-a53", "neon"), ("cortex-a76", "dotprod"), ("max", "dotprod"))
# CPU, LITE_ISA -> the instruction set in use. Other than in dot products of bytes they run the same
# instructions.
RUNS = [
    *(("cortex-a53", "", "neon", part) for part in PARTS),
    *(("cortex-a76", "", "dotprod", part) for part in ("Int8", "Bytes", "GemmPacked")),
    *(("max", "", "dotprod", part) for part in ("Int8", "Bytes", "GemmPacked")),
    ("max", "neon", "neon", "Int8"),
    # With arithmetic of fp16 and, on the first, without.
    *((cpu, "", isa, part) for cpu, isa in FP16_CPUS for part in ("Fp16Gemm", "Fp16Specials")),
]

pytestmark = pytest.mark.skipif(
    not BUILT.exists() or shutil.which("qemu-aarch64") is None,
    reason="LITE_AARCH64 names no folder, or there is no qemu-aarch64",
)


@pytest.fixture(scope="module")
def program() -> Path:
    """The test program for Arm."""
    build = BUILT / "math-tests"
    configure: list[str | Path] = ["cmake", "-G", "Ninja", "-S", ROOT / "lite/kernels/cpu/math"]
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'tools/cross/aarch64.cmake'}"
    strict = "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"
    subprocess.run([*configure, "-B", build, toolchain, strict], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "math_tests"], check=True)
    return build / "tests/math/math_tests"


def check(program: Path, cpu: str, isa: str, part: str, **environment: str) -> None:
    """Runs a part of the harness, which names the instruction set that it used."""
    env = {name: value for name, value in os.environ.items() if name != "LITE_ISA"}
    env |= environment
    seed = os.environ.get("LITE_FUZZ_SEED", "20261121")
    command = ["qemu-aarch64", "-L", LIBRARIES, "-cpu", cpu, str(program), seed, part]
    run = subprocess.run(command, env=env, capture_output=True, text=True)
    assert run.returncode == 0, f"seed {seed}\n{run.stdout}\n{run.stderr}"
    assert run.stdout.splitlines()[0] == f"instruction set {isa}"


@pytest.mark.parametrize(("cpu", "wanted", "isa", "part"), RUNS)
def test_cpu(program: Path, cpu: str, wanted: str, isa: str, part: str) -> None:
    """The instruction set is the CPU's or the one that was asked for, and its results are right."""
    check(program, cpu, isa, part, **({"LITE_ISA": wanted} if wanted else {}))


@pytest.mark.parametrize("part", ["ConvLarge", "GemmPacked"])
def test_small_caches(program: Path, part: str, tmp_path: Path) -> None:
    """Blocks are as small as caches ask for: sums wait in memory where they never do elsewhere."""
    folder = with_caches(tmp_path, "8K", "64K")
    check(program, "cortex-a53", "neon", part, LITE_CPU_FOLDER=str(folder))
