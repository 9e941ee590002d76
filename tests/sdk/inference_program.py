"""inference_tool.cc and .c from Python: how they are built, arrays in and out."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import lite

from .conftest import MODELS, sdk

TOOL = Path(__file__).with_name("inference_tool.cc")
Arrays = list[np.ndarray]
CONV = [f"model={MODELS / 'conv.pdmodel'}", f"params={MODELS / 'conv.pdiparams'}"]
NB = MODELS / "conv.x86.214.nb"
IMAGE = {"x": np.sin(np.arange(384, dtype=np.float32)).reshape(2, 3, 8, 8)}
CMAKE = """
cmake_minimum_required(VERSION 3.10)
project(programs C CXX)
set(CMAKE_CXX_STANDARD 14)
%s
"""
PACKAGE = """
find_package(PaddleLite REQUIRED)
add_executable(program %s)
target_link_libraries(program PRIVATE PaddleLite::%s)
"""


def expected() -> np.ndarray:
    """What the models give for the image, in Python."""
    predictor = lite.load(MODELS / "conv.pdmodel", MODELS / "conv.pdiparams")
    (output,) = predictor.run(IMAGE).values()
    return output


def built_by_cmake(folder: Path, text: str, *defines: str) -> Path:
    """The program that the lines of a CMakeLists.txt make."""
    (folder / "CMakeLists.txt").write_text(CMAKE % text)
    build = str(folder / "build")
    configure = ["cmake", "-S", str(folder), "-B", build, *defines]
    subprocess.run(configure, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", build], check=True, capture_output=True)
    return folder / "build" / "program"


def built_by_package(folder: Path, source: Path, target: str) -> Path:
    """The same of a source and a target of the package PaddleLite."""
    (package,) = sdk("--cmake-dir")
    return built_by_cmake(folder, PACKAGE % (source, target), f"-DPaddleLite_DIR={package}")


def pkg_config(name: str) -> list[str]:
    """All flags of a library."""
    (root,) = sdk("--path")
    env = {**os.environ, "PKG_CONFIG_PATH": f"{root}/lib/pkgconfig"}
    words = ["pkg-config", "--cflags", "--libs", name]
    done = subprocess.run(words, env=env, check=True, capture_output=True, text=True)
    return shlex.split(done.stdout)


@dataclass(frozen=True)
class Case:
    """What the program is told, and the arrays that it feeds, with offsets of sequences."""

    words: Sequence[object]
    inputs: Mapping[str, np.ndarray]
    lods: Mapping[str, Sequence[int]] = field(default_factory=dict)


def run_case(program: Path, case: Case, folder: Path, **env: str) -> tuple[Arrays, str]:
    """The outputs in order, and what stderr said. Raises AssertionError with what was printed."""
    folder.mkdir(exist_ok=True)
    words = [*map(str, case.words), f"out={folder}"]
    for index, (name, array) in enumerate(case.inputs.items()):
        file = folder / f"in{index}"
        file.write_bytes(np.ascontiguousarray(array).tobytes())
        shape = ",".join(map(str, array.shape))
        words.append(f"in={name}:{array.dtype.name}:{shape}:{file}")
    for name, offsets in case.lods.items():
        words.append(f"lod={name}:{','.join(map(str, offsets))}")
    done = subprocess.run(
        [str(program), *words],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    arrays = []
    for index, line in enumerate(done.stdout.splitlines()):
        _, dtype, shape = line.rsplit(" ", 2)
        dims = [int(dim) for dim in shape.split(",") if dim]
        arrays.append(np.fromfile(folder / str(index), dtype).reshape(dims))
    return arrays, done.stderr
