"""google_xnnpack over XNNPACK: NNAdapter's cases, exports of Paddle 3, threads."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from models.test_pir import check, unpack

import lite
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter.conformance.suite import run_suite

DEVICE = "google_xnnpack"
MODELS = """tiny_cnn residual squeeze_excite convs lc_net hg_stem conv_next edsr_rep unet
pp_lite_seg
pools upsample mlp paddings""".split()


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", os.environ["LITE_TEST_XNNPACK"])


def test_what_nnadapter_expects() -> None:
    results = run_suite(DEVICE)
    assert not [(r.name, r.text) for r in results if r.outcome == "fail"]
    assert sum(r.outcome == "pass" for r in results) >= 300


@pytest.mark.parametrize("name", MODELS)
def test_exports(name: str, tmp_path: Path) -> None:
    folder = unpack(name, tmp_path)
    with np.load(folder / "io.npz") as file:
        arrays = dict(file)
    shapes: dict[str, list[list[int]]] = {}
    for key, array in sorted(arrays.items()):
        if ".in." in key:
            shapes.setdefault(key.split(".in.")[1], []).append(list(array.shape))
    for threads in (1, 2):
        properties = f"GOOGLE_XNNPACK_NUM_THREADS={threads};"
        options = DeviceOptions((DEVICE,), properties, dynamic_shapes=shapes)
        predictor = lite.load(folder, devices=options)
        assert predictor.placement().on_device()
        for run in sorted({key.split(".")[0] for key in arrays if ".out." in key}):
            check(predictor, arrays, run, f"{name}, {threads} threads, run {run}")


def test_a_number_of_threads_that_is_none() -> None:
    model = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
    options = DeviceOptions((DEVICE,), "GOOGLE_XNNPACK_NUM_THREADS=-1;")
    with pytest.raises(DeviceError, match="NUM_THREADS is '-1', expected a number from 1 to 256"):
        lite.load(model, devices=options)
