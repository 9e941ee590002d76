"""Threads, forks and interrupts: right results or an error, never a crash or a hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time

import numpy as np
import pytest
from api import tiny_models
from api.isolated import run_isolated

import lite


def _x(seed: int, rows: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 4)).astype(np.float32)


def _same(result: np.ndarray, x: np.ndarray) -> bool:
    return np.allclose(result, tiny_models.dense_result(x), atol=1e-6)


def _all(workers: list[threading.Thread]) -> None:
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
        assert not worker.is_alive()


def _hammer(predictors: list[lite.Predictor], threads: int = 1) -> str:
    wrong: list[str] = []

    def work(index: int) -> None:
        predictor = predictors[index % len(predictors)]
        for turn in range(60):
            x = _x(index * 100 + turn, rows=1 + (index + turn) % 9)
            if not _same(predictor.run({"x": x})["y"], x):
                wrong.append(f"thread {index}, turn {turn}")

    _all([threading.Thread(target=work, args=(index,)) for index in range(8)])
    assert not wrong, wrong[:5]
    return "right"


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a lock"
)
def test_importing_leaves_the_lock_off() -> None:
    code = "import sys, lite.nnadapter; sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-W", "error", "-c", code]).returncode == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_one_predictor_from_many_threads(dense_nb: bytes, threads: int) -> None:
    predictor = lite.load(dense_nb, threads=threads)
    outcome = run_isolated(lambda: _hammer([predictor]), 60)
    assert outcome.kind == "ok", outcome


@pytest.mark.parametrize("threads", [1, 3])
def test_clones_from_many_threads(dense_nb: bytes, threads: int) -> None:
    predictor = lite.load(dense_nb, threads=threads)
    outcome = run_isolated(lambda: _hammer([predictor.clone() for _ in range(8)]), 60)
    assert outcome.kind == "ok", outcome


def test_clones_are_made_while_others_run(dense_nb: bytes) -> None:
    def case() -> str:
        predictor = lite.load(dense_nb)

        def work(seed: int) -> None:
            for turn in range(30):
                x = _x(seed + turn)
                assert _same(predictor.clone().run({"x": x})["y"], x)
                assert _same(predictor.run({"x": x})["y"], x)

        _all([threading.Thread(target=work, args=(seed,)) for seed in range(6)])
        return "right"

    outcome = run_isolated(case, 60)
    assert outcome.kind == "ok", outcome


def test_tensors_of_one_predictor_from_many_threads(light: lite.LightPredictor) -> None:
    """Single calls take turns, so values mix between threads, but every result is some thread's."""

    def case() -> str:
        inputs = [_x(seed) for seed in range(6)]
        expected = [tiny_models.dense_result(x) for x in inputs]
        wrong: list[int] = []

        def work(index: int) -> None:
            for _ in range(100):
                light.get_input(0).from_numpy(inputs[index])
                light.run()
                result = light.get_output(0).numpy()
                if not any(np.allclose(result, e, atol=1e-6) for e in expected):
                    wrong.append(index)

        _all([threading.Thread(target=work, args=(index,)) for index in range(6)])
        assert not wrong
        return "defined"

    outcome = run_isolated(case, 60)
    assert outcome.kind == "ok", outcome


def _busy_program() -> bytes:
    """A model that runs for a second or so: products of a wide square matrix."""
    side = 1536
    weight = np.eye(side, dtype=np.float32)
    program = tiny_models._program(
        {"x": ("float32", (-1, side))},
        [
            tiny_models._op(
                "matmul_v2",
                {"X": "x" if i == 0 else f"h{i}", "Y": "w"},
                f"h{i + 1}",
                trans_x=False,
                trans_y=False,
            )
            for i in range(24)
        ],
        ["h24"],
        {"w": weight},
    )
    return tiny_models.nb_bytes(program)


@pytest.fixture(scope="module")
def busy_nb() -> bytes:
    return _busy_program()


def test_interrupt_during_a_run(busy_nb: bytes) -> None:
    def case() -> str:
        predictor = lite.load(busy_nb)
        x = np.ones((1536, 1536), np.float32)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        predictor.run({"x": x[:1]})
        threading.Timer(0.15, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        interrupted = False
        try:
            for _ in range(20):
                predictor.run({"x": x})
        except KeyboardInterrupt:
            interrupted = True
        assert interrupted
        assert np.array_equal(predictor.run({"x": x[:3]})["h24"], x[:3])
        return "usable"

    outcome = run_isolated(case, 60)
    assert outcome.kind == "ok", outcome


@pytest.mark.parametrize("threads", [1, 2])
def test_fork_while_another_thread_runs(busy_nb: bytes, dense_nb: bytes, threads: int) -> None:
    def in_child(shared: lite.Predictor, other: lite.Predictor) -> str:
        x = np.full((5, 1536), 2, np.float32)
        assert np.array_equal(shared.run({"x": x})["h24"], x)
        assert np.array_equal(shared.clone().run({"x": x})["h24"], x)
        assert _same(other.run({"x": _x(1)})["y"], _x(1))
        return "right"

    def case() -> str:
        shared, other = lite.load(busy_nb, threads=threads), lite.load(dense_nb, threads=threads)
        stop = threading.Event()

        def work() -> None:
            rows = 1
            while not stop.is_set():
                rows = rows % 40 + 1  # new plans all the time
                shared.run({"x": np.ones((rows, 1536), np.float32)})

        worker = threading.Thread(target=work)
        worker.start()
        outcomes = set()
        for turn in range(25):
            time.sleep(0.002 * (turn % 5))
            outcomes.add(run_isolated(lambda: in_child(shared, other), 30))
        stop.set()
        worker.join()
        assert {outcome.text for outcome in outcomes} == {"'right'"}, outcomes
        return "right"

    outcome = run_isolated(case, 120)
    assert outcome.kind == "ok", outcome


def test_other_python_threads_go_on_during_a_run(busy_nb: bytes) -> None:
    predictor = lite.load(busy_nb)
    x = np.ones((512, 1536), np.float32)
    predictor.run({"x": x})
    ticks, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    predictor.run({"x": x})
    during = ticks[0]
    stop.set()
    ticker.join()
    assert during >= 3
