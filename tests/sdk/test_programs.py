"""Whole programs in the manner of the public ones, built in each way that docs/cpp.md names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.cpp import sdk_path

from . import example_models as models
from .conftest import sdk

pytestmark = pytest.mark.long

PROGRAMS = Path(__file__).with_name("programs")
CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(programs CXX)
set(CMAKE_CXX_STANDARD 11)
find_package(PaddleLite REQUIRED)
add_executable(program {source})
target_compile_definitions(program PRIVATE {macros})
target_link_libraries(program PRIVATE PaddleLite::{kind})
"""
Build = Callable[..., Path]


def _compile(source: Path, program: Path, *flags: str) -> Path:
    compiler = os.environ.get("CXX", "c++")
    command = [compiler, "-std=c++11", str(source), *flags, "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def _cmake(source: Path, folder: Path, kind: str, *macros: str) -> Path:
    text = CMAKE.format(source=source, kind=kind, macros=" ".join(macros))
    (folder / "CMakeLists.txt").write_text(text)
    (package,) = sdk("--cmake-dir")
    configure = ["cmake", "-S", folder, "-B", folder / "build", f"-DPaddleLite_DIR={package}"]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", folder / "build"], check=True, capture_output=True)
    return folder / "build" / "program"


def _pkg_config(source: Path, folder: Path, kind: str, *macros: str) -> Path:
    name = "paddle_lite_full" if kind == "full" else "paddle_lite"
    env = {**os.environ, "PKG_CONFIG_PATH": str(sdk_path() / "lib" / "pkgconfig")}
    command = ["pkg-config", "--cflags", "--libs", name]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    flags = [*(f"-D{macro}" for macro in macros), *done.stdout.split()]
    return _compile(source, folder / "program", *flags)


def _plain(source: Path, folder: Path, kind: str, *macros: str) -> Path:
    (root,) = sdk("--path")
    flags = [*(f"-D{macro}" for macro in macros), f"-I{root}/include", f"-L{root}/lib"]
    flags += [f"-lpaddle_{kind}_api_shared", f"-Wl,-rpath,{root}/lib"]
    return _compile(source, folder / "program", *flags)


def _needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(tool), reason=f"{tool} is not installed")


@pytest.fixture(
    params=[
        pytest.param(_cmake, marks=_needs("cmake")),
        pytest.param(_pkg_config, marks=_needs("pkg-config")),
        _plain,
    ],
    ids=["cmake", "pkg_config", "plain"],
)
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Build:
    """build(name, kind, *macros): a program of the folder, built one way."""

    def make(name: str, kind: str, *macros: str) -> Path:
        made: Path = request.param(PROGRAMS / f"{name}.cc", tmp_path, kind, *macros)
        return made

    return make


def _printed(*words: object) -> np.ndarray:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return np.array(done.stdout.split(), np.float32)


def _ones(side: int, folder: Path) -> np.ndarray:
    """What Python computes for a picture of ones."""
    (probabilities,) = lite.load(folder).run([np.ones((1, 3, side, side), np.float32)]).values()
    return probabilities.ravel()


@pytest.mark.usefixtures("converter")
def test_model_runner(build: Build, tmp_path: Path) -> None:
    program = build("model_runner", "full", "USE_FULL_API")
    folder = models.save_folder(models.classifier(), tmp_path / "model")
    words = [folder, "1,3,24,24", "float32", "float32"]
    expected = np.tile(_ones(24, folder), 2)
    for device in ("cpu", "builtin_device", "verisilicon_timvx"):
        cache = tmp_path / device
        found = _printed(program, *words, device, cache)
        np.testing.assert_allclose(found, expected, rtol=1e-5)
        assert cache.exists() == (device != "cpu")
    wrong = [program, *words, "no_such_device"]
    done = subprocess.run([*map(str, wrong)], capture_output=True, text=True)
    assert done.stdout == "An error with the full API.\n"


@pytest.mark.usefixtures("converter")
def test_backend(build: Build, tmp_path: Path) -> None:
    program = build("backend", "full")
    folder = models.save_folder(models.classifier(), tmp_path / "model")
    (model,) = folder.glob("*model*")
    (params,) = folder.glob("*params*")
    found = _printed(program, model, params, 40, 24, 40)
    expected = [_ones(side, folder) for side in (40, 24, 40)]
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_speech(build: Build, tmp_path: Path) -> None:
    program = build("speech", "light")
    acoustic = models.save_nb(models.sounds(), tmp_path / "acoustic.nb")
    vocoder = models.save_nb(models.wave(), tmp_path / "vocoder.nb")
    phones = [3, 1, 4, 1, 5, 9, 2, 6]
    expected = []
    for some in (phones, phones[:4]):
        (sounds,) = lite.load(acoustic).run([np.array(some, np.int64)]).values()
        (wave,) = lite.load(vocoder).run([sounds]).values()
        expected.append(wave.ravel())
    found = _printed(program, acoustic, vocoder, *phones)
    np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-5)


def test_tagger(build: Build, tmp_path: Path) -> None:
    program = build("tagger", "light")
    path = models.save_nb(models.words(), tmp_path / "words.nb")
    (table,) = models.words().params.values()
    first, second = [4, 7, 19], [0, 5]
    found = _printed(program, path, *(",".join(map(str, some)) for some in (first, second)))
    tags = table[[*first, *first, *second], 0]
    expected = [*tags[:3], 0, 3, *tags[3:], 0, 3, 5]
    np.testing.assert_allclose(found, expected, rtol=1e-5)
