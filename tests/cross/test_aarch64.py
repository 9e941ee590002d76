"""What tools/cross/aarch64.sh made, under qemu-user; LITE_AARCH64 names its folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cross.built import BUILT, NEEDS_BUILT, NETWORKS, RECIPES, ROOT

# ARMv8.0 without dot products or fp16; with both; all that the emulator knows, SVE too.
CPUS = ("cortex-a53", "cortex-a76", "max")
PROGRAMS = (Path(__file__).with_name("programs.txt")).read_text().split()
# `.nb` files that real paddle_lite_opt wrote for arm: fp32, fp16 weights, int8, weights of 8 bits.
REAL_FILES = (
    "tests/model/test_fixtures.py",
    "tests/models/test_sparse.py::test_real_files",
    "tests/models/test_quantised.py::test_real_files",
    "tests/models/test_quantised.py::test_stored_export",
)
# What depends on the machine: threads bound to cores, numbers that no integer holds.
CHOSEN = ("tests/api/test_power_mode.py", "tests/kernels/test_cast.py")

pytestmark = NEEDS_BUILT


def emulated(cpu: str, *command: object, **environment: str) -> str:
    """What an arm64 program prints; its libraries are those of Debian's sysroot."""
    done = subprocess.run(
        ["qemu-aarch64", "-L", str(BUILT / "sysroot"), "-cpu", cpu, *map(str, command)],
        env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(cpu: str, *words: object, **environment: str) -> str:
    """The same of Debian's arm64 Python, which has the wheel."""
    paths = f"{site()}:{ROOT / 'tests' / 'kernels'}"
    where = {"PYTHONPATH": paths, "LITE_TESTS_STORED": "1", **environment}
    return emulated(cpu, BUILT / "sysroot/usr/bin/python3.11", "-P", *words, **where)


def site() -> Path:
    """A folder in which the host's pip installed the wheel for the other machine."""
    (wheel,) = BUILT.glob("*manylinux_2_28_aarch64.whl")
    folder = BUILT / "site"
    if not folder.exists() or folder.stat().st_mtime < wheel.stat().st_mtime:
        shutil.rmtree(folder, ignore_errors=True)
        older = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
        platforms = [word for name in older for word in ("--platform", f"{name}_aarch64")]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), *platforms,
             "--python-version", "3.11", "--only-binary=:all:", str(wheel), "pytest", "pillow"],
            check=True,
        )  # fmt: skip
    return folder


def test_old_systems_have_all_that_is_needed() -> None:
    script = ROOT / "tools" / "cross" / "old_libraries.py"
    libraries = [*BUILT.glob("sdk/lib/*.so"), *site().glob("lite/**/*.so")]
    assert len(libraries) >= 10
    command = [sys.executable, str(script), "check", *map(str, libraries)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    newer = BUILT / "sysroot/usr/lib/aarch64-linux-gnu/libstdc++.so.6"
    done = subprocess.run([*command[:3], str(newer)], capture_output=True, text=True)
    assert done.returncode == 1 and "GLIBC_2.3" in done.stdout


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, cpu: str) -> None:
    emulated(cpu, BUILT / "build" / "tests" / "cpp" / name)


@pytest.mark.parametrize("cpu", CPUS[:2])
def test_zoo(cpu: str, zoo: Path) -> None:
    names = sorted(path.stem for path in zoo.glob("*.npz"))
    assert {*RECIPES, *NETWORKS} <= {*names}
    lines = python(cpu, ROOT / "tests/cross/run_models.py", zoo, *names).splitlines()
    assert [line.split()[0] for line in lines] == names


def test_in_arm64_python() -> None:
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *REAL_FILES, *CHOSEN]
    printed = python("cortex-a53", *words).splitlines()
    assert " passed" in printed[-1] and "skipped" not in printed[-1], printed[-5:]


def test_the_demo_s_picture(tmp_path: Path) -> None:
    """The README's demonstration in arm64 Python, with the models that the host has fetched."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    cache = {"LITE_CACHE_DIR": str(BUILT / "demo")}
    words = ["-m", "examples.ocr", "--threads", "1", "--output", tmp_path / "result.png"]
    subprocess.run(
        [sys.executable, *map(str, words)], env={**os.environ, **cache}, cwd=ROOT, check=True
    )
    printed = python("cortex-a76", *words, **cache, PYTHONPATH=f"{site()}:{tmp_path}")
    assert "The text that was read is the text that was drawn, all 8 lines." in printed


def in_the_sdk_s_tests(cpu: str, path: str, chosen: str) -> None:
    """Runs tests whose programs are built for arm64; none may be skipped."""
    environment = {
        "CXX": "aarch64-linux-gnu-g++",
        "LITE_TEST_SDK": str(BUILT / "sdk"),
        "LITE_TEST_EMULATOR": f"qemu-aarch64 -L {BUILT / 'sysroot'} -cpu {cpu}",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", path, "-k", chosen],
        env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout and "skipped" not in done.stdout, done.stdout


@pytest.mark.parametrize("cpu", CPUS[1:])
def test_examples(cpu: str) -> None:
    """The examples of the SDK print what Python computes on the host."""
    chosen = "classify or detect or search or partition"
    in_the_sdk_s_tests(cpu, "tests/sdk/test_examples.py", chosen)


def test_a_board() -> None:
    """What was built for an NPU runs by the HAL library for boards."""
    in_the_sdk_s_tests("cortex-a53", "tests/sdk/test_board.py", "not python")
