"""Every misuse of the C API is a code and a text; the objects stay usable."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from probes import binary

from lite.errors import DeviceError
from lite.nnadapter import abi, capi
from lite.nnadapter.capi import (
    Compilation,
    Context,
    Device,
    Execution,
    Model,
    OperandType,
    Quantisation,
    operand_type,
)
from lite.nnadapter.types import Lifetime, OperationType, Precision, ResultCode

NULL = ctypes.c_void_p()
GARBAGE = ctypes.c_void_p(0x1234560)


def refused(call: Callable[[], object], code: ResultCode, text: str) -> None:
    with pytest.raises(DeviceError, match=text) as caught:
        call()
    assert caught.value.code == code  # type: ignore[attr-defined]


def invalid(call: Callable[[], object], text: str) -> None:
    refused(call, ResultCode.INVALID_PARAMETER, text)


def relu_model() -> Model:
    model = Model()
    x = model.tensor(np.float32, [2, 3])
    return model.finish([x], model.operation("RELU", [x]))


def compiled() -> Compilation:
    return Compilation(relu_model(), Context(["builtin_device"])).finish()


def test_null_and_foreign_handles() -> None:
    out = ctypes.c_void_p()
    ref = ctypes.byref(out)
    flag = (ctypes.c_bool * 4)()
    number = ctypes.c_uint32()
    numbers = ctypes.byref(number)
    kind = operand_type(Precision.FLOAT32, [1])
    access = capi.ACCESS(lambda *_: 0)
    calls: list[Callable[[ctypes.c_void_p], tuple[Any, ...]]] = [
        lambda h: ("Model_finish", h),
        lambda h: ("Model_addOperand", h, ctypes.byref(kind), ref),
        lambda h: ("Model_setOperandValue", h, ref, 4, True),
        lambda h: ("Model_getOperandType", h, ctypes.byref(abi.TYPE_POINTER())),
        lambda h: ("Model_addOperation", h, 65, 0, None, 0, None, ref),
        lambda h: ("Model_identifyInputsAndOutputs", h, 0, None, 0, None),
        lambda h: ("Model_getSupportedOperations", h, h, flag),
        lambda h: ("Compilation_finish", h),
        lambda h: ("Compilation_create", None, b"t", None, 0, b"/tmp", h, ref),
        lambda h: ("Compilation_queryInputsAndOutputs", h, numbers, None, numbers, None),
        lambda h: ("Execution_create", h, ref),
        lambda h: ("Execution_setInput", h, 0, None, access),
        lambda h: ("Execution_setOutput", h, 0, None, access),
        lambda h: ("Execution_compute", h),
        lambda h: ("Device_getName", h, ctypes.byref(ctypes.c_char_p())),
        lambda h: ("Device_getVendor", h, ctypes.byref(ctypes.c_char_p())),
        lambda h: ("Device_getType", h, ctypes.byref(ctypes.c_int32())),
        lambda h: ("Device_getVersion", h, ctypes.byref(ctypes.c_int32())),
        lambda h: ("Context_create", (ctypes.c_void_p * 1)(h.value), 1, b"", None, ref),
    ]
    for arguments in calls:
        for handle in (NULL, GARBAGE):
            invalid(lambda a=arguments, h=handle: capi.call(*a(h)), "is null|no such|expected a")
    for name in abi.RELEASES:
        for handle in (NULL, GARBAGE):
            getattr(capi.library(), f"NNAdapter{name}")(handle)
            assert b"null" in capi.library().NNAdapter_getLastErrorMessage() or handle is GARBAGE
            assert capi.library().NNAdapter_getLastErrorCode() == ResultCode.INVALID_PARAMETER


def test_null_results() -> None:
    model, context = relu_model(), Context(["builtin_device"])
    device = context.devices[0]
    array = (ctypes.c_void_p * 1)(device.handle)
    for call in (
        ("_getVersion", None),
        ("_getDeviceCount", None),
        ("Device_acquire", b"builtin_device", None),
        ("Device_acquire", None, ctypes.byref(ctypes.c_void_p())),
        ("Device_getName", device.handle, None),
        ("Context_create", array, 1, b"", None, None),
        ("Context_create", None, 1, b"", None, ctypes.byref(ctypes.c_void_p())),
        ("Model_create", None),
        ("Model_getSupportedOperations", model.handle, context.handle, None),
        ("Compilation_create", model.handle, None, None, 0, None, context.handle, None),
        (
            *("Compilation_create", model.handle, None, None, 7, None, context.handle),
            ctypes.byref(ctypes.c_void_p()),
        ),
    ):
        invalid(lambda call=call: capi.call(*call), "is null")


def test_an_error_belongs_to_its_thread() -> None:
    invalid(lambda: capi.call("Model_finish", NULL), "is null")
    seen: list[bytes] = []
    thread = threading.Thread(
        target=lambda: seen.append(capi.library().NNAdapter_getLastErrorMessage())
    )
    thread.start()
    thread.join()
    assert seen == [b""]
    assert b"null" in capi.library().NNAdapter_getLastErrorMessage()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda t: setattr(t, "precision", 17), "precision"),
        (lambda t: setattr(t, "layout", 9), "layout"),
        (lambda t: setattr(t, "lifetime", -3), "lifetime"),
        (lambda t: setattr(t.dimensions, "count", 9), "rank of 9"),
        (lambda t: setattr(t.dimensions, "dynamic_count", 9), "9 candidate"),
        (lambda t: t.dimensions.data.__setitem__(0, -4), "dimension 0 is -4"),
        (lambda t: t.dimensions.data.__setitem__(slice(0, 2), [2**31 - 1] * 2), "too large"),
    ],
)
def test_a_type_out_of_range(change: Callable[[OperandType], None], text: str) -> None:
    kind = operand_type(Precision.FLOAT32, [2, 3])
    change(kind)
    invalid(lambda: Model().operand(kind), text)


def test_scales_that_do_not_fit() -> None:
    def quantised(scales: tuple[float, ...], channel: int) -> None:
        quantisation = Quantisation(scales, channel_axis=channel)
        precision = Precision.QUANT_INT8_SYMM_PER_CHANNEL
        Model().operand(operand_type(precision, [2, 3], quantisation=quantisation))

    quantised((1.0, 2.0), 0)
    invalid(lambda: quantised((1.0, 2.0), 1), "2 scales for 3 channels")
    invalid(lambda: quantised((1.0,), 5), "channel_dim 5")


def test_constants() -> None:
    model = Model()
    operand = model.operand(operand_type(Precision.FLOAT32, [2]))
    value = np.ones(4, np.float32)

    def put(length: int, buffer: int | None = value.ctypes.data, to: Any = operand) -> None:
        capi.call("Model_setOperandValue", to.handle, buffer, length, True)

    invalid(lambda: put(16), r"16 bytes for a constant of type FLOAT32\[2\]")
    invalid(lambda: put(0), "0 bytes")
    invalid(lambda: put(8, None), "buffer is null")
    put(8)
    put(8)
    unknown = model.operand(operand_type(Precision.FLOAT32, [-1]))
    invalid(lambda: put(4, to=unknown), r"FLOAT32\[\?\]")
    invalid(lambda: model.operation("RELU", [operand], [operand]), "output operand is a constant")


def test_operands_of_another_model() -> None:
    model, other = Model(), Model()
    x = other.tensor(np.float32, [1])
    invalid(lambda: model.operation("RELU", [x]), "no operand of this model")
    invalid(lambda: model.operation("RELU", [model.tensor(np.float32, [1])], [x]), "no operand")
    invalid(lambda: model.finish([x], [x]), "no operand of this model")


def test_operations() -> None:
    model = Model()
    x = model.tensor(np.float32, [2, 3])
    beyond = len(OperationType)
    invalid(lambda: model.operation(beyond, [x]), f"no operation with code {beyond}")
    invalid(lambda: model.operation("RELU", [x], []), "needs an output")
    invalid(lambda: model.operation("RELU", [x], [None]), "all output operands are null")
    invalid(lambda: model.operation("RELU", []), "RELU")
    invalid(lambda: model.operation("RELU", [None]), "RELU")
    invalid(lambda: model.operation("ADD", [x, x]), "ADD")
    # What was refused left nothing behind.
    y = model.operation("RELU", [x])
    model.finish([x], y)
    (result,) = capi.run(model, ["fake_device"], [np.float32([[-1, 0, 1], [2, -2, 3]])])
    np.testing.assert_array_equal(result, [[0, 0, 1], [2, 0, 3]])


def test_a_refused_operation_leaves_its_outputs_as_they_were() -> None:
    model = Model()
    x = model.tensor(np.float32, [2, 3])
    y = model.infer()
    other = model.tensor(np.float32, [7, 7, 7])
    invalid(lambda: binary_into(model, x, other, y), "ADD")
    assert y.type.dimensions.count == 0
    model.operation("RELU", [x], [y])
    assert list(y.type.dimensions.data)[:2] == [2, 3]


def binary_into(model: Model, a: Any, b: Any, out: Any) -> None:
    model.operation("ADD", [a, b, model.constant(0)], [out])


def unfinished(build: Callable[[Model], tuple[list[Any], list[Any]]]) -> Callable[[], object]:
    model = Model()
    inputs, outputs = build(model)
    return lambda: model.finish(inputs, outputs)


def test_what_finish_refuses() -> None:
    kind = operand_type(Precision.FLOAT32, [2])

    def written_twice(model: Model) -> tuple[list[Any], list[Any]]:
        x, y = model.operand(kind), model.operand(kind)
        model.operation("RELU", [x], [y])
        model.operation("ABS", [x], [y])
        return [x], [y]

    def never_written(model: Model) -> tuple[list[Any], list[Any]]:
        x, y = model.operand(kind), model.operand(kind)
        return [x], model.operation("RELU", [y])

    def output_never_written(model: Model) -> tuple[list[Any], list[Any]]:
        x, y = model.operand(kind), model.operand(kind)
        return [x], [*model.operation("RELU", [x]), y]

    def input_written(model: Model) -> tuple[list[Any], list[Any]]:
        x, y = model.operand(kind), model.operand(kind)
        model.operation("RELU", [x], [y])
        return [x, y], model.operation("RELU", [y])

    def cycle(model: Model) -> tuple[list[Any], list[Any]]:
        x, y, z = (model.operand(kind) for _ in range(3))
        binary_into(model, x, z, y)
        model.operation("RELU", [y], [z])
        return [x], [y]

    def self_cycle(model: Model) -> tuple[list[Any], list[Any]]:
        x = model.operand(kind)
        model.operation("RELU", [x], [x])
        return [], [x]

    def no_value(model: Model) -> tuple[list[Any], list[Any]]:
        constant = operand_type(Precision.FLOAT32, [2])
        constant.lifetime = Lifetime.CONSTANT_COPY
        x = model.operand(kind)
        return [x], [binary(model, "ADD", x, model.operand(constant))]

    def declared_input(model: Model) -> tuple[list[Any], list[Any]]:
        stray = operand_type(Precision.FLOAT32, [2])
        stray.lifetime = Lifetime.MODEL_INPUT
        x = model.operand(kind)
        return [x], [binary(model, "ADD", x, model.operand(stray))]

    for build, text in (
        (written_twice, "written twice"),
        (never_written, "never written"),
        (output_never_written, "never written"),
        (input_written, "is written by RELU"),
        (cycle, "cycle"),
        (self_cycle, "cycle"),
        (no_value, "RELU|ADD|no value"),
        (declared_input, "not identified"),
    ):
        try:
            finish = unfinished(build)
        except DeviceError as error:
            assert error.code == ResultCode.INVALID_PARAMETER  # type: ignore[attr-defined]
            continue
        invalid(finish, text)


def test_identify() -> None:
    model = Model()
    x = model.tensor(np.float32, [2])
    y = model.operation("RELU", [x])[0]
    invalid(lambda: capi.call("Model_finish", model.handle), "not identified")
    invalid(lambda: model.finish([x], []), "needs an output")
    invalid(lambda: model.finish([x, x], [y]), "twice")
    invalid(lambda: model.finish([x], [x]), "twice")
    invalid(lambda: model.finish([x, model.constant(1.0)], [y]), "constant")
    model2 = Model()
    z = model2.tensor(np.float32, [2])
    model2.finish([z], model2.operation("RELU", [z]))


def test_a_finished_model_stays_as_it_is() -> None:
    model = relu_model()
    invalid(lambda: model.tensor(np.float32, [1]), "finished")
    invalid(lambda: model.operation("RELU", []), "finished|RELU")
    invalid(lambda: capi.call("Model_finish", model.handle), "finished")
    invalid(lambda: model.finish([], model.outputs), "finished")


def test_the_wrong_state() -> None:
    model, context = Model(), Context(["builtin_device"])
    x = model.tensor(np.float32, [2, 3])
    y = model.operation("RELU", [x])
    invalid(lambda: model.supported(context), "not finished")
    invalid(lambda: Compilation(model, context), "not finished")
    invalid(lambda: Compilation(None, context), "neither a model nor a cache")
    model.finish([x], y)
    compilation = Compilation(model, context)
    invalid(lambda: compilation.types(), "not finished")
    invalid(lambda: Execution(compilation), "not finished")
    compilation.finish()
    invalid(lambda: compilation.finish(), "already finished")


def test_executions() -> None:
    compilation = compiled()
    execution = Execution(compilation)
    access = capi.ACCESS(lambda *_: None)
    invalid(lambda: capi.call("Execution_compute", execution.handle), "input 0 is not set")
    for index in (-1, 1, 2**31 - 1):
        invalid(
            lambda i=index: capi.call("Execution_setInput", execution.handle, i, None, access),
            "no input number",
        )
        invalid(
            lambda i=index: capi.call("Execution_setOutput", execution.handle, i, None, access),
            "no output number",
        )
    null = ctypes.cast(None, capi.ACCESS)
    invalid(
        lambda: capi.call("Execution_setInput", execution.handle, 0, None, null),
        "access function is null",
    )
    capi.call("Execution_setInput", execution.handle, 0, None, access)
    invalid(lambda: capi.call("Execution_compute", execution.handle), "output 0 is not set")
    capi.call("Execution_setOutput", execution.handle, 0, None, access)
    invalid(lambda: capi.call("Execution_compute", execution.handle), "input 0 returned null")
    with pytest.raises(DeviceError, match="input 0 is uint8, expected float32"):
        execution.run([np.ones((2, 3), np.uint8)])  # a quarter of the memory that is read
    with pytest.raises(DeviceError, match="9 dimensions; at most 8"):
        execution.run([np.ones((1,) * 9, np.float32)])
    refused(
        lambda: execution.run([np.ones((2, 3, 1), np.float32)]),
        ResultCode.INVALID_DIMENSIONS,
        "rank 2",
    )
    (y,) = execution.run([np.full((2, 3), -1, np.float32)])
    assert not y.any()


@pytest.mark.parametrize("text", ["a", "a=", "=b", "a=b=c", ";", "a=b;;c=d", "a=b;c", ";a=b"])
def test_malformed_properties(text: str) -> None:
    invalid(lambda: Context(["builtin_device"], text), "properties")


@pytest.mark.parametrize("text", ["", "a=b", "a=b;", "a=b;c=d;"])
def test_properties(text: str) -> None:
    Context(["builtin_device"], text)


def test_contexts() -> None:
    device = Device("builtin_device")
    invalid(lambda: Context([]), "needs a device")
    invalid(lambda: Context([device, device]), "named twice")


@pytest.mark.parametrize("name", ["../probe_a", "a b", "x" * 500, "libc.so.6"])
def test_names_that_no_device_has(probe_folder: Path, name: str) -> None:
    refused(lambda: Device(name), ResultCode.DEVICE_NOT_FOUND, "cannot be a device's name")


@pytest.mark.parametrize("count", [1_000_000, 2**32 - 1])
def test_counts_beyond_the_array_are_refused_before_it_is_read(count: int) -> None:
    model = Model()
    x, y, mode = model.tensor(np.float32, [2]), model.infer(), model.constant(0)
    two = (ctypes.c_void_p * 2)(x.handle.value, x.handle.value)
    ref = ctypes.byref(ctypes.c_void_p())
    one = (ctypes.c_void_p * 1)(y.handle.value)
    add, concat = OperationType.ADD, OperationType.CONCAT
    calls: list[tuple[Any, ...]] = [
        ("Model_addOperation", model.handle, add, count, two, 1, one, ref),
        ("Model_addOperation", model.handle, add, 3, two, count, one, ref),
        ("Model_addOperation", model.handle, concat, count, two, 1, one, ref),
        ("Model_identifyInputsAndOutputs", model.handle, count, two, 1, one),
        ("Model_identifyInputsAndOutputs", model.handle, 1, two, count, one),
    ]
    for call in calls:
        invalid(lambda c=call: capi.call(*c), str(count))
    model.operation("CONCAT", [*[x] * 20, mode], [y])  # one operand, named often
    (result,) = capi.run(model.finish([x], [y]), ["builtin_device"], [np.ones(2, np.float32)])
    assert result.shape == (40,)


def test_a_callback_that_runs_what_is_running() -> None:
    execution = Execution(Compilation(relu_model(), Context(["builtin_device"])).finish())
    codes: list[int] = []

    @capi.ACCESS
    def access(_memory: Any, _kind: Any, _device: Any) -> int:
        function = capi.library().NNAdapterExecution_compute
        codes.append(function(execution.handle))
        return 0

    for which in ("setInput", "setOutput"):
        capi.call(f"Execution_{which}", execution.handle, 0, None, access)
    with pytest.raises(DeviceError):
        capi.call("Execution_compute", execution.handle)
    assert codes and set(codes) == {ResultCode.INVALID_PARAMETER}
    (y,) = execution.run([np.full((2, 3), -1, np.float32)])
    assert not y.any()
