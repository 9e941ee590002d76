"""Published OCR models, and exports of Paddle 3, on a device that computes in half precision."""

from __future__ import annotations

import warnings
from pathlib import Path
from unittest import mock

import numpy as np
from models.test_pir import unpack
from models.test_real import OCR, find, picture

import lite
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.model.onnx.writer import GraphWriter

SHAPES = {"cls": (1, 3, 48, 192), "rec": (1, 3, 48, 320), "det": (1, 3, 320, 320)}
NAMES = [name for name in OCR if "PP-OCRv4" in name or "cls" in name]

QUANTISED = [
    *("ptq_convolutions_onnx_channels", "ptq_convolutions_fake_tensor"),
    "qat_convolutions_fake_channels",
]


def comes_whole_in_int8(device: str, name: str, properties: str = "") -> None:
    """A model with Paddle's scales, to one subgraph that rounds where NNAdapter's operations do."""
    folder = Path(__file__).parents[1] / "models" / "data" / "quantised" / name
    x = np.load(folder / "expected.npz")["in0"]
    shapes = {"x": [list(x.shape)]}
    options = DeviceOptions((device,), properties, dynamic_shapes=shapes, strict=True)
    with mock.patch.object(
        GraphWriter, "node", autospec=True, side_effect=GraphWriter.node
    ) as node:
        predictor = lite.load(folder, devices=options)
        (found,) = predictor.run([x]).values()
    assert any(call.args[1] == "QuantizeLinear" for call in node.call_args_list)
    (expected,) = lite.load(folder).run([x]).values()
    (rounded,) = lite.load(folder, devices=["builtin_device"]).run([x]).values()
    assert decibels(found, expected) < -30 and decibels(found, rounded) < -30
    report = predictor.placement()
    assert len(report.subgraphs) == 1 and report.subgraphs[0].devices == [device]
    assert all(op.place != "cpu" or op.is_io for op in report.operators)


def decibels(found: np.ndarray, expected: np.ndarray) -> float:
    """Of the difference over what is expected."""
    difference = np.square(np.float64(found) - expected).sum()
    return float(10 * np.log10(difference / np.square(np.float64(expected)).sum()))


def comes_whole(device: str, name: str, given: bool, tmp_path: Path, exact: bool) -> None:
    """To one subgraph, with shapes or without; and from a cache, then with the same digits where
    `exact`."""
    folder = str(find(name))
    shape = next(shape for kind, shape in SHAPES.items() if kind in name)
    x = picture(shape, 0)
    shapes = {"x": [list(shape)]} if given else {}
    options = DeviceOptions((device,), cache_dir=str(tmp_path / "cache"), dynamic_shapes=shapes)
    predictor = lite.load(folder, devices=options)
    report = predictor.placement()
    assert len(report.subgraphs) == 1
    assert not [op.type for op in report.operators if op.place == "cpu" and not op.is_io]
    (expected,) = lite.load(folder).run([x]).values()
    source = Source(model_dir=folder, devices=options)
    mobile = lite.MobileConfig()
    mobile.set_model_from_file(source.save_naive_buffer(str(tmp_path / "model.nb")))
    mobile.set_nnadapter_device_names([device])
    mobile.set_nnadapter_model_cache_dir(str(tmp_path / "cache"))
    restored = lite.create_paddle_predictor(mobile)
    restored.get_input(0).from_numpy(x)
    for _ in range(2):
        (found,) = predictor.run([x]).values()
        restored.run()
        again = restored.get_output(0).numpy()
        if exact:
            np.testing.assert_array_equal(found, again)
        for values in (found, again):
            if "det" in name:
                assert ((values > 0.3) == (expected > 0.3)).mean() > 0.999
            else:
                assert (values.argmax(-1) == expected.argmax(-1)).all()
            assert np.abs(values - expected).mean() <= 2e-3 * np.abs(expected).max()
    info = predictor.placement().subgraphs[0]
    assert info.devices == [device] and not info.fallback
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert restored.placement().subgraphs[0].devices == [device]


def noise_of(device: str, export: str, tmp_path: Path) -> float:
    """Decibels of what an export's outputs differ by from the CPU's, over what they are."""
    folder = unpack(export, tmp_path)
    stored = np.load(folder / "io.npz")
    x = {key[5:]: stored[key] for key in stored.files if key.startswith("0.in.")}
    shapes = {name: [list(array.shape)] for name, array in x.items()}
    predictor = lite.load(folder, devices=DeviceOptions((device,), dynamic_shapes=shapes))
    found, expected = (
        np.concatenate([np.float64(value).ravel() for value in some.run(x).values()])
        for some in (predictor, lite.load(folder))
    )
    assert any(info.devices == [device] for info in predictor.placement().subgraphs)
    return decibels(found, expected)
