"""qualcomm_qnn in Qualcomm's simulator: NNAdapter's cases, published models, programs in caches."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime_qnn as qnn
import pytest
from npu.published import (
    NAMES,
    QUANTISED,
    comes_whole,
    comes_whole_in_int8,
    decibels,
    noise_of,
)

import lite
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter.conformance.suite import run_suite

DEVICE = "qualcomm_qnn"


def test_what_nnadapter_expects() -> None:
    """In half precision, as the device says."""
    results = run_suite(DEVICE)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 1000


@pytest.mark.parametrize("name", ["convs", "wave_gan", "conformer", "llama_static", "center_net"])
def test_exports(name: str, tmp_path: Path) -> None:
    """Rows of pixels, volumes, masks: what QNN got wrong."""
    assert noise_of(DEVICE, name, tmp_path) < -40


@pytest.mark.parametrize("name", QUANTISED)
def test_paddle_s_quantised_models_come_whole(name: str) -> None:
    comes_whole_in_int8(DEVICE, name)


@pytest.mark.models
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [False, True], ids=["", "shapes"])
def test_published_models_come_whole(name: str, given: bool, tmp_path: Path) -> None:
    comes_whole(DEVICE, name, given, tmp_path, exact=True)


@pytest.mark.parametrize("soc", ["0", "abc", "-5", "99999"])
def test_a_chip_that_is_none(soc: str) -> None:
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    options = DeviceOptions((DEVICE,), properties=f"QUALCOMM_QNN_SOC_MODEL={soc};")
    with pytest.raises(DeviceError, match=r"number of a chip is expected|nothing for QUALCOMM"):
        lite.load(model, devices=options)


def test_a_fork_is_refused_with_a_reason() -> None:
    script = """
import os, sys, numpy as np, lite
from lite.errors import DeviceError
x = np.ones((1, 3, 8, 8), np.float32)
predictor = lite.load(sys.argv[1], devices="qualcomm_qnn")
predictor.run([x])
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    predictor.run([x])
except DeviceError as error:
    os._exit(7 if "fork" in str(error) else 8)
os._exit(9)
"""
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    words = [sys.executable, "-c", script, str(model)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, env=dict(os.environ))
    assert done.returncode == 7, done.stderr


def settings(**changes: str) -> DeviceOptions:
    """Of ONNX Runtime's own device, with QNN as its provider."""
    found = {
        "PROVIDERS": qnn.get_ep_name(),
        "PROVIDER_LIBRARY": qnn.get_library_path(),
        "PROVIDER_OPTIONS": f"backend_path:{qnn.get_qnn_htp_path()},soc_model:57",
        **changes,
    }
    properties = "".join(f"ONNXRUNTIME_{key}={value};" for key, value in found.items() if value)
    return DeviceOptions(("onnxruntime",), properties=properties)


def test_onnx_runtime_s_device_takes_providers_of_libraries() -> None:
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    x = np.random.default_rng(0).standard_normal((1, 3, 8, 8), np.float32)
    options = replace(settings(), dynamic_shapes={"x": [[1, 3, 8, 8]]})
    predictor = lite.load(model, devices=options)
    (found,) = predictor.run([x]).values()
    (expected,) = lite.load(model).run([x]).values()
    assert -100 < decibels(found, expected) < -40  # in halves, which the CPU would not be
    assert predictor.placement().subgraphs[0].devices == ["onnxruntime"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"PROVIDERS": "One,Two"}, "the one provider of"),
        (
            {"PROVIDER_LIBRARY": "/no/lib.so", "PROVIDERS": "None"},
            "ONNXRUNTIME_PROVIDER_LIBRARY /no/lib.so: ",
        ),
        ({"PROVIDER_OPTIONS": "soc_model"}, "key:value is expected"),
        ({"PROVIDER_LIBRARY": "", "PROVIDERS": "None"}, "names the library of another one"),
    ],
)
def test_providers_that_are_none(changes: dict[str, str], said: str) -> None:
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    options = replace(settings(**changes), dynamic_shapes={"x": [[1, 3, 8, 8]]})
    with pytest.raises(DeviceError, match=said):
        lite.load(model, devices=options)
