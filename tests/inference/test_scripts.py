"""Scripts written for ``paddle.inference``, run by Paddle and with their import changed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.paddle
HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
TOLERANCE = 2e-5


def python(*arguments: object) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what each script said with each of the two."""
    if importlib.util.find_spec("paddle") is None:
        pytest.skip("needs paddlepaddle")
    root = tmp_path_factory.mktemp("scripts")
    (root / "models").mkdir()
    python(HERE / "make_models.py", root / "models")
    for engine in ("paddle", "lite"):
        (root / engine).mkdir()
        python(HERE / "run_scripts.py", engine, root / "models", root / engine, *SCRIPTS)
    return root


@pytest.mark.parametrize("name", [script.stem for script in SCRIPTS])
def test_script(outcomes: Path, name: str) -> None:
    for engine in ("paddle", "lite"):
        failure = outcomes / engine / f"{name}.txt"
        assert not failure.exists(), f"{engine}: {failure.read_text()}"
        assert (outcomes / engine / f"{name}.json").exists(), f"{engine} ended the process"
    facts = [json.loads((outcomes / e / f"{name}.json").read_text()) for e in ("lite", "paddle")]
    assert len(facts[0]) == len(facts[1])
    for ours, real in zip(*facts, strict=True):
        assert ours == real
    ours_arrays, real_arrays = (np.load(outcomes / e / f"{name}.npz") for e in ("lite", "paddle"))
    assert set(ours_arrays) == set(real_arrays)
    for key, real in real_arrays.items():
        assert (ours_arrays[key].shape, ours_arrays[key].dtype) == (real.shape, real.dtype), key
        np.testing.assert_allclose(ours_arrays[key], real, TOLERANCE, TOLERANCE, err_msg=key)


def test_there_are_scripts() -> None:
    assert len(SCRIPTS) >= 14
