"""Paddle Inference's C API: C programs link it, and their results. Its calls and mistakes are
tests/cpp/inference_c_api_test.cc's."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

from lite.api.cpp import sdk_path

from .conftest import COMPILERS, sdk
from .inference_program import (
    CONV,
    IMAGE,
    NB,
    Case,
    built_by_package,
    expected,
    pkg_config,
    run_case,
)

pytestmark = pytest.mark.long

TOOL = Path(__file__).with_name("inference_tool.c")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()
HEADERS = sorted(path.name for path in (sdk_path() / "include").glob("pd_*.h"))


def _compile(program: Path, *flags: str) -> Path:
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-std=c99", "-O1", *WARNINGS, str(TOOL), *flags, "-o", str(program)]
    subprocess.run(command, check=True)
    return program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("tool") / "inference_tool"
    return _compile(output, *sdk("--cflags"), *sdk("--libs", "inference_c"))


@pytest.mark.parametrize(
    "words",
    [CONV, [*CONV, "memory="], [*CONV, "threads=2", "clone="], [f"dir={NB}"]],
    ids=["files", "memory", "clone", "nb"],
)
@pytest.mark.usefixtures("converter")
def test_results(program: Path, words: Sequence[str], tmp_path: Path) -> None:
    (found,), _ = run_case(program, Case(words, IMAGE), tmp_path / "run")
    np.testing.assert_allclose(found, expected(), rtol=1e-5)


def test_integers(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "mixed.nb"
    path.write_bytes(tiny_models.nb_bytes(tiny_models.mixed()))
    rows = np.ones((2, 4), np.float32)
    for dtype in ("int32", "int64"):
        inputs = {"x": rows, "ids": np.array([3, 1], dtype)}
        (total, twice), _ = run_case(program, Case([f"dir={path}"], inputs), tmp_path / "run")
        np.testing.assert_array_equal(total, rows + tiny_models.TABLE[[3, 1]])
        assert twice.dtype == np.int64 and twice.tolist() == [6, 2]


@pytest.mark.parametrize(
    ("words", "inputs", "said"),
    [
        (["dir=/nowhere.nb"], IMAGE, "/nowhere.nb"),
        ([f"dir={NB}"], {"x": IMAGE["x"][:, :2]}, "x"),
        ([f"dir={NB}"], {"x": IMAGE["x"].astype(np.int64)}, "takes float32, but got int64"),
        ([f"dir={NB}"], {}, "'x'"),
    ],
    ids=["no_file", "shape", "type", "no_input"],
)
def test_a_program_that_checks_nothing(
    program: Path, words: Sequence[str], inputs: dict[str, np.ndarray], said: str, tmp_path: Path
) -> None:
    """It ends with its own code for a failed run, not by a signal, and stderr says why."""
    with pytest.raises(AssertionError) as failed:
        run_case(program, Case(words, inputs), tmp_path / "run")
    assert said in str(failed.value) and "PD_PredictorRun" in str(failed.value)
    words = [str(program), *map(str, words)]
    assert subprocess.run(words, capture_output=True).returncode == 1


def _by_copy(folder: Path) -> Path:
    """As the Makefiles of Paddle's C demonstrations."""
    sdk("--copy-inference", str(folder / "copied"))
    paddle = folder / "copied" / "paddle"
    flags = [f"-I{paddle / 'include'}", f"-L{paddle / 'lib'}", "-lpaddle_inference_c"]
    return _compile(folder / "program", *flags, f"-Wl,-rpath,{paddle / 'lib'}")


def _by_package(folder: Path) -> Path:
    return built_by_package(folder, TOOL, "inference_c")


def _by_pkg_config(folder: Path) -> Path:
    return _compile(folder / "program", *pkg_config("paddle_lite_inference_c"))


WAYS: dict[Callable[[Path], Path], str] = {
    _by_copy: "cc",
    _by_package: "cmake",
    _by_pkg_config: "pkg-config",
}


@pytest.mark.parametrize("way", WAYS)
def test_ways(way: Callable[[Path], Path], tmp_path: Path) -> None:
    if not shutil.which(WAYS[way]):
        pytest.skip(f"{WAYS[way]} is not installed")
    (found,), _ = run_case(way(tmp_path), Case([f"dir={NB}"], IMAGE), tmp_path / "run")
    np.testing.assert_allclose(found, expected(), rtol=1e-5)


@pytest.mark.parametrize("header", HEADERS)
def test_header_alone(header: str, tmp_path: Path) -> None:
    """In C and C++, with every warning."""
    for name, compiler, standard in (
        ("a.c", os.environ.get("CC", "cc"), "c99"),
        *(("a.cc", name, "c++11") for name in COMPILERS),
    ):
        (tmp_path / name).write_text(f"#include <{header}>\n#include <{header}>\n")
        command = [compiler, f"-std={standard}", "-fsyntax-only", *WARNINGS, *sdk("--cflags")]
        subprocess.run([*command, str(tmp_path / name)], check=True)


def test_everything_declared_is_there() -> None:
    """What a program that loads the library by its name finds."""
    library = ctypes.CDLL(str(sdk_path() / "lib" / "libpaddle_inference_c.so"))
    header = sdk_path() / "include" / "pd_inference_api.h"
    words = [os.environ.get("CC", "cc"), "-E", "-P", str(header)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    names = set(re.findall(r"\bPD_\w+(?=\()", done.stdout))
    assert len(names) > 130
    assert not [name for name in sorted(names) if not hasattr(library, name)]
