"""sophgo_tpu in the simulator of tpu-mlir: some of NNAdapter's cases, a model, a board's stand-in.

A question takes seconds: all cases are `lite device-test sophgo_tpu`, by hand.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from npu.published import noise_of

import lite
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.model.onnx import export_model
from lite.nnadapter.conformance.suite import run_suite
from lite.tools.cli import main

DEVICE = "sophgo_tpu"
CONV = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"


@pytest.mark.parametrize("only", ["CONV_2D float32 [1,", "SOFTMAX float32", "RESHAPE float32"])
def test_what_nnadapter_expects(only: str) -> None:
    """In half precision, as the device says."""
    results = run_suite(DEVICE, only=only)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 2


@pytest.mark.parametrize("name", ["tiny_cnn", "squeeze_excite"])
def test_exports(name: str, tmp_path: Path) -> None:
    assert noise_of(DEVICE, name, tmp_path) < -40


@pytest.mark.parametrize("chip", ["bm1688", "cv184x", "cv181x"])
def test_other_chips(chip: str) -> None:
    predictor = lite.load(CONV, devices=DeviceOptions((DEVICE,), f"SOPHGO_TPU_CHIP={chip};"))
    x = np.random.default_rng(0).standard_normal((1, 3, 8, 8), np.float32)
    (found,), (expected,) = predictor.run([x]).values(), lite.load(CONV).run([x]).values()
    off = 4e-3 if chip == "bm1688" else 3e-2  # bf16
    np.testing.assert_allclose(found, expected, rtol=0, atol=off * np.abs(expected).max())
    assert predictor.placement().subgraphs[0].devices == [DEVICE]


def test_a_chip_that_is_none() -> None:
    with pytest.raises(DeviceError, match="is 'bm1', expected one of bm1684x, bm1688"):
        lite.load(CONV, devices=DeviceOptions((DEVICE,), "SOPHGO_TPU_CHIP=bm1;"))


_SAIL = """
import os, onnxruntime
class IOMode:
    SYSIO = 1
class Engine:  # a stand-in: it has the toolkit's file, and computes by the ONNX beside
    def __init__(self, path, tpu, mode):
        assert os.path.getsize(path) > 1000 and (tpu, mode) == (0, IOMode.SYSIO)
        self.session = onnxruntime.InferenceSession(os.environ["STAND_IN"])
    def get_graph_names(self):
        return ["model"]
    def process(self, graph, inputs):
        assert graph == "model" and list(inputs) == ["input0"]
        return {"output0_Softmax_f32": self.session.run(None, {"x": inputs["input0"]})[0]}
"""

_BOARD = """
import sys, numpy as np, lite
from lite.api.devices import DeviceOptions
folder, x = sys.argv[1], np.load(sys.argv[2])
options = DeviceOptions(("sophgo_tpu",), "SOPHGO_TPU_CHIP=bm1684x;", folder, strict=True)
predictor = lite.load(folder + "/model.nb", devices=options)
np.save(sys.argv[3], *predictor.run([x]).values())
info = predictor.placement().subgraphs[0]
assert info.devices == ["sophgo_tpu"] and info.cache_hit, info
"""


def test_a_board_runs_what_was_built(tmp_path: Path) -> None:
    """Without the toolkit, by a stand-in of SAIL."""
    built, x = tmp_path / "built", np.float32(np.random.default_rng(0).random((1, 3, 8, 8)))
    words = ["build", str(CONV), "--device", DEVICE, "--shape=1x3x8x8", "-o", str(built)]
    assert main([*words, "--property", "CHIP=bm1684x"]) == 0
    (tmp_path / "sophon").mkdir()
    (tmp_path / "sophon" / "sail.py").write_text(_SAIL)
    source = Source(model_file=str(CONV), shapes={"x": (1, 3, 8, 8)})
    onnx = tmp_path / "conv.onnx"
    onnx.write_bytes(export_model(source.read()).SerializeToString())
    np.save(tmp_path / "x.npy", x)
    names = [str(tmp_path / name) for name in ("x.npy", "y.npy")]
    board = {"XDG_DATA_HOME": str(tmp_path), "STAND_IN": str(onnx), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", _BOARD, str(built), *names],
        env={**os.environ, **board, "SOPHGO_TPU_PYTHON": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (expected,) = lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=0, atol=1e-5)
