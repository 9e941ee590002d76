"""Real trained models on NNAdapter devices, alone and in pairs: the numbers of the CPU alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from models.test_real import OCR, find, picture

import lite
import lite.nnadapter as nna
from lite import MobileConfig, create_paddle_predictor
from lite.api.build import Source
from lite.api.devices import DeviceOptions

pytestmark = pytest.mark.models
TOLERANCE = 1e-4

DEVICES = [
    ("python",),
    ("intel_openvino",),
    ("onnxruntime",),
    ("builtin_device",),
    ("test_convolutions", "onnxruntime"),
    ("intel_openvino", "python"),
]
NEEDS = {"intel_openvino": "openvino", "onnxruntime": "onnxruntime"}


@pytest.fixture(scope="module", autouse=True)
def convolutions() -> Iterator[None]:
    """A device that takes convolutions and pooling only, so that a second one has work to do."""
    from lite.nnadapter.driver.python.device import NumpyHal

    class Convolutions(NumpyHal):
        def supports(self, op: nna.Operation) -> bool | str:
            return op.type.startswith(("CONV", "MAX_POOL")) or "no convolution"

    nna.register("test_convolutions", Convolutions)
    yield
    nna.unregister("test_convolutions")


PAIRED = ("ch_ppocr_mobile_v2_cls_infer", "ch_PP-OCRv4_det_infer")
CASES = [
    pytest.param(name, devices, id="-".join([name, *devices]))
    for name in OCR
    for devices in DEVICES
    if len(devices) == 1 or name in PAIRED  # pairs make many small programs
]


@pytest.mark.parametrize(("name", "devices"), CASES)
def test_like_the_cpu(name: str, devices: tuple[str, ...], tmp_path: Path) -> None:
    for device in devices:
        if device in NEEDS:
            pytest.importorskip(NEEDS[device])
    folder = str(find(name))
    cpu = lite.load(folder)
    offloaded = lite.load(folder, devices=devices)
    mobile = MobileConfig()
    mobile.set_nnadapter_device_names(list(devices))
    source = Source(model_dir=folder, devices=DeviceOptions(devices))
    mobile.set_model_from_file(source.save_naive_buffer(str(tmp_path / "model.nb")))
    from_file = create_paddle_predictor(mobile)
    for index in (0, 1, 0):
        x = picture(OCR[name][index], index)
        expected = list(cpu.run([x]).values())
        from_file.get_input(0).from_numpy(x)
        from_file.run()
        results = [
            list(offloaded.run([x]).values()),
            [from_file.get_output(i).numpy() for i in range(len(expected))],
        ]
        for outputs in results:
            for ours, reference in zip(outputs, expected, strict=True):
                assert ours.shape == reference.shape and ours.dtype == reference.dtype
                worst = np.abs(ours - reference).max() / np.abs(reference).max()
                assert worst <= TOLERANCE, f"{name} at {x.shape}: {worst:.2e}"
    places = Counter(operator.place for operator in offloaded.placement().operators)
    assert places["device"] >= 0.9 * (places["device"] + places["cpu"]) or places["cpu"] < 5
