"""HALs written in Python in threads, forks and interrupted processes, and when Python ends."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from python_hals import Relu, X, relu_model

from lite.errors import DeviceError
from lite.nnadapter import capi


def test_threads(device: Any) -> None:
    name = device(Relu)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                (result,) = capi.run(relu_model(twice=True), [name], [X])
                np.testing.assert_array_equal(result, np.maximum(X, 0) + 1)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)


def test_one_program_in_several_threads_is_never_entered_twice(device: Any) -> None:
    inside: list[int] = []

    class Careful(Relu):
        def run(self, inputs: Any) -> Any:
            inside.append(1)
            assert len(inside) == 1
            result = super().run(inputs)
            threading.Event().wait(0.001)
            inside.pop()
            return result

    with capi.Context([device(Careful)]) as context:
        compilation = capi.Compilation(relu_model(), context).finish()
        errors: list[BaseException] = []

        def work() -> None:
            try:
                execution = capi.Execution(compilation)
                for _ in range(20):
                    execution.run([X])
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)


_SCRIPT = """
import os, sys, threading, numpy as np
import lite.nnadapter as nna
from lite.nnadapter import capi

nna.ensure_devices(["python"])
model = capi.Model()
x = model.tensor(np.float32, [4])
(y,) = model.operation("RELU", [x])
model.finish([x], [y])
context = capi.Context(["python"])
compilation = capi.Compilation(model, context).finish()
execution = capi.Execution(compilation)
ones = np.ones(4, np.float32)
"""


# Threads that are in the middle of it when Python ends, and for a while after.
_DAEMONS = """
import ctypes
libc = ctypes.CDLL(None)
libc.__cxa_atexit(libc.usleep, ctypes.c_void_p(20000), None)
def work():
    mine = capi.Execution(compilation)
    while True: mine.run([ones])
for _ in range(24): threading.Thread(target=work, daemon=True).start()
threading.Event().wait(0.005)
"""


@pytest.mark.parametrize(
    "tail",
    [
        "execution.run([ones])",
        "import atexit; atexit.register(lambda: execution.run([ones]))",
        _DAEMONS,
        "sys.keep = (execution, compilation, context, model)",
        "class Late:\n    def __del__(self, e=execution, o=ones): e.run([o])\nsys.late = Late()",
    ],
    ids=["plain", "atexit", "daemons", "kept", "destructor"],
)
def test_the_end_of_python(tail: str) -> None:
    script = f"{_SCRIPT}\n{tail}\nprint('end', flush=True)\n"
    for _ in range(6 if tail is _DAEMONS else 1):  # where they are then is luck
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
        )
        assert done.stdout.strip() == "end", done.stderr
        assert done.returncode == 0, done.stderr


def test_fork() -> None:
    script = (
        _SCRIPT
        + """
def work():
    mine = capi.Execution(compilation)
    while not stop.is_set(): mine.run([ones])
stop = threading.Event()
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
codes = []
for _ in range(5):
    child = os.fork()
    if not child:
        good = (execution.run([-ones])[0] == 0).all()
        good &= (capi.run(model, ["python"], [ones])[0] == 1).all()
        os._exit(0 if good else 3)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.set()
for thread in threads: thread.join()
print(codes)
"""
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == str([0] * 5), done.stderr


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell may have started the tests with interrupts ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_is_not_lost(device: Any) -> None:
    class Interrupted(Relu):
        def run(self, inputs: Any) -> Any:
            raise KeyboardInterrupt

    name = device(Interrupted)
    with pytest.raises((KeyboardInterrupt, DeviceError)) as raised:
        capi.run(relu_model(), [name], [X])
        threading.Event().wait(1)
    if raised.type is DeviceError:
        with pytest.raises(KeyboardInterrupt):
            threading.Event().wait(5)


def test_leaks(device: Any) -> None:
    name = device(Relu)
    model = relu_model(twice=True)
    capi.run(model, [name], [X])
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(50):
        capi.run(model, [name], [X])
    gc.collect()
    assert len(gc.get_objects()) - before < 50
