"""The instructions that a run of each network takes, counted by qemu, stand in instructions.txt.

One that takes 2 % more or less fails, and says what its line has to be: a commit that means it
changes the line. AVX-512 is not there: no emulator knows it.
"""

from __future__ import annotations

import json
import runpy
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from cross.built import BUILT, NEEDS_BUILT, NETWORKS, PUBLISHED, RECIPES, ROOT
from machines import with_caches

import lite

pytestmark = NEEDS_BUILT
HERE = Path(__file__).parent
SCRIPT = runpy.run_path(str(ROOT / "tools" / "cross" / "instructions.py"))
# Not those with several inputs, nor the one that takes the emulator minutes.
LEFT_OUT = {"sentiment_lstm", "picodet_esnet", "vit_small_16"}
NAMES = sorted({*RECIPES, *NETWORKS, *PUBLISHED} - LEFT_OUT)
WITHIN = 0.02


@dataclass(frozen=True)
class Machine:
    """An emulator, and what makes programs for it."""

    emulator: tuple[str, ...]
    compiler: str
    sdk: Path


MACHINES = {
    "avx2": Machine(("qemu-x86_64", "-cpu", "max"), "g++", Path(lite.__file__).parent / "sdk"),
    "neon": Machine(
        ("qemu-aarch64", "-cpu", "cortex-a76", "-L", str(BUILT / "sysroot")),
        "aarch64-linux-gnu-g++",
        BUILT / "sdk",
    ),
}


def expected() -> dict[tuple[str, str], int]:
    """Thousands of instructions by machine and network."""
    lines = (HERE / "instructions.txt").read_text().splitlines()
    head, *rows = (line.split() for line in lines if not line.startswith("#"))
    return {
        (machine, row[0]): int(row[at]) for at, machine in enumerate(head[1:], 1) for row in rows
    }


@pytest.fixture(scope="module", params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def made(machine: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin, the program, and a processor's caches."""
    folder = tmp_path_factory.mktemp(machine)
    SCRIPT["build_plugin"](folder)
    with_caches(folder / "cpu", "32K", "512K")
    sdk = MACHINES[machine].sdk
    libraries = ("-L", sdk / "lib", "-lpaddle_light_api_shared", f"-Wl,-rpath,{sdk / 'lib'}")
    subprocess.run(
        [MACHINES[machine].compiler, "-std=c++17", HERE / "run_many.cc", "-I", sdk / "include",
         *libraries, "-o", folder / "run_many"],
        check=True,
    )  # fmt: skip
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_run_takes_as_many_as_before(
    machine: str, name: str, made: Path, zoo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LITE_CPU_FOLDER", str(made / "cpu"))
    monkeypatch.setenv("LITE_ISA", machine)
    with np.load(zoo / f"{name}.npz") as arrays:
        ((_, array, _),) = json.loads(str(arrays["runs"]))[0]["feed"]
        shape = [str(size) for size in arrays[array].shape]
    once, twice = (
        SCRIPT["count"](
            list(MACHINES[machine].emulator),
            [str(made / "run_many"), str(zoo / f"{name}.nb"), str(runs), *shape],
            made / "libcount.so",
        ).total()
        for runs in (1, 2)
    )
    found, before = (twice - once) // 1000, expected().get((machine, name), 0)
    assert abs(found - before) <= WITHIN * before, f"instructions.txt, {name}: {machine} {found}"
