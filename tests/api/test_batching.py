"""Requests that are joined get the answers that they get alone, whatever comes together."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.api.batching import Batcher, Group
from lite.model.program import Program


def _x(seed: int, rows: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 4)).astype(np.float32)


def same(y: np.ndarray, x: np.ndarray) -> bool:
    return y.shape[0] == x.shape[0] and np.allclose(y, tiny_models.dense_result(x), atol=1e-6)


def load(program: Program) -> lite.Predictor:
    return lite.load(tiny_models.nb_bytes(program))


class Held:
    """A batcher whose first run waits, so that what is submitted meanwhile comes together."""

    def __init__(self, program: Program, **options: Any) -> None:
        self.groups: list[Group] = []
        self.gate = threading.Event()
        predictor = load(program)
        run = predictor.run
        predictor.run = lambda inputs: (self.gate.wait(30), run(inputs))[1]  # type: ignore[assignment,func-returns-value,method-assign]
        self.batcher = Batcher(predictor, observer=self.groups.append, **options)

    def answers(self, *inputs: np.ndarray) -> list[Future[Any]]:
        """Submits the first one, which holds the worker, then all; their answers."""
        first = self.batcher.submit({"x": inputs[0]})
        while self.batcher.waiting:
            time.sleep(0.001)
        futures = [self.batcher.submit({"x": x}) for x in inputs]
        self.gate.set()
        first.result(30)
        return futures

    def sizes(self) -> list[int]:
        """Requests of each run after the first."""
        self.batcher.close()
        return [group.requests for group in self.groups[1:]]


@pytest.mark.parametrize("instances", [1, 3])
@pytest.mark.parametrize(("size", "delay"), [(1, 0.0), (8, 0.0), (8, 3.0), (64, 1.0)])
def test_nothing_is_wrong_or_lost(instances: int, size: int, delay: float) -> None:
    groups: list[Group] = []
    batcher = Batcher(
        load(tiny_models.dense()), instances=instances, max_batch_size=size, max_delay_ms=delay,
        observer=groups.append,
    )  # fmt: skip
    wrong: list[object] = []

    def client(number: int) -> None:
        for turn in range(20):
            x = _x(100 * number + turn, rows=1 + (number + turn) % 3)
            if turn % 7 == 3:
                try:
                    batcher.run({"x": np.zeros((1, 5), np.float32)})
                    wrong.append((number, turn, "no error"))
                except lite.ShapeError:
                    pass
            elif not same(batcher.run({"x": x})["y"], x):
                wrong.append((number, turn))

    clients = [threading.Thread(target=client, args=(number,)) for number in range(32)]
    for one in clients:
        one.start()
    for one in clients:
        one.join(60)
        assert not one.is_alive()
    batcher.close()
    assert not wrong
    assert sum(group.requests for group in groups) == 32 * 20
    assert max(group.rows for group in groups) <= max(size, 3)
    assert all(len(group.latencies) == group.requests and group.run >= 0 for group in groups)


def test_what_waits_is_joined_up_to_the_limit() -> None:
    held = Held(tiny_models.dense(), max_batch_size=4)
    inputs = [_x(seed) for seed in range(10)]
    for x, answer in zip(inputs, held.answers(*inputs), strict=True):
        assert same(answer.result(30)["y"], x)
    assert held.sizes() == [4, 4, 2]


def test_rows_count_not_requests() -> None:
    held = Held(tiny_models.dense(), max_batch_size=6)
    inputs = [_x(seed, rows) for seed, rows in enumerate((2, 3, 2, 1, 6, 9))]
    for x, answer in zip(inputs, held.answers(*inputs), strict=True):
        assert same(answer.result(30)["y"], x)
    assert sorted(held.sizes()) == [1, 1, 2, 2]


def test_a_bad_request_harms_no_other() -> None:
    held = Held(tiny_models.looked_up(), max_batch_size=8)  # an index out of range fails the run
    good, bad = np.array([[1], [3]], np.int64), np.array([[99]], np.int64)
    futures = held.answers(good, bad, good)
    assert np.array_equal(futures[0].result(30)["y"], futures[2].result(30)["y"])
    with pytest.raises(lite.LiteError):
        futures[1].result(30)


def test_an_output_that_has_no_rows_is_never_cut() -> None:
    held = Held(tiny_models.total(), max_batch_size=8)
    inputs = [_x(seed) for seed in range(1, 5)]
    for x, answer in zip(inputs, held.answers(*inputs), strict=True):
        np.testing.assert_allclose(answer.result(30)["y"], [x.sum()], rtol=1e-5)
    second = [held.batcher.submit({"x": x}) for x in inputs]
    for x, answer in zip(inputs, second, strict=True):
        np.testing.assert_allclose(answer.result(30)["y"], [x.sum()], rtol=1e-5)
    assert held.sizes() == [4, 1, 1, 1, 1]  # tried together once


def test_rows_that_depend_on_others_are_never_joined() -> None:
    held = Held(tiny_models.centred(), max_batch_size=8)
    inputs = [_x(seed) for seed in range(1, 5)]
    for x, answer in zip(inputs, held.answers(*inputs), strict=True):
        np.testing.assert_allclose(answer.result(30)["y"], np.zeros_like(x), atol=1e-6)


def test_shapes_that_depend_on_data_are_never_joined() -> None:
    held = Held(tiny_models.positions(), max_batch_size=8)
    inputs = [np.array([row], np.float32) for row in ([1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0])]
    futures = held.answers(*inputs)  # one found in each: as many as rows
    assert [answer.result(30)["y"].tolist() for answer in futures] == [[[0, 0]], [[0, 2]], [[0, 1]]]
    assert held.sizes() == [1, 1, 1]


def test_a_request_waits_for_others_as_long_as_it_may() -> None:
    batcher = Batcher(load(tiny_models.dense()), max_batch_size=2, max_delay_ms=150)
    started = time.monotonic()
    batcher.run({"x": _x(1)})
    assert 0.14 < time.monotonic() - started < 10


def test_a_full_group_waits_for_nobody() -> None:
    batcher = Batcher(load(tiny_models.dense()), max_batch_size=2, max_delay_ms=60_000)
    both = [batcher.submit({"x": _x(seed)}) for seed in (1, 2)]
    for one in both:
        one.result(30)


def test_closing_answers_what_waits() -> None:
    held = Held(tiny_models.dense(), max_batch_size=4, max_delay_ms=60_000)
    futures = [held.batcher.submit({"x": _x(seed)}) for seed in range(3)]
    held.gate.set()
    held.batcher.close()
    assert all(same(answer.result(0)["y"], _x(seed)) for seed, answer in enumerate(futures))
    with pytest.raises(lite.LiteError, match="unloaded"):
        held.batcher.submit({"x": _x(1)})


def test_an_observer_that_fails_costs_no_answer() -> None:
    def fail(group: Group) -> None:
        raise ValueError(group)

    batcher = Batcher(load(tiny_models.dense()), observer=fail)
    for seed in range(3):
        assert same(batcher.run({"x": _x(seed)})["y"], _x(seed))


@pytest.mark.parametrize(
    ("inputs", "error"),
    [
        ({}, KeyError),
        ({"x": _x(1), "z": _x(1)}, KeyError),
        ({"x": np.array(["text"])}, lite.DataTypeError),
        ({"x": object()}, (TypeError, lite.DataTypeError)),
    ],
)
def test_what_is_no_request_is_refused_at_once(inputs: dict[str, Any], error: Any) -> None:
    batcher = Batcher(load(tiny_models.dense()))
    with pytest.raises(error):
        batcher.submit(inputs)


@pytest.mark.parametrize(
    "options",
    [{"instances": 0}, {"max_batch_size": 0}, {"max_delay_ms": -1}, {"max_delay_ms": 1e9}],
)
def test_senseless_options(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Batcher(load(tiny_models.dense()), **options)
