"""Devices written in Python: how the runtime comes to know them."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from python_hals import Relu, Saving, X, relu_model

import lite.nnadapter as nna
from lite.errors import DeviceError
from lite.nnadapter import capi


def test_registration() -> None:
    for wrong in (3, type("Empty", (), {}), "text"):
        with pytest.raises(TypeError):
            nna.register("test_wrong", wrong)
    with pytest.raises(TypeError, match="go together"):
        nna.register("test_wrong", type("Half", (Relu,), {"save": Saving.save}))
    with pytest.raises(DeviceError, match="builtin_device"):
        nna.register("builtin_device", Relu)
    with pytest.raises(DeviceError, match="test_wrong"):
        nna.unregister("test_wrong")
    assert nna.register("test_again", Relu) is Relu
    context = capi.Context(["test_again"])
    nna.unregister("test_again")
    with pytest.raises(DeviceError):
        capi.Context(["test_again"])
    execution = capi.Execution(capi.Compilation(relu_model(), context).finish())
    np.testing.assert_array_equal(execution.run([X])[0], np.maximum(X, 0))
    nna.register("test_again")(Saving)
    np.testing.assert_array_equal(capi.run(relu_model(), ["test_again"], [X])[0], np.maximum(X, 0))
    nna.unregister("test_again")


def test_devices_on_demand(monkeypatch: Any, tmp_path: Path) -> None:
    nna.ensure_devices(["python", "builtin_device", "no_such_device"])
    assert "python" in nna.registered()
    (tmp_path / "my_hal_module.py").write_text(
        "from lite.nnadapter import Hal\n"
        "class Mine(Hal):\n"
        "    def supports(self, op): return True\n"
        "    def build(self, model): pass\n"
        "    def run(self, inputs): return [inputs[0] * 2]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    nna.ensure_devices(["my_hal_module:Mine"])
    np.testing.assert_array_equal(capi.run(relu_model(), ["my_hal_module:Mine"], [X])[0], X * 2)
    for name, text in (
        ("my_hal_module:Missing", "has no Missing"),
        ("no_module_of_this_name:Mine", "cannot import"),
    ):
        with pytest.raises(DeviceError, match=text):
            nna.ensure_devices([name])


def test_entry_points(monkeypatch: Any) -> None:
    entry = EntryPoint("test_entry", f"{Relu.__module__}:Relu", "lite.nnadapter.devices")
    monkeypatch.setitem(sys.modules, Relu.__module__, sys.modules[__name__])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [entry])
    nna.ensure_devices(["test_entry"])
    np.testing.assert_array_equal(capi.run(relu_model(), ["test_entry"], [X])[0], np.maximum(X, 0))
    nna.unregister("test_entry")


def test_devices_are_registered_on_demand() -> None:
    script = """
import sys
import numpy as np
sys.modules["openvino"] = None
from lite.nnadapter import capi
model = capi.Model()
x = model.tensor(np.float32, [2])
(y,) = model.operation("RELU", [x])
model.finish([x], [y])
for name in ("python", "intel_openvino", "no_such_npu", "no_module_of_this_name:Npu"):
    for _ in range(2):
        try:
            print(capi.run(model, [name], [np.float32([-1, 2])])[0].tolist())
        except Exception as error:
            print(type(error).__name__, int(error.code), str(error).splitlines()[0])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[:2] == ["[0.0, 2.0]"] * 2, done.stdout + done.stderr
    assert [line[:13] for line in lines[2:]] == ["DeviceError 4"] * 6
    texts = ["needs the package openvino", "no device 'no_such_npu'", "cannot import"]
    for number, line in enumerate(lines[2:]):
        assert texts[number // 2] in line


def test_a_missing_package_is_named() -> None:
    script = """
import sys
sys.modules["openvino"] = None
import lite.nnadapter as nna
try:
    nna.ensure_devices(["intel_openvino"])
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "DeviceError device intel_openvino needs the package openvino" in done.stdout
    assert "paddle-lite-predictor[openvino]" in done.stdout
