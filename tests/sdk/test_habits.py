"""Programs as the public ones are written: without -Werror, by both compilers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.api.cpp import sdk_path

from . import example_models as models
from .conftest import COMPILERS, compiled, sdk

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


def test_outputs_read_as_other_types(tmp_path: Path) -> None:
    """Paddle Lite hands out the bytes; more than there are, nobody gets."""
    source = Path(__file__).with_name("bytes_tool.cc")
    program = compiled(tmp_path / "tool", [source], *sdk("--libs", "light"))
    path = models.save_nb(models.integers(), tmp_path / "model.nb")
    values = np.array([-1, 0, 1])
    expected = []
    for array in (values.astype(np.int32), values.astype(np.int64)):
        words = " ".join(map(str, array.view(np.uint32)))
        copied = " ".join(map(str, array.view(np.uint32)[:3]))
        expected += [f"data {words}", f"data {words}", f"copied {copied}"]
    for verbosity in ("0", "1"):
        done = subprocess.run(
            [str(program), str(path)],
            env={**os.environ, "GLOG_v": verbosity},
            check=True,
            capture_output=True,
            text=True,
        )
        *lines, wider, of_input = done.stdout.splitlines()
        assert lines == expected
        assert "holds int32, not int64" in wider and "holds float32, not uint8" in of_input
        said = done.stderr.splitlines()
        if verbosity == "0":
            assert not said
        else:
            assert len(set(said)) == len(said) == 4
            text = "output 'i' holds int32 and is read as float32: these are its bytes"
            assert sum(text in line for line in said) == 1


def test_no_protobuf() -> None:
    """Applications bring their own: no part of it is inside, not even the name of a hidden type."""
    for path in (sdk_path() / "lib").glob("libpaddle_*"):
        assert b"6google8protobuf" not in path.read_bytes()
        if path.suffix == ".so":
            shown = subprocess.run(["ldd", str(path)], check=True, capture_output=True, text=True)
            assert "protobuf" not in shown.stdout
