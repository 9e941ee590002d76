"""Builds and runs the C++ tests of the CPU maths on every instruction set of this machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from api.pack_models import deep
from compile_once import compile_once

from lite import _core
from lite.model.naive_buffer import write_nb_file

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
NOT_AVAILABLE = 77  # exit code where the CPU lacks the instruction set


def _compile(output: Path, *words: str | Path) -> Path:
    warnings = ["-Wall", "-Wextra", "-Werror"]
    return compile_once(["g++", "-std=c++17", "-O2", *warnings, "-I", ROOT, *words], output)


def avx512_flags() -> list[str]:
    """The compiler's options for AVX-512 or its software model, as the library is built with them:
    .ci/isa_model says with which."""
    text = (ROOT / "lite/kernels/cpu/math/CMakeLists.txt").read_text()
    cpu, model = re.findall(r"^ *set\(flags_avx512 (.*)\)$", text, re.MULTILINE)
    flags = model if os.environ.get("LITE_TEST_ISA_MODEL") else cpu
    return [*flags.replace("${LITE_ROOT}", str(ROOT)).split(), "-Wno-psabi"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The test program, with the kernels of the library that is installed."""
    folder = tmp_path_factory.mktemp("math")
    sources = sorted((ROOT / "tests/math").glob("*.cc"))
    objects = [folder / f"{source.stem}.o" for source in sources]
    flags = {"tile_model": avx512_flags()}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = pool.map(lambda s, o: _compile(o, "-c", s, *flags.get(s.stem, ())), sources, objects)
        list(jobs)
    package = Path(_core.__file__).parent
    libraries = ("-L", str(package), "-lpaddle_lite_core", "-pthread", f"-Wl,-rpath,{package}")
    return _compile(folder / "math_tests", *objects, *libraries)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("without", ["", "LITE_VNNI", "LITE_BF16_DOT"])
def test_instruction_set(program: Path, isa: str, without: str) -> None:
    """Random shapes of every function against naive loops: the same each time, so that a commit's
    verdict does not change; a hunt sets another seed."""
    seed = os.environ.get("LITE_FUZZ_SEED", "20261121")
    env = {**os.environ, "LITE_ISA": isa, **({without: "0"} if without else {})}
    tests = {"": [], "LITE_VNNI": ["Int8", "GemmOfByteGroups"], "LITE_BF16_DOT": ["Bf16"]}[without]
    run = subprocess.run([program, seed, *tests], env=env, capture_output=True, text=True)
    if run.returncode == NOT_AVAILABLE:
        pytest.skip(f"this machine has no {isa}")
    assert run.returncode == 0, f"seed {seed}\n{run.stdout}\n{run.stderr}"


def _amx(program: Path, tiles: str, *cases: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs cases under LITE_ISA=amx, in the tiles that tile_model.cc has under the name."""
    env = {**os.environ, "LITE_ISA": "amx", "LITE_TILE_MODEL": tiles, **env}
    return subprocess.run([program, "20261121", *cases], env=env, capture_output=True, text=True)


def _skip_without_avx512(there: bool) -> None:
    if not there:
        pytest.skip("this machine has no AVX-512, which AMX's kernels need")


@pytest.mark.parametrize("cases", ["Tiles", "Gemm", "Conv", "Bf16", "Int8"])
def test_tiles(program: Path, cases: str) -> None:
    """Products of every size in a software model of AMX's tiles, against naive loops."""
    if cases != "Tiles" and _amx(program, "cpu", "TilesPay").returncode != NOT_AVAILABLE:
        pytest.skip("the CPU's own tiles run these")
    run = _amx(program, "always", cases)
    _skip_without_avx512(run.returncode != NOT_AVAILABLE)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"


def test_tiles_of_the_hardware(program: Path) -> None:
    """The same in the CPU's own tiles; without, that is told aloud."""
    run = _amx(program, "cpu")
    if run.returncode == NOT_AVAILABLE:
        warnings.warn("AMX: THE HARDWARE WAS NOT RUN, this machine has none", stacklevel=1)
        pytest.skip("AMX: the hardware was not run, this machine has none")
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"


def test_sizes_that_go_to_tiles(program: Path) -> None:
    """Where they pay, by rows, columns and summands."""
    run = _amx(program, "pays", "TilesPay")
    _skip_without_avx512(run.returncode != NOT_AVAILABLE)
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
    assert "\n21 checks, 0 failures" in run.stdout


@pytest.mark.parametrize("what", ["bf16", "int8"])
def test_tiles_that_are_wrong_are_not_used(program: Path, what: str) -> None:
    """The first product finds them out, says so in one line, and AVX-512 takes their place."""
    run = _amx(program, "always", "Tiles", LITE_TILE_MODEL_WRONG=what)
    _skip_without_avx512("avx512" in run.stdout)
    assert run.returncode == NOT_AVAILABLE
    assert run.stderr.count("\n") == 1
    assert run.stderr.startswith("lite: AMX is not used")


@pytest.fixture(scope="module")
def tile_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of tiles as a library to preload, so that Python runs whole models in it."""
    library = tmp_path_factory.mktemp("tiles") / "libtile_model.so"
    package = Path(_core.__file__).parent
    libraries = ("-L", str(package), "-lpaddle_lite_core", f"-Wl,-rpath,{package}")
    source = ROOT / "tests/math/tile_model.cc"
    return _compile(library, "-shared", "-fPIC", source, *avx512_flags(), *libraries)


RUN = """
import sys, warnings, numpy as np, lite
model, out, packs = sys.argv[1:]
warnings.simplefilter("error")
x = np.random.default_rng(5).normal(size=(200, 512)).astype(np.float32)
predictor = lite.load(model)
result = predictor.run(x)["y2"]
assert (predictor.run(x[:1])["y2"] == result[:1]).all(), "one row, in the form of many"
print(lite._core.isa_name(), *{op.algorithm for op in predictor.profile([x], runs=1).operators})
if packs == "pack":
    lite.pack(model, x)
    assert (lite.load(model).run(x)["y2"] == result).all(), "packed weights from a file"
np.save(out, result)
"""


def test_a_model_in_tiles(tile_model: Path, tmp_path: Path) -> None:
    """Weights are packed as tiles where these pay, in memory and beside a `.nb` file; not where
    LITE_ISA says avx512."""
    model = str(tmp_path / "deep.nb")
    write_nb_file(deep(), model)
    results = {}
    for isa in ("avx512", "amx"):
        env = {"LITE_ISA": isa, "LD_PRELOAD": str(tile_model), "LITE_TILE_MODEL": "pays"}
        env = {**os.environ, **env}
        out = tmp_path / f"{isa}.npy"
        command = [sys.executable, "-c", RUN, model, out, "pack" if isa == "amx" else ""]
        run = subprocess.run(command, env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        name, *algorithms = run.stdout.split()
        _skip_without_avx512(name == isa)
        assert ("tiles" in algorithms) == (isa == "amx")
        results[isa] = np.load(out)
    assert not np.array_equal(results["amx"], results["avx512"])
    np.testing.assert_allclose(results["amx"], results["avx512"], rtol=0, atol=1e-5)


@pytest.mark.parametrize("operator", ["conv2d", "fc", "matmul"])
def test_kernels_in_tiles(tile_model: Path, operator: str) -> None:
    """The operators' own tests with all their constant weights in tiles."""
    env = {"LITE_ISA": "amx", "LD_PRELOAD": str(tile_model), "LITE_TILE_MODEL": "always"}
    env = {**os.environ, **env}
    name = "import lite; print(lite._core.isa_name())"
    done = subprocess.run([sys.executable, "-c", name], env=env, capture_output=True, text=True)
    _skip_without_avx512(done.stdout.strip() == "amx")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += [f"tests/kernels/test_{operator}.py"]
    run = subprocess.run(command, env=env, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stdout[-5000:]


def test_unknown_instruction_set_falls_back(program: Path) -> None:
    """A level that does not exist is reported, not obeyed."""
    env = {**os.environ, "LITE_ISA": "sse9000"}
    run = subprocess.run([program, "1", "none"], env=env, capture_output=True, text=True)
    assert run.returncode == NOT_AVAILABLE
    assert run.stdout.splitlines()[0].split()[-1] in ("baseline", "avx2", "avx512", "amx")
