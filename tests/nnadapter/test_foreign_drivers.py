"""Drivers that treat models, inputs and caches as public ones do: drivers/foreign.cc."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling import LIBRARY, ROOT, compiled
from probes import build as build_probe

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Compilation, Context, Device, Execution, Model, Quantisation
from lite.nnadapter.types import Precision, ResultCode

pytestmark = pytest.mark.long
SOURCE = Path(__file__).parent / "drivers" / "foreign.cc"
OLD = ["-D_GLIBCXX_USE_CXX11_ABI=0"]
DEVICES = {
    "foreign": [],
    "foreign_old": [*OLD, "-DVALIDATE"],
    "foreign_old_stripped": [*OLD, "-O2", "-s", "-DVALIDATE"],
    "cambricon_mlu": [],
}
ANY_ABI = ["foreign", "foreign_old", "foreign_old_stripped"]
X = np.array([[1, -2], [3, 4], [-5, 6]], np.float32)
INT8, STEPS = Precision.QUANT_INT8_SYMM_PER_LAYER, Quantisation((0.1,))
MATRIX = np.array([[1, 2], [3, 4]], np.float32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("foreign")
    for name, flags in DEVICES.items():
        compiled(SOURCE, result / f"lib{name}.so", [f"-DDEVICE={name}", *flags, *LIBRARY])
    return result


@pytest.fixture(autouse=True)
def search_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(folder))
    yield


def report(compilation: Compilation) -> dict[str, Any]:
    text = ctypes.c_char_p()
    capi.call("Compilation_getReport", compilation.handle, ctypes.byref(text))
    assert text.value is not None
    found: dict[str, Any] = json.loads(text.value)
    return found


def tied_weights(uses: int = 2) -> Model:
    """x @ M + 1, again and again with the same M and the same 1."""
    model = Model()
    x = value = model.tensor(np.float32, [3, 2])
    matrix = model.constant(MATRIX)
    one, none = model.constant(np.array([1, 1], np.float32)), model.constant(0)
    false = model.constant(np.array([False]))
    for _ in range(uses):
        (value,) = model.operation("MAT_MUL", [value, matrix, false, false])
        (value,) = model.operation("ADD", [value, one, none])
    return model.finish([x], [value])


def tied_weights_result(x: np.ndarray, uses: int = 2) -> np.ndarray:
    for _ in range(uses):
        x = x @ MATRIX + 1
    return x


def relu_of_sum() -> Model:
    model = Model()
    x = model.tensor(np.float32, [3, 2])
    (total,) = model.operation("ADD", [x, model.constant(X), model.constant(0)])
    return model.finish([x], model.operation("RELU", [total]))


RELU_OF_SUM = np.maximum(X + X, 0)


@pytest.mark.parametrize("device", ANY_ABI)
@pytest.mark.parametrize("uses", [1, 2, 3])
def test_a_constant_is_private_to_each_use(device: str, uses: int) -> None:
    model = tied_weights(uses)
    for _ in range(2):
        (result,) = capi.run(model, [device], [X], "FOREIGN=transpose,mutate")
        np.testing.assert_allclose(result, tied_weights_result(X, uses))


def quantised(device_count: int = 1) -> tuple[Model, np.ndarray, np.ndarray]:
    """relu(x) twice and x itself through another operation, of int8."""
    model = Model()
    values = np.arange(-60, 64, 4, np.int8).reshape(1, -1)
    scale = Quantisation((0.1,))
    x = model.tensor(
        np.int8, values.shape, quantisation=scale, precision=Precision.QUANT_INT8_SYMM_PER_LAYER
    )
    (y,) = model.operation("RELU", [x])
    for _ in range(device_count - 1):
        (y,) = model.operation("RELU", [y])
    return model.finish([x], [y]), values, np.maximum(values, 0)


@pytest.mark.parametrize("device", ANY_ABI)
def test_an_input_that_becomes_asymmetric_is_a_copy(device: str, tmp_path: Path) -> None:
    model, values, wanted = quantised()
    kept = values.copy()
    where: dict[str, Any] = {"token": "q", "directory": str(tmp_path)}
    context = Context([device], "FOREIGN=asymmetric")
    for given in (model, model, None):  # made, restored, restored without a model
        compilation = Compilation(given, context, **where).finish()
        assert report(compilation)["from_cache"] == (tmp_path / "seen").exists()
        (tmp_path / "seen").touch()
        execution = Execution(compilation)
        for _ in range(3):
            (result,) = execution.run([values])
            np.testing.assert_array_equal(result.view(np.int8), wanted)
            np.testing.assert_array_equal(values, kept)


def test_two_programs_read_an_input_that_one_overwrites() -> None:
    model = Model()
    values = np.arange(-60, 64, 4, np.int8).reshape(1, -1)
    x = model.tensor(
        *(np.int8, values.shape),
        quantisation=Quantisation((0.1,)),
        precision=Precision.QUANT_INT8_SYMM_PER_LAYER,
    )
    (a,) = model.operation("RELU", [x])
    (b,) = model.operation("RELU", [a])
    outputs = [*model.operation("RELU", [b]), *model.operation("ASSIGN", [b]), a]
    outputs += model.operation("ASSIGN", [x])
    model.finish([x], outputs)
    properties = "FOREIGN=asymmetric;FOREIGN_SUPPORTED_OPERATIONS=RELU"
    execution = Execution(
        Compilation(model, Context(["foreign", "builtin_device"], properties)).finish()
    )
    positive = np.maximum(values, 0)
    for _ in range(2):
        for got, wanted in zip(
            execution.run([values]), (positive, positive, positive, values), strict=True
        ):
            np.testing.assert_array_equal(got.view(np.int8), wanted)


@pytest.mark.parametrize("device", ANY_ABI)
def test_a_cache_that_is_filled_by_the_first_run(device: str, tmp_path: Path) -> None:
    where: dict[str, Any] = {"token": "late", "directory": str(tmp_path / "a" / "b")}
    context = Context([device], "FOREIGN=late,transpose")
    compilation = Compilation(tied_weights(), context, **where).finish()
    file = tmp_path / "a" / "b" / "late.nnc"
    assert not file.exists()
    assert report(compilation)["cache"].endswith("when it runs first")
    execution = Execution(compilation)
    for _ in range(2):
        np.testing.assert_allclose(execution.run([X])[0], tied_weights_result(X))
        assert file.exists()
    assert report(compilation)["cache"].endswith(": written")
    restored = Compilation(None, context, **where).finish()
    np.testing.assert_allclose(Execution(restored).run([X])[0], tied_weights_result(X))
    again = Compilation(tied_weights(), context, **where).finish()
    assert report(again)["from_cache"]
    np.testing.assert_allclose(Execution(again).run([X])[0], tied_weights_result(X))


@pytest.mark.parametrize("fault", ["save_fails", "late_fails"])
def test_a_save_that_fails_costs_the_cache_alone(fault: str, tmp_path: Path) -> None:
    context = Context(["foreign"], f"FOREIGN={fault}")
    compilation = Compilation(tied_weights(), context, token="t", directory=str(tmp_path)).finish()
    execution = Execution(compilation)
    for _ in range(2):
        np.testing.assert_allclose(execution.run([X])[0], tied_weights_result(X))
    assert "nothing is cached: with a cache" in report(compilation)["cache"]
    assert list(tmp_path.iterdir()) == []


def test_a_cache_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "sub"):
        where: dict[str, Any] = {"token": "t", "directory": str(folder)}
        compilation = Compilation(tied_weights(), Context(["foreign"]), **where).finish()
        text = report(compilation)["cache"]
        assert "nothing is cached: the folder" in text and "Not a directory" in text
        np.testing.assert_allclose(Execution(compilation).run([X])[0], tied_weights_result(X))


def test_programs_of_one_compilation_have_tokens_of_their_own(tmp_path: Path) -> None:
    model = Model()
    x = value = model.tensor(np.float32, [3, 2])
    for kind in ("RELU", "EXP", "RELU"):
        (value,) = model.operation(kind, [value])
    model.finish([x], [value])
    properties = "FOREIGN=late;FOREIGN_SUPPORTED_OPERATIONS=RELU"
    context = Context(["foreign", "builtin_device"], properties)
    where: dict[str, Any] = {"token": "t", "directory": str(tmp_path)}
    for _ in range(2):
        compilation = Compilation(model, context, **where).finish()
        (result,) = Execution(compilation).run([X])
        np.testing.assert_allclose(result, np.exp(np.maximum(X, 0)), rtol=1e-5)
    assert report(compilation)["from_cache"]


@pytest.mark.parametrize("device", ["foreign_old", "foreign_old_stripped"])
def test_the_old_list_is_served(device: str) -> None:
    model = relu_of_sum()
    context = Context([device], "FOREIGN=mutate")
    assert model.supported(context) == [True, True]
    assert tied_weights(1).supported(context) == [False, True]
    for _ in range(2):
        np.testing.assert_array_equal(capi.run(model, [device], [X])[0], RELU_OF_SUM)
    (result,) = capi.run(tied_weights(), [device, "builtin_device"], [X], "FOREIGN=mutate")
    np.testing.assert_allclose(result, tied_weights_result(X))
    with pytest.raises(DeviceError, match="operation 22 is unknown"):
        model = Model()
        x = model.tensor(np.float32, [3, 2])
        model.finish([x], model.operation("EXP", [x]))
        capi.run(model, [device], [X])


def facts(context: Context) -> list[dict[str, Any]]:
    text = ctypes.c_char_p()
    capi.call("Context_getReport", context.handle, ctypes.byref(text))
    found: list[dict[str, Any]] = json.loads(text.value or b"[]")
    return found


def test_a_context_says_what_its_devices_are(folder: Path) -> None:
    names = ["foreign", "foreign_old", "builtin_device"]
    found = facts(Context(names, "FOREIGN_SUPPORTED_OPERATIONS=RELU"))
    assert [one["name"] for one in found] == names
    assert [one["asks"] for one in found] == [False, True, True]
    assert found[0]["library"] == str(folder / "libforeign.so")
    assert found[0]["list"] == "the property FOREIGN_SUPPORTED_OPERATIONS"
    assert [one["abi"] for one in found] == [
        *("libstdc++", "libstdc++ (_GLIBCXX_USE_CXX11_ABI=0)", "libstdc++"),
    ]
    assert facts(Context(["foreign"]))[0]["list"] == ""
    assert facts(Context(["cambricon_mlu"]))[0]["list"] == "the public list of cambricon_mlu"


def chain(*kinds: str) -> Model:
    model = Model()
    x = value = model.tensor(np.float32, [3, 2])
    for kind in kinds:
        more = [model.constant(X), model.constant(0)] if kind in ("ADD", "MUL") else []
        (value,) = model.operation(kind, [value, *more])
    return model.finish([x], [value])


def test_lists_of_devices_that_cannot_be_asked(folder: Path) -> None:
    model = chain("ADD", "COS", "RELU")
    assert model.supported(Context(["cambricon_mlu"])) == [True, False, True]
    assert "public list of cambricon_mlu" in model.refusals(Context(["cambricon_mlu"]))[1]
    listed = Context(["cambricon_mlu"], "SUPPORTED_OPERATIONS=COS")
    assert model.supported(listed) == [False, True, False]
    split = Context(["cambricon_mlu", "builtin_device"])
    assert model.supported(split) == [True] * 3
    (result,) = Execution(Compilation(model, split).finish()).run([X])
    np.testing.assert_allclose(result, np.maximum(np.cos(X + X), 0), atol=1e-5)


def test_a_list_knows_what_passes_fuse_away() -> None:
    context = Context(["cambricon_mlu"])
    assert tied_weights().supported(context) == [True] * 4
    model = Model()
    x = model.tensor(np.float32, [3, 2])
    false = model.constant(np.array([False]))
    (y,) = model.operation("MAT_MUL", [x, model.constant(MATRIX), false, false])
    assert model.finish([x], [y]).supported(context) == [False]


def test_a_device_without_a_list_is_asked_only_when_needed() -> None:
    model = chain("ADD", "RELU")
    for devices in (["builtin_device", "foreign"], ["foreign_old", "foreign"]):
        context = Context(devices)
        assert model.supported(context) == [True, True]
        np.testing.assert_array_equal(
            Execution(Compilation(model, context).finish()).run([X])[0], RELU_OF_SUM
        )
    wider = chain("ADD", "EXP", "RELU")
    for devices in (["foreign", "builtin_device"], ["foreign_old", "foreign"]):
        context = Context(devices)
        for ask in (wider.supported, lambda c: Compilation(wider, c).finish()):
            with pytest.raises(DeviceError, match="device foreign cannot be asked") as error:
                ask(context)
            assert error.value.code == ResultCode.FEATURE_NOT_SUPPORTED  # type: ignore[attr-defined]


def in_new_process(code: str, path: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NNADAPTER_DEVICE_PATH": path}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_a_broken_library_is_not_passed_over(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "libforeign.so").read_bytes()
    broken = tmp_path / "libforeign.so"
    broken.write_bytes(b"\x7fNOT" + whole[4:])
    code = "from lite.nnadapter.capi import Device\nDevice('foreign')"
    done = in_new_process(code, f"{tmp_path}:{folder}")
    assert done.returncode == 1
    assert "invalid ELF header" in done.stderr and str(broken) in done.stderr
    broken.write_text("something else of that name")
    done = in_new_process(code, f"{tmp_path}:{folder}")
    assert done.returncode == 0, done.stderr
    assert f"{broken}: " in done.stderr and "looking further" in done.stderr


def test_libcxx_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "other.cc"
    source.write_text(
        'extern "C" { void _ZNSt3__112basic_stringD1Ev() {}\n'
        "long __nnadapter_device__foreign_libcxx[11] = {0, 0, 1L << 32}; }\n"
    )
    compiled(source, tmp_path / "libforeign_libcxx.so", ["-shared", "-fPIC"])
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(tmp_path))
    with pytest.raises(DeviceError, match="compiled for libc"):
        Device("foreign_libcxx")


def test_a_device_of_integers_is_not_given_floats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(SOURCE, tmp_path / "libeeasytech_npu.so", ["-DDEVICE=eeasytech_npu", *LIBRARY])
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(tmp_path))
    model = Model()
    x, y = (model.tensor(np.int8, [3, 2], quantisation=STEPS, precision=INT8) for _ in range(2))
    model.operation("RELU", [x], [y])
    (real,) = model.operation("DEQUANTIZE", [y])
    (last,) = model.operation("RELU", [real])
    model.finish([x], [last])
    context = Context(["eeasytech_npu"])
    assert model.supported(context) == [True, False, False]
    first, listed, floats = model.refusals(context)
    assert not first and listed == "it is not in the public list of eeasytech_npu"
    assert floats == "eeasytech_npu computes quantised operations only, this one is in floats"


@pytest.mark.parametrize("name", ["onnxruntime", "intel_openvino"])
def test_a_vendors_library_comes_before_ours(name: str, tmp_path: Path) -> None:
    code = (
        "from lite.nnadapter import capi, ensure_devices\n"
        f"ensure_devices(['{name}'])\n"
        f"print(capi.Device('{name}').vendor)\n"
    )
    (tmp_path / f"lib{name}.so").write_text("the library that ours needs, say")
    assert "Foreign" not in in_new_process(code, str(tmp_path)).stdout
    compiled(SOURCE, tmp_path / f"lib{name}.so", [f"-DDEVICE={name}", *LIBRARY])
    done = in_new_process(code, str(tmp_path))
    assert done.stdout == "Foreign\n", done.stderr
    (tmp_path / f"lib{name}.so").write_bytes(
        b"\x7fELF __nnadapter_device__" + name.encode() + b"\0"
    )
    done = in_new_process(code, str(tmp_path))
    assert done.returncode == 1 and f"lib{name}.so: " in done.stderr


def test_devices_are_listed_with_those_behind(folder: Path, tmp_path: Path) -> None:
    build_probe(tmp_path, "foreign")
    code = (
        "import ctypes\nfrom lite.nnadapter import capi\ntext = ctypes.c_char_p()\n"
        "capi.call('_listDevices', ctypes.byref(text))\nprint(text.value.decode())\n"
    )
    found = json.loads(in_new_process(code, f"{tmp_path}:{folder}").stdout)
    named = [(one["library"], one["hidden"]) for one in found if one["name"] == "foreign"]
    assert named == [
        (str(tmp_path / "libforeign.so"), False),
        (str(folder / "libforeign.so"), True),
    ]
    assert ("builtin_device", "", False) in [tuple(one.values()) for one in found]
