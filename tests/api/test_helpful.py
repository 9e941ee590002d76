"""What scripts commonly get wrong is answered with what to do; one input needs no name."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite
from lite import _core
from lite.errors import ConfigError, ModelFormatError

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)


def test_one_input_is_an_array(dense_nb: bytes) -> None:
    predictor = lite.load(dense_nb)
    expected = tiny_models.dense_result(X)
    for inputs in (X, [X], {"x": X}):
        np.testing.assert_allclose(predictor.run(inputs)["y"], expected, atol=1e-6)


def test_two_inputs_are_no_array(mixed_nb: bytes) -> None:
    predictor = lite.load(mixed_nb)
    ids = np.array([1, 3], np.int64)
    np.testing.assert_array_equal(predictor.run([X, ids])["twice"], 2 * ids)
    with pytest.raises(TypeError, match=r"takes 2 inputs \(x, ids\).*a list of arrays"):
        predictor.run(X)


@pytest.mark.parametrize("hand", [pickle.dumps, copy.copy, copy.deepcopy])
def test_predictors_and_tensors_cannot_be_pickled(
    hand: object, dense_nb: bytes, light: lite.LightPredictor
) -> None:
    for value in (lite.load(dense_nb), light, light.get_input(0)):
        with pytest.raises(
            TypeError, match=r"cannot be pickled or copied.*model's path.*clone\(\)"
        ):
            hand(value)  # type: ignore[operator]


def test_no_model() -> None:
    with pytest.raises(TypeError, match=r"no model is given.*\.pdmodel"):
        lite.load(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("m.onnx", "no graph"),
        ("m.ONNX", "ONNX model has no graph|not a whole"),
        ("m.pth", "ONNX"),
        ("m.tflite", "not read"),
    ],
)
def test_models_of_others(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / name).write_bytes(b"\x08\x07")
    with pytest.raises(ModelFormatError, match=words):
        lite.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        lite.load(tmp_path / "missing" / name)


def test_urls() -> None:
    with pytest.raises(ModelFormatError, match="is a URL: download"):
        lite.load("https://example.org/model.nb")


def test_opt_needs_a_path_to_write_to() -> None:
    opt = lite.Opt()
    for set_out in (opt.set_optimize_out, opt.set_lite_out):
        with pytest.raises(TypeError, match="the output path must be a str, not NoneType"):
            set_out(None)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="bytes"):
            set_out(b"")  # type: ignore[arg-type]
    opt.set_optimize_out("")
    with pytest.raises(ConfigError, match="set_optimize_out"):
        opt.set_model_dir("anywhere")
        opt.run()


@pytest.mark.parametrize(
    ("meant", "suggested"),
    [("conv2", "conv2d"), ("softmx", "softmax"), ("bmn", "bmm"), ("lgammx", "lgamma"), ("xyz", "")],
)
def test_operators_that_may_have_been_meant(meant: str, suggested: str) -> None:
    with pytest.raises(lite.UnsupportedOperatorError) as error:
        _core.run_op(meant, {}, {"Out": 1}, {})
    near = str(error.value).partition("; like: ")[2]
    assert (near.split(", ")[0], "bmm" in near) == (suggested, meant == "bmn")
