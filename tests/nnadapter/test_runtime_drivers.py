"""Drivers that come from libraries, and drivers that misbehave."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from probes import binary, build, diamond, diamond_result

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Compilation, Context, Device, Execution, Model
from lite.nnadapter.types import DeviceType, ResultCode

X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)


def code_of(error: pytest.ExceptionInfo[DeviceError]) -> ResultCode:
    return error.value.code  # type: ignore[attr-defined,no-any-return]


def test_a_library_is_found_and_runs(probe_folder: Path) -> None:
    device = Device("probe_a")
    assert (device.name, device.vendor, device.version) == ("probe_a", "the tests", 1)
    assert device.type is DeviceType.ACCELERATOR
    model, (weight,) = diamond()
    outputs = capi.run(model, ["probe_a"], [X])
    for got, expected in zip(outputs, diamond_result(X, weight), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_devices_are_counted(probe_folder: Path) -> None:
    count = ctypes.c_uint32()
    capi.call("_getDeviceCount", ctypes.byref(count))
    before = count.value
    assert before >= 4  # builtin_device, probe_a, probe_b, probe_mute
    build(probe_folder, "probe_counted")
    capi.call("_getDeviceCount", ctypes.byref(count))
    assert count.value == before + 1
    (probe_folder / "libprobe_counted.so").unlink()


def test_the_callback_reaches_the_driver(probe_folder: Path) -> None:
    events: list[int] = []
    Context(["probe_a"], "", lambda event, _data: events.append(event) or 0)
    assert events == [0x0100]


def test_a_driver_may_change_its_model(probe_folder: Path) -> None:
    """Each compilation gets a copy: probe overwrites buffers, types and operations."""
    model, (weight,) = diamond()
    context = Context(["probe_a"])
    for _ in range(3):
        outputs = Execution(Compilation(model, context).finish()).run([X])
        np.testing.assert_allclose(outputs[1], diamond_result(X, weight)[1], rtol=1e-6)


def test_a_driver_may_write_into_weights(probe_folder: Path) -> None:
    """Those of its model, referenced ones too: not the caller's, not the model's own."""
    weight = np.arange(300, dtype=np.float32)
    model = Model()
    x = model.tensor(np.float32, [2, 300])
    model.finish([x], [binary(model, "MUL", x, model.constant(weight, copy=False))])
    ones = np.ones((2, 300), np.float32)
    for device in ("probe_a", "probe_a", "builtin_device"):
        (y,) = capi.run(model, [device], [ones])
        np.testing.assert_array_equal(y, ones * np.arange(300, dtype=np.float32))
    np.testing.assert_array_equal(weight, np.arange(300, dtype=np.float32))


CONTEXT_FAULTS = {"context_throws": 5, "context_throws_int": 5, "context_5": 5, "context_99": 5}
CREATE_FAULTS = {
    "create_throws": 5,
    "create_throws_int": 5,
    "create_5": 5,
    "create_99": 5,
    "create_-1": 5,
    "create_2": 2,
    "create_null": 5,
}
RUN_FAULTS = {
    "execute_throws": 5,
    "execute_throws_int": 5,
    "execute_99": 5,
    "execute_2": 2,
    "dims_negative": 5,
    "dims_unknown": 5,
    "dims_rank": 5,
    "dims_huge": 5,
    "dims_null": 5,
    "no_output": 5,
}


@pytest.mark.parametrize("fault", CONTEXT_FAULTS)
def test_faults_in_create_context(probe_folder: Path, fault: str) -> None:
    with pytest.raises(DeviceError, match="probe_a: create_context") as caught:
        Context(["probe_a"], f"PROBE_A_FAULT={fault}")
    assert code_of(caught) == CONTEXT_FAULTS[fault]


@pytest.mark.parametrize("fault", ["validate_throws", "validate_throws_int", "validate_99"])
def test_faults_in_validate_program(probe_folder: Path, fault: str) -> None:
    model, _ = diamond()
    with pytest.raises(DeviceError, match="probe_a: validate_program") as caught:
        model.supported(Context(["probe_a"], f"PROBE_A_FAULT={fault}"))
    assert code_of(caught) == ResultCode.DEVICE_INTERNAL_ERROR


def test_a_driver_that_gives_no_text(probe_folder: Path) -> None:
    model, _ = diamond()
    with pytest.raises(DeviceError, match=r"returned 5 \(DEVICE_INTERNAL_ERROR\)$"):
        model.supported(Context(["probe_a"], "PROBE_A_FAULT=validate_99"))


def test_odd_answers_of_validate_program(probe_folder: Path) -> None:
    model, _ = diamond()
    assert model.supported(Context(["probe_a"], "PROBE_A_FAULT=validate_7")) == [True] * 3
    with pytest.raises(DeviceError, match="cannot be asked") as caught:
        model.supported(Context(["probe_a"], "PROBE_A_FAULT=validate_6"))
    assert code_of(caught) == ResultCode.FEATURE_NOT_SUPPORTED


@pytest.mark.parametrize("fault", CREATE_FAULTS)
def test_faults_in_create_program(probe_folder: Path, fault: str) -> None:
    model, (weight,) = diamond()
    compilation = Compilation(model, Context(["probe_a"], f"PROBE_A_FAULT={fault}"))
    for _ in range(2):
        with pytest.raises(DeviceError, match="probe_a: create_program") as caught:
            compilation.finish()
        assert code_of(caught) == CREATE_FAULTS[fault]
    outputs = capi.run(model, ["probe_a"], [X])
    np.testing.assert_allclose(outputs[1], diamond_result(X, weight)[1], rtol=1e-6)


@pytest.mark.parametrize("devices", [["probe_a"], ["probe_b", "probe_a"], ["probe_a", "probe_b"]])
@pytest.mark.parametrize("fault", RUN_FAULTS)
def test_faults_in_execute_program(probe_folder: Path, fault: str, devices: list[str]) -> None:
    model, _ = diamond()
    properties = f"PROBE_A_FAULT={fault};{devices[0].upper()}_TAKES=52,3"  # MUL, ADD
    if len(devices) == 1:
        properties = f"PROBE_A_FAULT={fault}"
    execution = Execution(Compilation(model, Context(devices, properties)).finish())
    for _ in range(2):
        with pytest.raises(DeviceError) as caught:
            execution.run([X])
        assert code_of(caught) == RUN_FAULTS[fault], str(caught.value)


@pytest.mark.parametrize("devices", [["probe_a"], ["probe_b", "probe_a"], ["probe_a", "probe_b"]])
@pytest.mark.parametrize("fault", ["binds_once", "binds_once_asking"])
def test_drivers_may_bind_memory_once(probe_folder: Path, fault: str, devices: list[str]) -> None:
    """Inputs and outputs of each run stand elsewhere; those that drivers get do not move."""
    model, (weight,) = diamond()
    takes = f"{devices[0].upper()}_TAKES=52,3;" if len(devices) == 2 else ""
    properties = f"{takes}PROBE_A_FAULT={fault};PROBE_B_FAULT={fault}"
    execution = Execution(Compilation(model, Context(devices, properties)).finish())
    rng, kept = np.random.default_rng(1), []
    for _ in range(4):
        x = rng.standard_normal(X.shape).astype(np.float32)
        outputs = execution.run([x])
        kept.append((x, outputs))
        for got, expected in zip(outputs, diamond_result(x, weight), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-6)
    for x, outputs in kept:
        np.testing.assert_allclose(outputs[0], diamond_result(x, weight)[0], rtol=1e-6)


def test_a_driver_that_asks_for_some_outputs_only(probe_folder: Path) -> None:
    """Nothing of the run before is handed out for the others."""
    model, _ = diamond()
    execution = Execution(
        Compilation(model, Context(["probe_a"], "PROBE_A_FAULT=forgets_later")).finish()
    )
    execution.run([X])
    with pytest.raises(DeviceError, match="without writing its output 1"):
        execution.run([X])


def test_a_throwing_destructor_is_survived(probe_folder: Path) -> None:
    model, _ = diamond()
    context = Context(["probe_a"], "PROBE_A_FAULT=destroy_throws")
    compilation = Compilation(model, context).finish()
    Execution(compilation).run([X])
    compilation.close()
    context.close()
    capi.run(model, ["probe_a"], [X])


def test_other_dimensions_ask_for_another_program(probe_folder: Path) -> None:
    model, _ = diamond()
    for devices in (["probe_a"], ["probe_a", "probe_b"]):
        properties = "PROBE_A_FAULT=batch_2;PROBE_A_TAKES=52,3"
        if len(devices) == 1:
            properties = "PROBE_A_FAULT=batch_2"
        execution = Execution(Compilation(model, Context(devices, properties)).finish())
        execution.run([X])
        with pytest.raises(DeviceError) as caught:
            execution.run([np.ones((5, 3), np.float32)])
        assert code_of(caught) == ResultCode.INVALID_DIMENSIONS
        execution.run([X])


def test_yaml_beside_the_library(probe_folder: Path) -> None:
    model, _ = diamond()
    refused = (
        "supported_operations:\n  - NO_SUCH\n",
        "operations: [MUL]\n",
        "supported_operations: [MUL",
        "supported_operations: MUL\n",
        "\xff\xfe",
    )
    taken = (
        "# comment\nname: x\nsupported_operations:  # list\n  - MUL\n  - 'RELU'\nother: 1\n",
        "supported_operations: [NNADAPTER_MUL,\r\n  RELU]\r\n",
    )
    for number, text in enumerate(taken):
        name = f"probe_yaml_{number}"
        build(probe_folder, name, askable=0)
        yaml = probe_folder / f"{name}.yaml"
        for bad in refused if number == 0 else ():
            yaml.write_text(bad, encoding="latin-1")
            with pytest.raises(DeviceError, match=r"\.yaml: ") as caught:
                Device(name)
            assert code_of(caught) == ResultCode.DEVICE_NOT_FOUND
        yaml.write_text(text)
        assert model.supported(Context([name])) == [True, True, False]


@pytest.mark.parametrize(("version", "good"), [(0, False), (2, True)])
def test_versions(probe_folder: Path, version: int, good: bool) -> None:
    name = f"probe_version_{version}"
    build(probe_folder, name, version=version)
    if good:
        assert Device(name).version == version
        return
    with pytest.raises(DeviceError, match=f"version {version} of the driver contract") as caught:
        Device(name)
    assert code_of(caught) == ResultCode.DEVICE_NOT_FOUND


def test_libraries_that_are_no_device(probe_folder: Path, tmp_path: Path) -> None:
    (probe_folder / "libprobe_text.so").write_text("not a library")
    with pytest.raises(DeviceError, match=r"libprobe_text\.so: "):
        Device("probe_text")
    empty = tmp_path / "empty.cc"
    empty.write_text("int x;\n")
    compile_to(probe_folder / "libprobe_empty.so", empty)
    with pytest.raises(DeviceError, match="no symbol __nnadapter_device__probe_empty"):
        Device("probe_empty")
    small = tmp_path / "small.cc"
    small.write_text('extern "C" { int __nnadapter_device__probe_small = 1; }\n')
    compile_to(probe_folder / "libprobe_small.so", small)
    with pytest.raises(DeviceError, match="has 4 bytes"):
        Device("probe_small")


def test_a_library_that_expects_more_of_the_runtime(probe_folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "needy.cc"
    source.write_text(
        "#include <string>\nnamespace nnadapter { std::string OperandToString(int); }\n"
        'extern "C" unsigned long __nnadapter_device__probe_needy() '
        "{ return nnadapter::OperandToString(1).size(); }\n"
    )
    compile_to(probe_folder / "libprobe_needy.so", source)
    with pytest.raises(DeviceError, match=r"nnadapter::OperandToString.*\(int\)") as caught:
        Device("probe_needy")
    assert code_of(caught) == ResultCode.DEVICE_NOT_FOUND


def compile_to(library: Path, source: Path) -> None:
    subprocess.run(
        ["c++", "-shared", "-fPIC", str(source), "-o", str(library)], check=True, text=True
    )


@pytest.mark.parametrize("fault", ["open_throws", "open_5", "open_99"])
def test_a_device_that_does_not_open(probe_folder: Path, fault: str) -> None:
    """In a process of its own: a device is opened once."""
    code = (
        "from lite.nnadapter.capi import Device\nfrom lite.errors import DeviceError\n"
        "try:\n    Device('probe_a')\n"
        "except DeviceError as e:\n    print(int(e.code), 'open_device' in str(e))\n"
    )
    environment = {**os.environ, "PROBE_OPEN_FAULT": fault}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["4", "True"]
