"""rockchip_rknpu2 in the simulator of rknn-toolkit2: NNAdapter's cases, published models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from compile_once import compile_once
from models.test_pir import unpack
from models.test_real import find, picture
from npu.published import NAMES, QUANTISED, comes_whole, comes_whole_in_int8, noise_of
from npu.test_padding import model

import lite
from lite.api.build import Source
from lite.api.compare.difference import difference
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.model.onnx import export_model
from lite.nnadapter.conformance.suite import run_suite
from lite.nnadapter.driver.compiled import worker_process
from lite.nnadapter.driver.rockchip_rknpu2.device import TOOLKIT
from lite.tools.cli import main

DEVICE = "rockchip_rknpu2"
CONV = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"


def test_what_nnadapter_expects() -> None:
    """In half precision, as the device says."""
    results = run_suite(DEVICE)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 1200


@pytest.mark.parametrize("name", ["crnn", "vit_det", "slanet", "llama_static", "rt_detr"])
def test_exports(name: str, tmp_path: Path) -> None:
    """Outputs that are constants, which the toolkit drops."""
    assert noise_of(DEVICE, name, tmp_path) < -40


@pytest.mark.models
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [False, True], ids=["", "shapes"])
def test_published_models_come_whole(name: str, given: bool, tmp_path: Path) -> None:
    comes_whole(DEVICE, name, given, tmp_path, exact=True)


@pytest.mark.parametrize("name", QUANTISED)
def test_paddle_s_quantised_models_come_whole(name: str) -> None:
    comes_whole_in_int8(DEVICE, name)


def test_a_rule_that_fails_is_switched_off(tmp_path: Path) -> None:
    """By the name that the toolkit prints, which is not the function's: it wants torch's arange."""
    sizes = (16, 8, 4, 2)
    body = ""
    for at, side in enumerate(sizes):
        flat = f"{{shape: ints [1, 5, {side**2}]}}"
        body += f"  Out: [t{at}], XShape: [u{at}] = reshape2(X: [x{at}]) {flat}\n"
        turned = "{axis: ints [0, 2, 1]}"
        body += f"  Out: [v{at}], XShape: [w{at}] = transpose2(X: [t{at}]) {turned}\n"
    body += "  Out: [c] = concat(X: [v0, v1, v2, v3]) {axis: int 1}\n  Out: [y] = relu(X: [c])\n"
    inputs = {f"x{at}": [1, 5, side, side] for at, side in enumerate(sizes)}
    path = model(tmp_path / "m", inputs, body)
    predictor = lite.load(path, devices=DeviceOptions((DEVICE,), strict=True))
    arrays = [np.float32(np.random.default_rng(0).random(shape)) for shape in inputs.values()]
    (found,), (expected,) = predictor.run(arrays).values(), lite.load(path).run(arrays).values()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3)
    report = predictor.placement()
    assert len(report.subgraphs) == 1 and report.subgraphs[0].devices == [DEVICE]


@pytest.mark.parametrize("platform", ["rk3576", "rk3568", "rk3566", "rk3562", "rv1126b", "rk2118"])
def test_other_chips(platform: str) -> None:
    properties = f"ROCKCHIP_RKNPU2_TARGET_PLATFORM={platform};"
    predictor = lite.load(CONV, devices=DeviceOptions((DEVICE,), properties=properties))
    x = np.random.default_rng(0).standard_normal((1, 3, 8, 8), np.float32)
    (found,), (expected,) = predictor.run([x]).values(), lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(found, expected, rtol=0, atol=4e-3 * np.abs(expected).max())
    assert predictor.placement().subgraphs[0].devices == [DEVICE]


def test_a_chip_that_is_none() -> None:
    properties = "ROCKCHIP_RKNPU2_TARGET_PLATFORM=rk1808;"
    with pytest.raises(DeviceError, match="is 'rk1808', expected one of rk3588, rk3576"):
        lite.load(CONV, devices=DeviceOptions((DEVICE,), properties=properties))


_LAYOUTS = """
import ctypes, json, sys
sys.path.insert(0, sys.argv[1])
from worker_process import stand_in_for
stand_in_for("torch")
from rknn.api import rknn_runtime as vendor
print(json.dumps({
    name: [ctypes.sizeof(getattr(vendor, name)),
           *(getattr(getattr(vendor, name), field[0]).offset
             for field in getattr(vendor, name)._fields_)]
    for name in ("RKNNTensorAttr", "RKNNInput", "RKNNOutput", "RKNNInputOutputNum")
}))
"""

_OURS = """
#include <cstdio>
#include "rknn_runtime.h"
#define AT(type, field) std::printf(", %zu", offsetof(rknn::type, field))
int main() {
  std::printf("{\\"RKNNTensorAttr\\": [%zu", sizeof(rknn::TensorAttr));
  AT(TensorAttr, index); AT(TensorAttr, dim_count); AT(TensorAttr, dims); AT(TensorAttr, name);
  AT(TensorAttr, elements); AT(TensorAttr, size); AT(TensorAttr, format); AT(TensorAttr, type);
  AT(TensorAttr, quantisation); AT(TensorAttr, fraction_bits); AT(TensorAttr, zero_point);
  AT(TensorAttr, scale); AT(TensorAttr, width_stride); AT(TensorAttr, size_with_stride);
  AT(TensorAttr, pass_through); AT(TensorAttr, height_stride);
  std::printf("], \\"RKNNInput\\": [%zu", sizeof(rknn::Input));
  AT(Input, index); AT(Input, data); AT(Input, size); AT(Input, pass_through); AT(Input, type);
  AT(Input, format);
  std::printf("], \\"RKNNOutput\\": [%zu", sizeof(rknn::Output));
  AT(Output, want_float); AT(Output, preallocated); AT(Output, index); AT(Output, data);
  AT(Output, size);
  std::printf("], \\"RKNNInputOutputNum\\": [%zu", sizeof(rknn::InOutNum));
  AT(InOutNum, inputs); AT(InOutNum, outputs);
  std::printf("]}");
}
"""


def test_the_board_s_structures_are_the_vendor_s(tmp_path: Path) -> None:
    """As rknn-toolkit2 declares them to ctypes for its own runtime."""
    folder = Path(__file__).parents[2] / "lite/nnadapter/driver/rockchip_rknpu2"  # not in a wheel
    python = TOOLKIT.python(os.environ.get("ROCKCHIP_RKNPU2_PYTHON", ""))
    words = [python, "-c", _LAYOUTS, Path(worker_process.__file__).parent]
    theirs = subprocess.run(words, check=True, capture_output=True, text=True, cwd=tmp_path)
    (tmp_path / "ours.cc").write_text(_OURS)
    program = compile_once(["c++", f"-I{folder}", tmp_path / "ours.cc"], tmp_path / "ours")
    ours = subprocess.run([program], check=True, capture_output=True, text=True)
    assert json.loads(ours.stdout) == json.loads(theirs.stdout.splitlines()[-1])


_LITE = """
import os, onnxruntime
class RKNNLite:  # a stand-in: it has the toolkit's file, and computes by the ONNX beside
    def load_rknn(self, path):
        return 0 if open(path, "rb").read(4) == b"RKNN" else -1
    def init_runtime(self, **more):
        self.session = onnxruntime.InferenceSession(os.environ["STAND_IN"])
        return 0
    def inference(self, inputs, data_format=None):
        assert data_format == ["nchw"]
        return self.session.run(None, {self.session.get_inputs()[0].name: inputs[0]})
    def release(self):
        pass
"""

_BOARD = """
import sys, numpy as np, lite
from lite.api.devices import DeviceOptions
folder, x = sys.argv[1], np.load(sys.argv[2])
properties = "ROCKCHIP_RKNPU2_TARGET_PLATFORM=rk3588;"
options = DeviceOptions(("rockchip_rknpu2",), properties, folder, strict=True)
predictor = lite.load(folder + "/model.nb", devices=options)
np.save(sys.argv[3], *predictor.run([x]).values())
info = predictor.placement().subgraphs[0]
assert info.devices == ["rockchip_rknpu2"] and info.cache_hit, info
"""


def test_a_board_runs_what_was_built(tmp_path: Path) -> None:
    """Without the toolkit, by a stand-in of rknn-toolkit-lite2."""
    built, x = tmp_path / "built", np.float32(np.random.default_rng(0).random((1, 3, 8, 8)))
    words = ["build", str(CONV), "--device", DEVICE, "--shape=1x3x8x8", "-o", str(built)]
    assert main([*words, "--property", "TARGET_PLATFORM=rk3588"]) == 0
    (tmp_path / "rknnlite").mkdir()
    (tmp_path / "rknnlite" / "api.py").write_text(_LITE)
    source = Source(model_file=str(CONV), shapes={"x": (1, 3, 8, 8)})
    onnx = tmp_path / "conv.onnx"
    onnx.write_bytes(export_model(source.read()).SerializeToString())
    np.save(tmp_path / "x.npy", x)
    names = ["x.npy", "y.npy"]
    board = {"XDG_DATA_HOME": str(tmp_path), "STAND_IN": str(onnx), "PYTHONPATH": str(tmp_path)}
    board["ROCKCHIP_RKNPU2_PYTHON"] = ""
    done = subprocess.run(
        [sys.executable, "-c", _BOARD, str(built), *(str(tmp_path / name) for name in names)],
        env={**os.environ, **board},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (expected,) = lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "refused"), [("slanet", "Can not find quantize information"), ("rt_detr", "")]
)
def test_int8_of_exports(name: str, refused: str, tmp_path: Path) -> None:
    """In several subgraphs, with rules that are switched off and layers that it forgets."""
    folder = unpack(name, tmp_path)
    stored = np.load(folder / "io.npz")
    (tmp_path / "data").mkdir()
    inputs = {key[5:]: stored[key] for key in stored.files if key.startswith("0.in.")}
    np.savez(tmp_path / "data" / "0.npz", **inputs)
    words = ["--data", str(tmp_path / "data"), "--most-trials", "12"]
    built = tmp_path / "built"
    assert main(["quantize", str(folder), "--device", DEVICE, *words, "-o", str(built)]) == 0
    made = json.loads((built / "manifest.json").read_text())["quantization"]
    assert made["found"] >= 0.999 and len(made["refused"]) == bool(refused)
    assert all(refused in reason for reason in made["refused"])


@pytest.mark.models
def test_int8_of_a_recogniser(tmp_path: Path) -> None:
    """Some layers stay in floats, and what was saved is as accurate as it says."""
    folder = next(find(name) for name in NAMES if "rec" in name)
    samples = tmp_path / "samples"
    samples.mkdir()
    for seed in range(8):
        np.save(samples / f"{seed}.npy", picture((1, 3, 48, 160), seed))
    words = ["--data", str(samples), "--at-least", "0.99", "--most-trials", "20"]
    built = tmp_path / "built"
    assert main(["quantize", str(folder), "--device", DEVICE, *words, "-o", str(built)]) == 0
    made = json.loads((built / "manifest.json").read_text())["quantization"]
    assert made["in_int8"] < 0.99 <= made["found"] <= made["in_floats"]
    assert 0 < len(made["kept"]) < made["layers"]
    predictor, cpu = lite.load(built), lite.load(folder)
    cosines = []
    for seed in range(8):
        x = np.load(samples / f"{seed}.npy")
        (found,), (expected,) = predictor.run([x]).values(), cpu.run([x]).values()
        cosines.append(float(difference("y", found, expected).cosine or 0))
    assert np.mean(cosines) == pytest.approx(made["found"], abs=1e-4)
