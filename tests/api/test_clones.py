"""Clones for a server's threads: right answers side by side, no more of them than allowed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.api.clones import Clones


def _x(seed: int) -> np.ndarray:
    rows = 1 + seed % 9
    return np.random.default_rng(seed).standard_normal((rows, 4)).astype(np.float32)


@pytest.mark.parametrize("limit", [1, 3, 8])
def test_eight_threads_get_the_answers_of_one(dense_nb: bytes, limit: int) -> None:
    alone = lite.load(dense_nb)
    inputs = [_x(seed) for seed in range(40)]
    expected = [alone.run({"x": x})["y"] for x in inputs]
    clones = Clones(lite.load(dense_nb), limit)
    with ThreadPoolExecutor(8) as threads:
        turns = [turn % 40 for turn in range(1000)]
        found = list(threads.map(lambda turn: clones.run({"x": inputs[turn]})["y"], turns))
    assert all(np.array_equal(y, expected[turn]) for y, turn in zip(found, turns, strict=True))
    assert len(clones._idle) <= limit


def test_as_many_as_allowed_run_at_a_time(dense_nb: bytes) -> None:
    clones = Clones(lite.load(dense_nb), 2)
    inside, both = threading.Barrier(3, timeout=30), threading.Event()

    def hold() -> None:
        with clones.one():
            inside.wait()
            both.wait(30)

    holders = [threading.Thread(target=hold) for _ in range(2)]
    for holder in holders:
        holder.start()
    inside.wait()
    waiting = threading.Thread(target=lambda: clones.run({"x": _x(1)}))
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    both.set()
    for thread in (*holders, waiting):
        thread.join(30)
        assert not thread.is_alive()


def test_an_error_gives_the_predictor_back(dense_nb: bytes) -> None:
    clones = Clones(lite.load(dense_nb), 1)
    for _ in range(3):
        with pytest.raises(lite.ShapeError):
            clones.run({"x": np.zeros((2, 5), np.float32)})
    x = _x(3)
    np.testing.assert_allclose(clones.run({"x": x})["y"], tiny_models.dense_result(x), atol=1e-6)


def test_closing(dense_nb: bytes) -> None:
    clones = Clones(lite.load(dense_nb), 2)
    with clones.one():
        clones.close()
    assert clones._idle == []
    with pytest.raises(lite.LiteError, match="closed"):
        clones.run({"x": _x(1)})


@pytest.mark.parametrize("limit", [0, -1])
def test_there_is_at_least_one(dense_nb: bytes, limit: int) -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        Clones(lite.load(dense_nb), limit)
