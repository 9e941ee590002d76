"""HAL libraries that share no header with the runtime, loaded and driven through the C API."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from nnadapter.compiling import COMPILERS, LIBRARY, ROOT, compiled

from lite.errors import DeviceError
from lite.nnadapter import capi

pytestmark = pytest.mark.long
SOURCE = Path(__file__).with_name("independent_hal.cc")
DEVICES = {
    "abi_all": ["-DTAKES=3,52,65"],
    "abi_add": ["-DTAKES=3"],
    "abi_relu": ["-DTAKES=65,52", "-DVERSION=2"],
    "abi_silent": ["-DTAKES=3,52,65", "-DNO_VALIDATE"],
    "abi_old": ["-DTAKES=3", "-DVERSION=0"],
}
MISFITS = ["scalar", "larger", "precision"]  # possible by themselves, but not what was compiled
X = np.array([[1, -2, 3], [-4, 5, -6]], np.float32)
C = np.array([[1, 1, 1], [2, 2, 2]], np.float32)

Library = Callable[[str], ctypes.CDLL]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("devices")
    for name, flags in DEVICES.items():
        output = result / f"lib{name}.so"
        compiled(SOURCE, output, [f"-DDEVICE={name}", *flags, *LIBRARY])
    compiled(SOURCE, result / "libabi_other.so", ["-DDEVICE=abi_x", "-DTAKES=3", *LIBRARY])
    (result / "libabi_text.so").write_text("no library at all")
    return result


@pytest.fixture(autouse=True)
def search_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(folder))
    yield
    for name in DEVICES:
        if name != "abi_old":
            journal(folder, name)


def journal(folder: Path, name: str) -> list[str]:
    """What the library noted since the last call."""
    library = ctypes.CDLL(str(folder / f"lib{name}.so"))
    library.vendor_journal.restype = ctypes.c_char_p
    return str(library.vendor_journal().decode()).splitlines()


def relu_of_sum(shape: tuple[int, ...] = (2, 3), **how: object) -> capi.Model:
    """relu(x + c), the operations added in reverse order."""
    model = capi.Model()
    x = model.tensor(np.float32, shape, **how)  # type: ignore[arg-type]
    total = model.tensor(np.float32, shape, **how)  # type: ignore[arg-type]
    (result,) = model.operation("RELU", [total])
    model.operation("ADD", [x, model.constant(C), model.constant(0)], [total])
    return model.finish([x], [result])


def chain(count: int = 4) -> capi.Model:
    """x + x, relu, ... : the operations alternate."""
    model = capi.Model()
    x = value = model.tensor(np.float32, [2, 3])
    for _ in range(count):
        (value,) = model.operation("ADD", [value, value, model.constant(0)])
        (value,) = model.operation("RELU", [value])
    return model.finish([x], [value])


def code_of(error: pytest.ExceptionInfo[DeviceError]) -> int:
    return int(getattr(error.value, "code"))  # noqa: B009 - set at run time


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_layouts_hold_under_every_compiler(compiler: str, tmp_path: Path) -> None:
    flags = ["-DDEVICE=a", "-DTAKES=3", *LIBRARY]
    compiled(SOURCE, tmp_path / "liba.so", flags, compiler)


def test_opens_once_and_has_properties(folder: Path) -> None:
    first, second = capi.Device("abi_all"), capi.Device("abi_all")
    assert (first.name, first.vendor, first.type, first.version) == (
        *("abi_all", "Independent", 2, 1),
    )
    assert second.name == first.name
    assert journal(folder, "abi_all").count("open") <= 1
    count = ctypes.c_uint32()
    capi.call("_getDeviceCount", ctypes.byref(count))
    assert count.value >= 5


def test_a_newer_version_is_taken(folder: Path) -> None:
    assert capi.Device("abi_relu").version == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("abi_old", "version 0"),
        ("abi_other", "__nnadapter_device__abi_other"),
        ("abi_text", "libabi_text.so"),
        ("abi_missing", "libabi_missing.so"),
        ("../abi_all", "abi_all"),
        ("", ""),
    ],
)
def test_what_cannot_be_opened_says_where_was_looked(name: str, text: str) -> None:
    with pytest.raises(DeviceError) as error:
        capi.Device(name)
    assert code_of(error) in (3, 4)
    assert text in str(error.value)


def test_open_device_may_fail(folder: Path) -> None:
    code = (
        "from lite.nnadapter import capi\n"
        "try: capi.Device('abi_all')\n"
        "except capi.DeviceError as e: print(e.code.name, e)\n"
    )
    text = in_new_process(code, VENDOR_OPEN_CODE="5")
    assert text.startswith("DEVICE_NOT_FOUND") and "open_device returned 5" in text


def in_new_process(code: str, **environment: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_properties_and_callback_reach_the_driver(folder: Path) -> None:
    journal(folder, "abi_all")
    events: list[int] = []

    def callback(event: int, user_data: int) -> int:
        events.append(event)
        return 0

    context = capi.Context(["abi_all"], "VENDOR_EVENT=1;OTHER=x;", callback)
    assert events == [0x0100]
    context.close()
    assert journal(folder, "abi_all")[-2:] == [
        *("create_context device=7 properties=VENDOR_EVENT=1;OTHER=x;", "destroy_context"),
    ]
    capi.Context(["abi_all"]).close()
    assert "create_context device=7 properties=" in journal(folder, "abi_all")


def test_supported_operations_come_in_the_order_of_adding(folder: Path) -> None:
    model = relu_of_sum()
    assert model.supported(capi.Context(["abi_all"])) == [True, True]
    assert model.supported(capi.Context(["abi_add"])) == [False, True]
    assert model.supported(capi.Context(["abi_relu"])) == [True, False]
    assert model.supported(capi.Context(["abi_add", "abi_relu"])) == [True, True]


def test_builds_and_runs(folder: Path) -> None:
    journal(folder, "abi_all")
    model = relu_of_sum()
    context = capi.Context(["abi_all"])
    compilation = capi.Compilation(model, context).finish()
    execution = capi.Execution(compilation)
    for factor in (1, -1):
        (result,) = execution.run([X * factor])
        np.testing.assert_array_equal(result, np.maximum(X * factor + C, 0))
    execution.close()
    compilation.close()
    context.close()
    events = journal(folder, "abi_all")
    assert [e for e in events if not e.startswith(" ")] == [
        "create_context device=7 properties=",
        "create_program model=1 cache=0 token=(null)",
        *("execute_program", "execute_program", "destroy_program", "destroy_context"),
    ]
    assert "  input precision=10 lifetime=4 dims=2,3 candidates= length=0" in events
    assert "  operand precision=10 lifetime=2 dims=2,3 candidates= length=24" in events
    assert "  output precision=10 lifetime=5 dims=2,3 candidates= length=0" in events
    # In an order in which it can be computed, whatever the order of adding.
    assert [e for e in events if "operation" in e] == ["  operation 3", "  operation 65"]


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("count", [4, 4096])
def test_constants_reach_the_driver(folder: Path, copy: bool, count: int) -> None:
    values = np.random.default_rng(1).standard_normal(count).astype(np.float32)
    model = capi.Model()
    x = model.tensor(np.float32, [count])
    (y,) = model.operation("MUL", [x, model.constant(values, copy=copy), model.constant(0)])
    model.finish([x], [y])
    (result,) = capi.run(model, ["abi_all"], [np.full(count, 2, np.float32)])
    np.testing.assert_array_equal(result, values * 2)


def test_a_driver_may_change_its_model(folder: Path) -> None:
    model = relu_of_sum()
    for _ in range(3):
        for properties in ("VENDOR_MUTATE=1", ""):
            (result,) = capi.run(model, ["abi_all"], [X], properties)
            np.testing.assert_array_equal(result, np.maximum(X + C, 0))


def test_dynamic_shapes(folder: Path) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [-1, 3], candidates=[[1, 3], [2, 3]])
    (y,) = model.operation("RELU", [x])
    model.finish([x], [y])
    assert y.type.shape == (-1, 3)
    assert y.type.dimensions.dynamic_count == 2
    journal(folder, "abi_all")
    execution = capi.Execution(capi.Compilation(model, capi.Context(["abi_all"])).finish())
    line = "  input precision=10 lifetime=4 dims=-65535,3 candidates=1,3|2,3 length=0"
    assert line in journal(folder, "abi_all")
    for rows in (1, 2, 1):
        value = np.random.default_rng(rows).standard_normal((rows, 3)).astype(np.float32)
        np.testing.assert_array_equal(execution.run([value])[0], np.maximum(value, 0))
    with pytest.raises(DeviceError) as error:
        execution.run([np.zeros((5, 3), np.float32)])
    assert code_of(error) == 2
    np.testing.assert_array_equal(execution.run([X])[0], np.maximum(X, 0))


def test_static_shapes_refuse_another_shape(folder: Path) -> None:
    model = relu_of_sum()
    execution = capi.Execution(capi.Compilation(model, capi.Context(["abi_all"])).finish())
    for wrong in ((3, 3), (2, 3, 1)):
        with pytest.raises(DeviceError) as error:
            execution.run([np.zeros(wrong, np.float32)])
        assert code_of(error) == 2
    np.testing.assert_array_equal(execution.run([X])[0], np.maximum(X + C, 0))


@pytest.mark.parametrize("devices", [["abi_all"], ["abi_add", "abi_relu"]])
def test_cache_in_a_new_process(folder: Path, tmp_path: Path, devices: list[str]) -> None:
    model = relu_of_sum()
    context = capi.Context(devices)
    where = {"token": "a1", "directory": str(tmp_path)}
    compilation = capi.Compilation(model, context, **where).finish()  # type: ignore[arg-type]
    assert (tmp_path / "a1.nnc").read_bytes()[:4] == b"cnn."
    (expected,) = capi.Execution(compilation).run([X])
    code = (
        "import ctypes, numpy as np\n"
        "from lite.nnadapter import capi\n"
        f"context = capi.Context({devices!r})\n"
        f"c = capi.Compilation(None, context, token='a1', directory={str(tmp_path)!r}).finish()\n"
        f"x = np.array({X.tolist()}, np.float32)\n"
        "print(capi.Execution(c).run([x])[0].tolist())\n"
        "print([t.shape for t in c.types()[0]])\n"
        f"l = ctypes.CDLL({str(folder / ('lib' + devices[0] + '.so'))!r})\n"
        "l.vendor_journal.restype = ctypes.c_char_p\n"
        "print(l.vendor_journal().decode())\n"
    )
    lines = in_new_process(code).splitlines()
    assert lines[0] == str(expected.tolist()) and lines[1] == "[(2, 3)]"
    assert "create_program model=0 cache=1 token=a1" in lines
    # In this process too, with the model given: its fingerprint fits.
    journal(folder, devices[0])
    again = capi.Compilation(relu_of_sum(), context, **where).finish()  # type: ignore[arg-type]
    assert "create_program model=0 cache=1 token=a1" in journal(folder, devices[0])
    np.testing.assert_array_equal(capi.Execution(again).run([X])[0], expected)
    # From memory.
    held = (tmp_path / "a1.nnc").read_bytes()
    memory = capi.Compilation(None, context, token="a1", cache=held).finish()
    np.testing.assert_array_equal(capi.Execution(memory).run([X])[0], expected)


def test_a_cache_of_another_model_or_a_damaged_one_is_not_used(
    folder: Path, tmp_path: Path
) -> None:
    context = capi.Context(["abi_all"])
    where = {"token": "t", "directory": str(tmp_path)}
    capi.Compilation(chain(), context, **where).finish()  # type: ignore[arg-type]
    other = capi.Compilation(relu_of_sum(), context, **where).finish()  # type: ignore[arg-type]
    np.testing.assert_array_equal(capi.Execution(other).run([X])[0], np.maximum(X + C, 0))
    path = tmp_path / "t.nnc"
    good = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(60):
        damaged = bytearray(good)
        for at in rng.integers(0, len(good), 3):
            damaged[at] ^= int(rng.integers(1, 256))
        path.write_bytes(bytes(damaged[: int(rng.integers(0, len(good)))] if _ % 2 else damaged))
        with pytest.raises(DeviceError) as error:
            capi.Compilation(None, context, **where).finish()  # type: ignore[arg-type]
        assert code_of(error) == 3
        rebuilt = capi.Compilation(relu_of_sum(), context, **where)  # type: ignore[arg-type]
        (result,) = capi.Execution(rebuilt.finish()).run([X])
        np.testing.assert_array_equal(result, np.maximum(X + C, 0))


@pytest.mark.parametrize(
    "devices",
    [["abi_add", "abi_relu"], ["abi_relu", "abi_add"], ["abi_add", "builtin_device"]],
)
def test_splits_over_two_devices(folder: Path, devices: list[str]) -> None:
    journal(folder, "abi_add")
    model = chain()
    np.testing.assert_array_equal(capi.run(model, devices, [X])[0], np.maximum(16 * X, 0))
    made = [e for e in journal(folder, "abi_add") if e.startswith("create_program")]
    assert len(made) == 4


def test_a_shared_tensor_that_is_also_an_output(folder: Path) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (total,) = model.operation("ADD", [x, model.constant(C), model.constant(0)])
    (result,) = model.operation("RELU", [total])
    model.finish([x], [result, total])
    first, second = capi.run(model, ["abi_add", "abi_relu"], [X])
    np.testing.assert_array_equal(second, X + C)
    np.testing.assert_array_equal(first, np.maximum(X + C, 0))


def test_clusters_run_in_the_order_of_their_data(folder: Path) -> None:
    # a1, a2 on one device, b1 between them on another: {a1, a2} may not become one program.
    for order in ([0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2]):
        model = capi.Model()
        x = model.tensor(np.float32, [2, 3])
        values = [model.tensor(np.float32, [2, 3]) for _ in range(3)]
        parts = [
            ("ADD", [x, x, model.constant(0)], values[0]),
            ("RELU", [x], values[1]),
            ("ADD", [values[0], values[1], model.constant(0)], values[2]),
        ]
        for index in order:
            kind, inputs, output = parts[index]
            model.operation(kind, inputs, [output])
        model.finish([x], [values[2]])
        (result,) = capi.run(model, ["abi_add", "abi_relu"], [X])
        np.testing.assert_array_equal(result, 2 * X + np.maximum(X, 0))


def test_nobody_takes_an_operation(folder: Path) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (total,) = model.operation("ADD", [x, x, model.constant(0)])
    (result,) = model.operation("EXP", [total])
    model.finish([x], [result])
    with pytest.raises(DeviceError, match="EXP") as error:
        capi.run(model, ["abi_add", "abi_relu"], [X])
    assert code_of(error) == 6


def test_without_validate_program(folder: Path) -> None:
    model = relu_of_sum()
    with pytest.raises(DeviceError, match="abi_silent") as error:
        model.supported(capi.Context(["abi_silent"]))
    assert code_of(error) == 6
    np.testing.assert_array_equal(capi.run(model, ["abi_silent"], [X])[0], np.maximum(X + C, 0))
    declared = "SUPPORTED_OPERATIONS=ADD"
    (result,) = capi.run(model, ["abi_silent", "abi_relu"], [X], declared)
    np.testing.assert_array_equal(result, np.maximum(X + C, 0))


@pytest.mark.parametrize("code", [1, 2, 3, 5, 6, 99, -7])
@pytest.mark.parametrize("callback", ["create_context", "create_program", "execute_program"])
def test_codes_of_every_callback_reach_the_caller(folder: Path, callback: str, code: int) -> None:
    with pytest.raises(DeviceError, match="abi_all") as error:
        capi.run(relu_of_sum(), ["abi_all"], [X], f"VENDOR_FAIL={callback}:{code}")
    assert code_of(error) == (code if 0 < code < 7 else 5)
    assert callback in str(error.value)


@pytest.mark.parametrize("how", ["VENDOR_THROW", "VENDOR_THROW_INT"])
@pytest.mark.parametrize(
    "callback", ["create_context", "validate_program", "create_program", "execute_program"]
)
def test_exceptions_of_every_callback_become_codes(folder: Path, callback: str, how: str) -> None:
    model = relu_of_sum()
    with pytest.raises(DeviceError, match=callback) as error:
        context = capi.Context(["abi_all"], f"{how}={callback}")
        model.supported(context)
        capi.Execution(capi.Compilation(model, context).finish()).run([X])
    assert code_of(error) == 5
    if how == "VENDOR_THROW":
        assert "vendor trouble" in str(error.value)
    # The process goes on, and so does the device.
    np.testing.assert_array_equal(capi.run(model, ["abi_all"], [X])[0], np.maximum(X + C, 0))


def test_success_without_a_program(folder: Path) -> None:
    with pytest.raises(DeviceError, match="no program") as error:
        capi.run(relu_of_sum(), ["abi_all"], [X], "VENDOR_NO_PROGRAM=1")
    assert code_of(error) == 5


@pytest.mark.parametrize("garbage", ["unwritten", "negative", "huge", "rank", "null", *MISFITS])
@pytest.mark.parametrize("devices", [["abi_all"], ["abi_add", "abi_relu"]])
def test_garbage_of_execute_program(folder: Path, garbage: str, devices: list[str]) -> None:
    with pytest.raises(DeviceError) as error:
        capi.run(relu_of_sum(), devices, [X], f"VENDOR_GARBAGE={garbage}")
    assert code_of(error) in (1, 2, 5)  # 2 of the next device, which got it


@pytest.mark.parametrize("devices", [["abi_all"], ["abi_add", "abi_relu"]])
def test_outputs_may_come_with_dimensions_alone(folder: Path, devices: list[str]) -> None:
    (result,) = capi.run(relu_of_sum(), devices, [X], "VENDOR_TYPE=dimensions")
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, np.maximum(X + C, 0))


def test_destruction_in_any_order(folder: Path) -> None:
    journal(folder, "abi_all")
    for order in ("dcmpe", "epmcd", "mdcpe", "cpdme"):
        device = capi.Device("abi_all")
        context = capi.Context([device])
        model = relu_of_sum()
        compilation = capi.Compilation(model, context).finish()
        execution = capi.Execution(compilation)
        objects = {"d": device, "c": context, "m": model, "p": compilation, "e": execution}
        for name in order:
            if name == order[-1] == "e":
                np.testing.assert_array_equal(execution.run([X])[0], np.maximum(X + C, 0))
            objects[name].close()
    events = [e for e in journal(folder, "abi_all") if e.startswith("destroy")]
    assert events == ["destroy_program", "destroy_context"] * 4
