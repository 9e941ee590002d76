"""Large inputs are read where they lie: nothing writes to them, nothing refers to them later."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite


@pytest.fixture
def predictor(tmp_path: Path) -> lite.Predictor:
    path = tmp_path / "model.nb"
    path.write_bytes(tiny_models.nb_bytes(tiny_models.passed_on()))
    return lite.load(path)


def _large(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((20000, 4), np.float32)


def _misaligned(array: np.ndarray) -> np.ndarray:
    memory = np.empty(array.nbytes + 1, np.uint8)
    moved = memory[1:].view(np.uint8)
    moved[:] = np.frombuffer(array.tobytes(), np.uint8)
    return np.frombuffer(moved.data, np.float32).reshape(array.shape)


def _fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


FORMS = {
    "plain": lambda array: array,
    "read-only": _fixed,
    "misaligned": _misaligned,
    "Fortran order": np.asfortranarray,
    "every second row": lambda array: np.repeat(array, 2, axis=0)[::2],
}


@pytest.mark.parametrize("form", FORMS)
def test_stays(predictor: lite.Predictor, form: str) -> None:
    x = FORMS[form](_large(1))
    before = x.copy()
    v, y = predictor.run([x]).values()
    assert np.array_equal(x, before)
    assert np.array_equal(v, before.reshape(-1, 2))
    assert np.array_equal(y, np.maximum(before, 0))
    assert not np.shares_memory(v, x)
    v[:] = 7
    assert np.array_equal(x, before)


def test_may_go(predictor: lite.Predictor) -> None:
    """Runs do not depend on what became of earlier inputs, of other sizes and after errors."""
    for seed, rows in enumerate((20000, 3, 40000, 20000)):
        x = np.resize(_large(seed), (rows, 4))
        v, _ = predictor.run([x]).values()
        expected = x.reshape(-1, 2).copy()
        x[:] = np.nan
        del x
        gc.collect()
        assert np.array_equal(v, expected)
        with pytest.raises(lite.DataTypeError):
            predictor.run([np.zeros((20000, 4), np.float64)])


def test_clones_and_profiles(predictor: lite.Predictor) -> None:
    x = _large(5)
    clone = predictor.clone()
    assert len(predictor.profile([x], runs=2).run_ns) == 2
    for one in (predictor, clone):
        assert np.array_equal(one.run([x])[predictor.outputs[1].name], np.maximum(x, 0))
