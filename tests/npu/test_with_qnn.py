"""qualcomm_qnn in Qualcomm's simulator: NNAdapter's cases, published models, programs in caches."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from models.test_real import OCR, find, picture

import lite
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter.conformance.suite import run_suite

DEVICE = "qualcomm_qnn"
SHAPES = {"cls": (1, 3, 48, 192), "rec": (1, 3, 48, 320), "det": (1, 3, 320, 320)}


def test_what_nnadapter_expects() -> None:
    """In half precision, as the device says."""
    results = run_suite(DEVICE)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 1000


@pytest.mark.models
@pytest.mark.parametrize("name", [name for name in OCR if "PP-OCRv4" in name or "cls" in name])
@pytest.mark.parametrize("given", [False, True], ids=["", "shapes"])
def test_published_models_come_whole(name: str, given: bool, tmp_path: Path) -> None:
    """To one subgraph, with shapes or without; and from a cache."""
    folder = str(find(name))
    shape = next(shape for kind, shape in SHAPES.items() if kind in name)
    x = picture(shape, 0)
    shapes = {"x": [list(shape)]} if given else {}
    options = DeviceOptions((DEVICE,), cache_dir=str(tmp_path / "cache"), dynamic_shapes=shapes)
    predictor = lite.load(folder, devices=options)
    report = predictor.placement()
    assert len(report.subgraphs) == 1
    assert not [op.type for op in report.operators if op.place == "cpu" and not op.is_io]
    (expected,) = lite.load(folder).run([x]).values()
    source = Source(model_dir=folder, devices=options)
    mobile = lite.MobileConfig()
    mobile.set_model_from_file(source.save_naive_buffer(str(tmp_path / "model.nb")))
    mobile.set_nnadapter_device_names([DEVICE])
    mobile.set_nnadapter_model_cache_dir(str(tmp_path / "cache"))
    restored = lite.create_paddle_predictor(mobile)
    restored.get_input(0).from_numpy(x)
    for _ in range(2):
        (found,) = predictor.run([x]).values()
        restored.run()
        again = restored.get_output(0).numpy()
        np.testing.assert_array_equal(found, again)
        if "det" in name:
            assert ((found > 0.3) == (expected > 0.3)).mean() > 0.999
        else:
            assert (found.argmax(-1) == expected.argmax(-1)).all()
        assert np.abs(found - expected).mean() <= 2e-3 * np.abs(expected).max()
    info = predictor.placement().subgraphs[0]
    assert info.devices == [DEVICE] and not info.fallback
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert restored.placement().subgraphs[0].devices == [DEVICE]


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
