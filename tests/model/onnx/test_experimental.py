"""Operators of the first operator sets that are gone since the tenth, against ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from onnx import helper, numpy_helper

import lite.onnxruntime as lrt
from lite.errors import UnsupportedOperatorError

IMAGE = np.random.default_rng(0).standard_normal((2, 3, 4, 5)).astype(np.float32)


def model(kind: str, opset: int, *more: Any, **attrs: Any) -> bytes:
    """One node over x and constants."""
    names = ["x", *(f"x{i}" for i in range(len(more)))]
    kept = dict(zip(names[1:], more, strict=True))
    node = helper.make_node(kind, names if kind != "MelWeightMatrix" else names[1:], ["y"], **attrs)
    graph = helper.make_graph(
        [node],
        "one",
        [helper.make_tensor_value_info("x", 1, ["batch", 3, None, None])],
        [helper.make_empty_tensor_value_info("y")],
        [numpy_helper.from_array(x, name) for name, x in kept.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return bytes(made.SerializeToString())


@pytest.mark.parametrize("opset", [6, 9])
@pytest.mark.parametrize(
    ("kind", "attrs"),
    [
        ("Affine", {"alpha": 2.0, "beta": 1.0}),
        ("Affine", {}),
        ("ImageScaler", {"scale": 2.0, "bias": [1.0, 2.0, 3.0]}),
        ("ImageScaler", {"bias": [1.0, 2.0, 3.0]}),
        ("ParametricSoftplus", {"alpha": 2.0, "beta": 3.0}),
        ("Scale", {"scale": 3.0}),
        ("ScaledTanh", {"alpha": 2.0, "beta": 0.5}),
        ("Crop", {"border": [1, 0, 1, 2]}),
        ("Crop", {"border": [0, 1, 0, 0]}),
        ("Crop", {"border": [1, 1, 0, 0], "scale": [2, 1]}),
    ],
)
def test_against_onnxruntime(kind: str, attrs: dict[str, Any], opset: int) -> None:
    data = model(kind, opset, **attrs)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    (wanted,) = ort.InferenceSession(data, options).run(None, {"x": IMAGE})
    (found,) = lrt.InferenceSession(data).run(None, {"x": IMAGE})
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_what_onnxruntime_has_not() -> None:
    """Upsample as torch's first exports have it, and a slice whose ends are tensors."""
    data = model("Upsample", 6, height_scale=2.0, width_scale=3.0)
    (found,) = lrt.InferenceSession(data).run(None, {"x": IMAGE})
    np.testing.assert_array_equal(found, IMAGE.repeat(2, 2).repeat(3, 3))
    parts = [np.array(part) for part in ([1, -3], [3, 9], [2, 3])]
    data = model("DynamicSlice", 6, *parts)
    (found,) = lrt.InferenceSession(data).run(None, {"x": IMAGE})
    np.testing.assert_array_equal(found, IMAGE[:, :, 1:3, -3:])


def test_gone_since_the_tenth() -> None:
    with pytest.raises(UnsupportedOperatorError, match="ImageScaler"):
        lrt.InferenceSession(model("ImageScaler", 10, bias=[1.0, 2.0, 3.0]))


@pytest.mark.parametrize("bands", [1, 8, 40])
@pytest.mark.parametrize(
    ("length", "rate", "edges"), [(16, 8000, (0, 4000)), (400, 16000, (80, 7600))]
)
def test_mel_weights(bands: int, length: int, rate: int, edges: tuple[float, float]) -> None:
    sizes = [np.array(n) for n in (bands, length, rate)]
    data = model("MelWeightMatrix", 17, *sizes, *(np.float32(edge) for edge in edges))
    (wanted,) = ort.InferenceSession(data).run(None, {"x": IMAGE})
    (found,) = lrt.InferenceSession(data).run(None, {"x": IMAGE})
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_mel_weights_that_are_computed() -> None:
    data = model("MelWeightMatrix", 17, *map(np.array, (0, 16, 8000)), *map(np.float32, (0, 4000)))
    with pytest.raises(UnsupportedOperatorError, match="0 bands"):
        lrt.InferenceSession(data)
