"""docs/hal_guide.md as a vendor follows it: every block is compiled, run and tried out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from nnadapter.compiling import COMPILERS, INCLUDE, ROOT, compiled
from nnadapter.guides import blocks_of, environment, make_programs

pytestmark = pytest.mark.long

GUIDE = (ROOT / "docs/hal_guide.md").read_text()
BLOCKS = blocks_of(GUIDE)
PREAMBLE = """#include "nnadapter/hal/hal.h"
namespace core = nnadapter::core;
namespace hal = nnadapter::hal;
"""


def blocks(kind: str) -> list[tuple[str, str]]:
    """Name and text of the blocks of a kind."""
    return [(name, text) for found, name, text in BLOCKS if found == kind]


@pytest.fixture(scope="module")
def vendor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the guide's files, and `python` and `lite` on the path."""
    folder = tmp_path_factory.mktemp("vendor")
    for name, text in blocks("file"):
        (folder / name).write_text(text)
    make_programs(folder)
    return folder


def test_no_block_of_code_is_left_out() -> None:
    fences = len(re.findall(r"^```(?:cpp|python|sh|cmake)$", GUIDE, re.M))
    assert fences == len(BLOCKS) > 8


@pytest.mark.parametrize("name", ["my_npu", "my_python_npu"])
def test_a_vendor_follows_the_guide(vendor: Path, name: str) -> None:
    for _, text in blocks("run"):
        if ("my_python_npu" in text) != (name == "my_python_npu"):
            continue
        done = subprocess.run(
            ["sh", "-ec", text], cwd=vendor, env=environment(vendor), capture_output=True, text=True
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    report = json.loads((vendor / f"{name}.json").read_text())
    assert report["operations"] == ["ADD", "MUL", "RELU", "SIGMOID", "TANH"]
    assert report["totals"]["fail"] == 0
    outcomes = {c["name"]: c["outcome"] for c in report["checks"]}
    for check in ("splits", "caches", "dynamic_shapes", "threads"):
        assert outcomes[check] == "pass", check


def test_the_device_is_used(vendor: Path) -> None:
    build = next(text for _, text in blocks("run") if "g++" in text)
    subprocess.run(["sh", "-ec", build], cwd=vendor, env=environment(vendor), check=True)
    for _, text in blocks("python"):
        subprocess.run(
            [sys.executable, "-c", text], cwd=vendor, env=environment(vendor), check=True
        )


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_example_is_clean(vendor: Path, compiler: str) -> None:
    flags = ["-I", str(INCLUDE), "-fsyntax-only"]
    compiled(vendor / "my_npu.cc", vendor / "none", flags, compiler)


@pytest.mark.parametrize("number", range(len(blocks("fragment"))))
def test_fragments_compile(number: int, tmp_path: Path) -> None:
    source = tmp_path / "fragment.cc"
    source.write_text(PREAMBLE + blocks("fragment")[number][1])
    compiled(source, tmp_path / "none", ["-I", str(INCLUDE), "-fsyntax-only"])


def test_a_caching_device_passes(tmp_path: Path, vendor: Path) -> None:
    text = next(t for _, t in blocks("fragment") if "CachingBackend" in t)
    register = 'NNADAPTER_REGISTER_HAL(my_cache, "V", NNADAPTER_CPU, CachingBackend)\n'
    (tmp_path / "my_cache.cc").write_text(PREAMBLE + text + register)
    flags = ["-I", str(INCLUDE), "-fPIC", "-shared", "-fvisibility=hidden"]
    compiled(tmp_path / "my_cache.cc", tmp_path / "libmy_cache.so", flags)
    code = (
        "import sys, numpy as np\n"
        "from lite.nnadapter import capi\n"
        "model = capi.Model()\n"
        "x = model.tensor(np.float32, [2])\n"
        "c = model.constant(np.array([2, 3], np.float32))\n"
        "(y,) = model.operation('MUL', [x, c, model.constant(0)])\n"
        "model = model.finish([x], [y]) if len(sys.argv) > 2 else None\n"
        "context = capi.Context(['my_cache'])\n"
        "p = capi.Compilation(model, context, token='t', directory=sys.argv[1]).finish()\n"
        "print(capi.Execution(p).run([np.array([1, 1], np.float32)])[0].tolist())\n"
    )
    env = {**environment(vendor), "NNADAPTER_DEVICE_PATH": str(tmp_path)}
    for extra in (["build"], []):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path), *extra],
            env=env,
            capture_output=True,
            text=True,
        )
        assert done.stdout == "[2.0, 3.0]\n", done.stderr
