"""A model through the C API: built, compiled and run on the CPU, and what is refused."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Compilation, Context, Device, Execution, Model, operand_type
from lite.nnadapter.types import Precision, ResultCode


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def two_softmaxes(reverse: bool = False) -> Model:
    """softmax over axis 1, then over axis 0; `reverse` adds the second operation first."""
    model = Model()
    x = model.tensor(np.float32, [2, 3])
    y, z = model.infer(), model.infer()
    steps = [([x, model.constant(1)], [y]), ([y, model.constant(0)], [z])]
    for inputs, outputs in reversed(steps) if reverse else steps:
        model.operation("SOFTMAX", inputs, outputs)
    return model.finish([x], [z])


def code_of(call: Callable[[], object]) -> ResultCode:
    with pytest.raises(DeviceError) as caught:
        call()
    return caught.value.code  # type: ignore[attr-defined]


@pytest.mark.parametrize("reverse", [False, True])
def test_runs_whatever_the_order_of_operations(reverse: bool) -> None:
    x = np.random.default_rng(0).random((2, 3), np.float32)
    (y,) = capi.run(two_softmaxes(reverse), ["builtin_device"], [x])
    np.testing.assert_allclose(y, softmax(softmax(x, 1), 0), rtol=1e-5)


def test_one_model_is_compiled_several_times() -> None:
    model, context = two_softmaxes(), Context(["builtin_device"])
    x = np.ones((2, 3), np.float32)
    for _ in range(3):
        (y,) = Execution(Compilation(model, context).finish()).run([x])
        np.testing.assert_allclose(y, np.full((2, 3), 0.5), rtol=1e-6)


@pytest.mark.parametrize(("elements", "used"), [(32, 1.0), (33, 2.0), (1000, 2.0)])
def test_a_constant_that_is_not_copied(elements: int, used: float) -> None:
    """Of more than 128 bytes it is the caller's until finish, which gathers it."""
    values = [np.full(elements, 1, np.float32), np.full(elements, 1, np.float32)]
    model = Model()
    x = model.tensor(np.float32, [elements])
    y = x
    for value in values:
        constant = model.constant(value, copy=False)
        (y,) = model.operation("ADD", [y, constant, model.constant(0)])
    for value in values:
        value[:] = 2
    model.finish([x], [y])
    for value in values:
        value[:] = 3
    (result,) = capi.run(model, ["builtin_device"], [np.zeros(elements, np.float32)])
    np.testing.assert_array_equal(result, np.full(elements, 2 * used, np.float32))


def test_objects_are_destroyed_in_any_order() -> None:
    device = Device("builtin_device")
    model, context = two_softmaxes(), Context([device])
    compilation = Compilation(model, context).finish()
    execution = Execution(compilation)
    for parent in (device, model, context, compilation):
        parent.close()
    (y,) = execution.run([np.ones((2, 3), np.float32)])
    assert y.shape == (2, 3)


def test_a_destroyed_handle_is_refused() -> None:
    model = Model()
    handle = ctypes.c_void_p(model.handle.value)
    model.close()
    assert code_of(lambda: capi.call("Model_finish", handle)) == ResultCode.INVALID_PARAMETER
    context = Context(["builtin_device"])
    assert (
        code_of(lambda: capi.call("Model_finish", context.handle)) == ResultCode.INVALID_PARAMETER
    )


def test_a_missing_device_says_where_was_looked(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(tmp_path))
    with pytest.raises(DeviceError, match=r"libno_such_device\.so: no such file") as caught:
        Device("no_such_device")
    assert caught.value.code == ResultCode.DEVICE_NOT_FOUND  # type: ignore[attr-defined]
    assert str(tmp_path) in str(caught.value)


def test_a_cycle_is_refused() -> None:
    model = Model()
    kind = operand_type(Precision.FLOAT32, [2, 3])
    a, b = model.operand(kind), model.operand(kind)
    axis = model.constant(1)
    model.operation("SOFTMAX", [a, axis], [b])
    model.operation("SOFTMAX", [b, axis], [a])
    with pytest.raises(DeviceError, match="cycle"):
        model.finish([], [b])
