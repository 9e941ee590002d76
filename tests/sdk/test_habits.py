"""Programs as the public ones are written: without -Werror, by both compilers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.cpp import sdk_path

from . import example_models as models
from .conftest import COMPILERS, compiled, sdk

pytestmark = pytest.mark.long

SIDES = (40, 24, 56)


@pytest.mark.parametrize("kind", [["light"], ["full"], ["light", "--static"]])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_habits(compiler: str, kind: list[str], tmp_path: Path) -> None:
    source = Path(__file__).with_name("habits.cc")
    program = tmp_path / "habits"
    flags = ["-std=c++11", *sdk("--cflags"), str(source), *sdk("--libs", *kind)]
    subprocess.run([compiler, *flags, "-o", str(program)], check=True)
    path = models.save_nb(models.classifier(), tmp_path / "model.nb")
    predictor = lite.load(path)
    expected = [
        next(iter(predictor.run([np.ones((1, 3, side, side + 1), np.float32)]).values())).ravel()
        for side in SIDES
    ]
    for name in (path, path.with_suffix("")):
        command = [str(program), str(name), *map(str, SIDES)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        found = np.fromstring(done.stdout, np.float32, sep="\n")
        np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-6)
    missing = subprocess.run([str(program), str(tmp_path / "nothing")], capture_output=True)
    assert missing.returncode == 1


def test_output_of_another_type(tmp_path: Path) -> None:
    """An OCR demonstration reads int64 as pairs of int32, benchmarks read all outputs as float."""
    source = Path(__file__).with_name("other_types.cc")
    program = compiled(tmp_path / "other_types", [source], *sdk("--libs"))
    path = models.save_nb(models.integers(), tmp_path / "model.nb")
    done = subprocess.run([program, path, "7", "2"], check=True, capture_output=True, text=True)
    names = ["long read as int", "long copied to int", "int read as float", "int after that"]
    longs = np.array([7, 2], np.int64).view(np.int32)
    floats = np.array([7, 2], np.int32).view(np.float32)
    expected = [longs, longs[:2], floats, [7, 2]]
    lines = [
        f"{name}:{''.join(f' {number:.9g}' for number in numbers)}"
        for name, numbers in zip(names, expected, strict=True)
    ]
    assert done.stdout.splitlines()[:4] == lines
    wider = done.stdout.splitlines()[4:]
    assert len(wider) == 2 and all("holds uint8, not float32" in line for line in wider)
    said = done.stderr.splitlines()
    assert len(said) == 2, said  # once for each pair of types
    assert "'long' is read as int32" in said[0] and "'int' is read as float32" in said[1]


def test_no_protobuf() -> None:
    """Applications bring their own: no part of it is inside, not even the name of a hidden type."""
    for path in (sdk_path() / "lib").glob("libpaddle_*"):
        assert b"6google8protobuf" not in path.read_bytes()
        if path.suffix == ".so":
            shown = subprocess.run(["ldd", str(path)], check=True, capture_output=True, text=True)
            assert "protobuf" not in shown.stdout
