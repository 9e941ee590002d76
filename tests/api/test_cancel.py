"""A run stops between two operators: Ctrl-C and cancel(), also inside loops and while planning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.errors import CancelledError, LiteError
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

W = np.eye(4, dtype=np.float32)
X = np.arange(8, dtype=np.float32).reshape(2, 4)


def program(ops: str, blocks: str = "") -> Any:
    head = (
        "program version 2006002\nblock 0 parent -1 {\n  var feed: feed_minibatch\n"
        "  var fetch: fetch_list\n  var w: lod_tensor fp32[4,4] persistable\n"
        "  var x: lod_tensor fp32[-1,4]\n  var n: lod_tensor int64[1]\n"
        "  Out: [x] = feed(X: [feed]) {col: int 0}\n  Out: [n] = feed(X: [feed]) {col: int 1}\n"
    )
    return parse_program(head + ops + "\n}\n" + blocks, {"w": W})


LOOP = program(
    "Out: [i] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 3}\n"
    "Out: [h] = scale(X: [x]) {scale: float 1.0}\n"
    "Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}\n"
    "Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w], Condition: [go]) "
    "{sub_block: block 1}\n"
    "Out: [fetch] = fetch(X: [h]) {col: int 0}",
    "block 1 parent 0 {\n"
    "  Out: [h] = matmul_v2(X: [h], Y: [w])\n"
    "  Out: [i] = increment(X: [i]) {step: float 1.0}\n"
    "  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}\n"
    "}\n",
)

# Many operators one after the other, each of which takes a while.
CHAIN = program(
    "\n".join(f"Out: [x] = {op}(X: [x])" for op in ["sin", "cos"] * 500)
    + "\nOut: [m] = scale(X: [n]) {scale: float 1.0}\n"
    "Out: [fetch] = fetch(X: [x]) {col: int 0}\nOut: [fetch] = fetch(X: [m]) {col: int 1}"
)
FOREVER = np.array([1 << 40], np.int64)
LARGE = np.zeros((1 << 19, 4), np.float32)


def nb(model: Any) -> bytes:
    import io

    from lite.model.naive_buffer import write_nb

    file = io.BytesIO()
    write_nb(model, file)
    return file.getvalue()


@pytest.fixture(autouse=True)
def long_loops() -> Any:
    limit = lite.loop_limit()
    lite.set_loop_limit(1 << 50)
    yield
    lite.set_loop_limit(limit)


def cancelled(run: Callable[[], Any], cancel: Callable[[], None]) -> float:
    """Cancels a run on another thread after 0.2 s; the seconds that it went on."""
    caught: list[BaseException] = []

    def target() -> None:
        try:
            run()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    time.sleep(0.2)
    assert thread.is_alive(), "the run is too short for this test"
    begin = time.monotonic()
    cancel()
    thread.join(60)
    assert not thread.is_alive()
    assert [type(error) for error in caught] == [CancelledError]
    assert isinstance(caught[0], LiteError)
    return time.monotonic() - begin


@pytest.mark.parametrize(("model", "inputs"), [(LOOP, [X, FOREVER]), (CHAIN, [LARGE, FOREVER])])
def test_cancel_from_another_thread(model: Any, inputs: list[Any]) -> None:
    predictor = lite.load(nb(model))
    few = [X, np.array([3], np.int64)]
    expected = predictor.run(few)
    for _ in range(2):
        assert cancelled(lambda: predictor.run(inputs), predictor.cancel) < 2
    again = predictor.run(few)
    for name, array in expected.items():
        np.testing.assert_array_equal(again[name], array)


def test_cancel_inside_a_device_that_computes_here(tmp_path: Path) -> None:
    write_protobuf_dir(CHAIN, str(tmp_path / "m"))
    predictor = lite.load(tmp_path / "m", devices=["builtin_device"])
    assert any(op.type == "sin" and op.place != "cpu" for op in predictor.placement().operators)
    assert cancelled(lambda: predictor.run([LARGE, FOREVER]), predictor.cancel) < 2
    few = predictor.run([X, FOREVER])
    assert len(few) == 2


def test_cancel_of_a_light_predictor_and_not_of_its_clone() -> None:
    config = lite.MobileConfig()
    config.set_model_from_buffer(nb(LOOP))
    predictor = lite.create_paddle_predictor(config)
    clone = predictor.clone()
    for one in (predictor, clone):
        one.get_input(0).from_numpy(X)
        one.get_input(1).from_numpy(FOREVER)

    def cancel() -> None:
        clone.cancel()
        time.sleep(0.2)
        predictor.cancel()

    assert cancelled(predictor.run, cancel) < 5
    predictor.get_input(1).from_numpy(np.array([2], np.int64))
    predictor.run()
    np.testing.assert_array_equal(predictor.get_output(0).numpy(), X)


def test_cancel_without_a_run_does_nothing() -> None:
    predictor = lite.load(nb(LOOP))
    predictor.cancel()
    assert len(predictor.run([X, np.array([1], np.int64)])) == 1
    predictor.close()
    with pytest.raises(LiteError, match="closed"):
        predictor.cancel()


SCRIPT = """
    import signal, sys
    import numpy as np
    import lite
    # A shell's background jobs are started with it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    lite.set_loop_limit(1 << 50)
    predictor = lite.load(sys.argv[1])
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    print("running", flush=True)
    try:
        predictor.run([x, np.array([1 << 40], np.int64)])
    except KeyboardInterrupt:
        (out,) = predictor.run([x, np.array([2], np.int64)]).values()
        print("stopped", np.array_equal(out, x), flush=True)
"""


def test_ctrl_c(tmp_path: Any) -> None:
    (tmp_path / "loop.nb").write_bytes(nb(LOOP))
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(tmp_path / "loop.nb")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.5)
        assert process.poll() is None
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped True\n"
        assert time.monotonic() - begin < 5
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_other_signals_reach_their_handlers_while_a_run_goes_on() -> None:
    predictor = lite.load(nb(LOOP))
    seen: list[int] = []

    def handler(number: int, _: object) -> None:
        seen.append(number)
        predictor.cancel()

    before = signal.signal(signal.SIGUSR1, handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        with pytest.raises(CancelledError):
            predictor.run([X, FOREVER])
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, before)
    assert seen == [signal.SIGUSR1]
