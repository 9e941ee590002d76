"""What a device must do besides computing operations: splits, caches, dynamic shapes, errors.

Each check is a function of a Probe. It returns nothing where all is well and raises Failure or
Unsupported otherwise.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lite.errors import DeviceError

from .. import capi
from ..types import OperationType, ResultCode
from .case import Array, difference, random

# Operations of one float tensor that give one of its shape, in the order in which they are tried.
_SIMPLE = ("RELU", "SIGMOID", "TANH", "EXP", "RELU6", "ABS", "SQUARE", "ASSIGN", "SOFTMAX", "ADD")
_HOST = "builtin_device"


class Failure(Exception):  # noqa: N818
    """The device does what it must not do."""


class Unsupported(Exception):  # noqa: N818
    """The device does not offer this."""


class NotTaken(Exception):  # noqa: N818
    """The device compiles it not, and has no other way to say that it does not take it."""


@dataclass
class Probe:
    """The device under test, and an operation that it takes."""

    name: str
    properties: str
    modules: tuple[str, ...] = ()

    def context(self, *others: str, first: bool = True) -> capi.Context:
        """A context on the device, with further devices behind (or before) it."""
        names = [self.name, *others] if first else [*others, self.name]
        return capi.Context(names, self.properties)

    @cached_property
    def asks(self) -> bool:
        """Whether the driver itself says what it takes: it has validate_program."""
        text = ctypes.c_char_p()
        context = self.context()
        capi.call("Context_getReport", context.handle, ctypes.byref(text))
        return bool(json.loads(text.value or b"[]")[0]["asks"])

    def takes(self, kind: str) -> bool:
        """Whether the device takes an operation of _SIMPLE on a small tensor."""
        model = chain([kind], (2, 3))
        try:
            taken = all(model.supported(self.context()))
            if self.asks or not taken:
                return taken
        except DeviceError as error:
            if code(error) != ResultCode.FEATURE_NOT_SUPPORTED:
                raise
        try:  # without validate_program only the compilation can tell
            capi.Compilation(model, self.context()).finish()
        except DeviceError:
            return False
        return True

    def simple(self) -> str:
        """An operation that the device takes."""
        for kind in _SIMPLE:
            if self.takes(kind):
                return kind
        raise Unsupported(f"the device takes none of {', '.join(_SIMPLE)}")


def code(error: DeviceError) -> int:
    """The result code behind an error."""
    return int(getattr(error, "code", -1))


def chain(
    kinds: list[str], shape: tuple[int, ...], candidates: list[list[int]] | None = None
) -> capi.Model:
    """Operations of one tensor, one behind the other."""
    model = capi.Model()
    x = value = model.tensor(np.float32, shape, candidates or ())
    for kind in kinds:
        (value,) = model.operation(kind, [value, *_rest(model, kind)])
    return model.finish([x], [value])


def _rest(model: capi.Model, kind: str) -> list[capi.Operand]:
    """The operands of a simple operation behind the first."""
    if kind in ("SOFTMAX", "LOG_SOFTMAX"):
        return [model.constant(-1)]
    if kind == "ADD":
        return [model.constant(np.array([0.5], np.float32)), model.constant(0)]
    return []


def expect(found: Array, wanted: Array, what: str, tolerance: float = 1e-4) -> None:
    """Fails where the arrays differ."""
    text = difference(found, wanted, tolerance)
    if text:
        raise Failure(f"{what}: {text}")


def on_host(model: capi.Model, x: Array) -> Array:
    """What builtin_device computes."""
    return capi.run(model, [_HOST], [x])[0]


def identity(probe: Probe) -> None:
    """Name, vendor, type and version can be read."""
    device = capi.Device(probe.name)
    if device.name != probe.name:
        raise Failure(f"the device calls itself {device.name!r}")
    if not device.vendor:
        raise Failure("the device has no vendor")
    if device.version < 1 or device.type not in (0, 1, 2):
        raise Failure(f"version {device.version}, type {device.type}")


def answers(probe: Probe) -> None:
    """It can be asked which operations it takes; a split with other devices needs that."""
    model = chain(["RELU"], (2, 3))
    try:
        flags = model.supported(probe.context())
    except DeviceError as error:
        if code(error) == ResultCode.FEATURE_NOT_SUPPORTED:
            raise Unsupported("the device has no validate_program") from None
        raise
    if flags != model.supported(probe.context()):
        raise Failure("two questions got two answers")


def repeats(probe: Probe) -> None:
    """A program gives the same numbers again, and leaves its inputs alone."""
    model = chain([probe.simple()] * 2, (2, 3, 4))
    execution = capi.Execution(capi.Compilation(model, probe.context()).finish())
    x = random(2, 3, 4)
    kept, wanted = x.copy(), on_host(model, x)
    first = execution.run([x])[0]
    for other in (random(2, 3, 4, low=0), x):
        last = execution.run([other])[0]
    if not np.array_equal(x, kept):
        raise Failure("the input was changed")
    if not np.array_equal(first, last):
        raise Failure("the same input gave other numbers later")
    expect(first, wanted, "first run")


def compiles_twice(probe: Probe) -> None:
    """One model makes several programs that live at the same time."""
    model = chain([probe.simple()] * 2, (2, 3))
    x, context = random(2, 3), probe.context()
    programs = [capi.Compilation(model, context).finish() for _ in range(3)]
    wanted = on_host(model, x)
    for program in reversed(programs):
        expect(capi.Execution(program).run([x])[0], wanted, "one of three programs")
        program.close()


def threads(probe: Probe) -> None:
    """Four threads compile and run at once."""
    kind, wrong = probe.simple(), []

    def work(seed: int) -> None:
        try:
            for rows in range(1, 4):
                x = np.random.default_rng(seed).standard_normal((rows, 3)).astype(np.float32)
                model = chain([kind], (rows, 3))
                wanted = on_host(model, x)
                expect(capi.run(model, [probe.name], [x], probe.properties)[0], wanted, "")
        except (Failure, DeviceError) as error:
            wrong.append(str(error))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if wrong:
        raise Failure(wrong[0])


def _foreign(probe: Probe) -> str:
    for kind in reversed(_SIMPLE):
        if not probe.takes(kind):
            return kind
    for kind in ("LOG_SOFTMAX", "COS"):
        if not any(chain([kind], (2, 3)).supported(probe.context())):
            return kind
    raise Unsupported("the device takes every operation that could be left to another one")


def splits(probe: Probe) -> None:
    """Programs of two devices alternate, in both orders of preference."""
    answers(probe)
    mine, other = probe.simple(), _foreign(probe)
    model = chain([mine, other, mine, other, mine], (2, 3))
    x = random(2, 3)
    wanted = on_host(model, x)
    for first in (True, False):
        context = probe.context(_HOST, first=first)
        found = capi.Execution(capi.Compilation(model, context).finish()).run([x])[0]
        expect(found, wanted, f"with {_HOST}{'' if first else ' preferred'}")


def shared_outputs(probe: Probe) -> None:
    """A tensor that another device reads is an output of the model, too."""
    answers(probe)
    mine, other = probe.simple(), _foreign(probe)
    model = capi.Model()
    x = model.tensor(np.float32, (2, 3))
    first = model.operation(mine, [x, *_rest(model, mine)])
    second = model.operation(other, [*first, *_rest(model, other)])
    model.finish([x], [*first, *second])
    value = random(2, 3)
    expected = capi.run(model, [_HOST], [value])
    found = capi.run(model, [probe.name, _HOST], [value], probe.properties)
    for got, wanted in zip(found, expected, strict=True):
        expect(got, wanted, "output")


_RELOAD = """
import sys
import numpy as np
from lite.nnadapter import capi
from lite.nnadapter.conformance.worker import prepare
name, properties, folder, modules = sys.argv[1:5]
prepare(name, tuple(m for m in modules.split(",") if m))
context = capi.Context([name], properties)
program = capi.Compilation(None, context, token="conformance", directory=folder).finish()
np.save(folder + "/found.npy", capi.Execution(program).run([np.load(folder + "/x.npy")])[0])
"""


def caches(probe: Probe) -> None:
    """A program is written to a file, restored without its model, here and in a new process."""
    model = chain([probe.simple()] * 3, (2, 3))
    x = random(2, 3)
    wanted = on_host(model, x)
    with tempfile.TemporaryDirectory() as folder:
        where: dict[str, Any] = {"token": "conformance", "directory": folder}
        made = capi.Compilation(model, probe.context(), **where).finish()
        expect(capi.Execution(made).run([x])[0], wanted, "compiled")
        file = Path(folder, "conformance.nnc")
        if not file.exists():
            raise Unsupported("the device does not save its programs")
        restored = capi.Compilation(None, probe.context(), **where).finish()
        expect(capi.Execution(restored).run([x])[0], wanted, "restored")
        memory = capi.Compilation(
            None, probe.context(), token="conformance", cache=file.read_bytes()
        ).finish()
        expect(capi.Execution(memory).run([x])[0], wanted, "restored from memory")
        np.save(Path(folder, "x.npy"), x)
        arguments = [probe.name, probe.properties, folder, ",".join(probe.modules)]
        done = subprocess.run(
            [sys.executable, "-c", _RELOAD, *arguments], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise Failure(f"a new process: {done.stderr.strip().splitlines()[-1:]}")
        expect(np.load(Path(folder, "found.npy")), wanted, "restored in a new process")


def damaged_caches(probe: Probe) -> None:
    """A damaged cache is refused, or gives the right numbers; the process goes on."""
    model = chain([probe.simple()], (2, 3))
    x = random(2, 3)
    wanted = on_host(model, x)
    rng = np.random.default_rng(5)
    with tempfile.TemporaryDirectory() as folder:
        where: dict[str, Any] = {"token": "damaged", "directory": folder}
        made = capi.Compilation(model, probe.context(), **where).finish()
        expect(capi.Execution(made).run([x])[0], wanted, "compiled")
        file = Path(folder, "damaged.nnc")
        if not file.exists():
            raise Unsupported("the device does not save its programs")
        good = file.read_bytes()
        for _ in range(20):
            bytes_ = bytearray(good)
            for at in rng.integers(0, len(good), 4):
                bytes_[at] = int(rng.integers(0, 256))
            file.write_bytes(bytes(bytes_))
            program = capi.Compilation(model, probe.context(), **where).finish()
            expect(capi.Execution(program).run([x])[0], wanted, "with a damaged cache")


def dynamic_shapes(probe: Probe) -> None:
    """A dimension is unknown; its candidates run, other extents do or ask to compile again."""
    kind = probe.simple()
    model = chain([kind], (-1, 3), [[1, 3], [2, 3], [4, 3]])
    try:
        if not all(model.supported(probe.context())):
            raise Unsupported("the device does not take unknown dimensions")
    except DeviceError as error:
        if code(error) != ResultCode.FEATURE_NOT_SUPPORTED:
            raise
    try:
        execution = capi.Execution(capi.Compilation(model, probe.context()).finish())
    except DeviceError as error:
        raise Unsupported(f"the device does not compile unknown dimensions: {error}") from None
    for rows in (2, 1, 4, 2):
        x = random(rows, 3)
        wanted = on_host(chain([kind], (rows, 3)), x)
        expect(execution.run([x])[0], wanted, f"{rows} rows")
    _other_shape(execution, kind, random(7, 3))


def other_shapes(probe: Probe) -> None:
    """A program for fixed dimensions refuses others with INVALID_DIMENSIONS and goes on."""
    kind = probe.simple()
    model = chain([kind], (2, 3))
    x = random(2, 3)
    wanted = on_host(model, x)
    execution = capi.Execution(capi.Compilation(model, probe.context()).finish())
    for shape in ((5, 3), (2, 4)):
        _other_shape(execution, kind, random(*shape))
    expect(execution.run([x])[0], wanted, "after another shape")


def _other_shape(execution: capi.Execution, kind: str, x: Array) -> None:
    wanted = on_host(chain([kind], x.shape), x)
    try:
        found = execution.run([x])[0]
    except DeviceError as error:
        if code(error) != ResultCode.INVALID_DIMENSIONS:
            raise Failure(f"shape {list(x.shape)} gave {error}, not INVALID_DIMENSIONS") from None
        return
    expect(found, wanted, f"shape {list(x.shape)}")


def refuses(probe: Probe) -> None:
    """What the device does not take it does not compile either."""
    if not probe.asks:
        raise Unsupported("the device has no validate_program")
    try:
        kind = _foreign(probe)
    except DeviceError as error:
        raise Unsupported(f"the device cannot be asked: {error}") from None
    model = chain([kind], (2, 3))
    try:
        capi.Compilation(model, probe.context()).finish()
    except DeviceError:
        return
    raise Failure(f"{kind} is not taken, but compiled")


def properties(probe: Probe) -> None:
    """Unknown properties do no harm; malformed ones are an error, not the end of the process."""
    for text in ("UNKNOWN_KEY=1", "UNKNOWN_KEY=1;OTHER=2;"):
        capi.Context([probe.name], text).close()
    for text in ("=", "a=b=c", ";;", "no assignment"):
        try:
            capi.Context([probe.name], text).close()
        except DeviceError:
            continue


def any_order(probe: Probe) -> None:
    """Objects are destroyed in any order."""
    model = chain([probe.simple()], (2, 3))
    x = random(2, 3)
    wanted = on_host(model, x)
    for _ in range(3):
        device = capi.Device(probe.name)
        context = capi.Context([device], probe.properties)
        compilation = capi.Compilation(model, context).finish()
        execution = capi.Execution(compilation)
        device.close()
        context.close()
        compilation.close()
        expect(execution.run([x])[0], wanted, "after its parents' destruction")
        execution.close()


def names_operations(probe: Probe) -> None:
    """Every operation code may be asked for: the answer is yes or no."""
    answers(probe)
    context = probe.context()
    for kind in OperationType:
        model = capi.Model()
        x = model.tensor(np.float32, (1, 2, 4, 4))
        try:
            (y,) = model.operation(kind, [x])
            model.finish([x], [y])
        except DeviceError:
            continue  # needs more operands; the cases of the operation have them
        model.supported(context)


CHECKS: dict[str, Callable[[Probe], None]] = {
    function.__name__: function
    for function in (
        *(identity, answers, names_operations, properties, repeats, compiles_twice, threads),
        *(any_order, splits, shared_outputs, caches, damaged_caches, dynamic_shapes),
        *(other_shapes, refuses),
    )
}
