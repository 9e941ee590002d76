"""Intermediate tensors that were asked for: outputs after the model's own, of every format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from api.tiny_models import BIAS, WEIGHT

import lite
from lite.api.opt import Opt
from lite.errors import ConfigError
from lite.model.save import write_protobuf_dir

X = np.random.default_rng(5).standard_normal((3, 4)).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    write_protobuf_dir(tiny_models.dense(), str(tmp_path / "dense"))
    return str(tmp_path / "dense")


def _check(results: dict[str, np.ndarray]) -> None:
    assert list(results) == ["y", "xw", "z"]
    np.testing.assert_allclose(results["y"], tiny_models.dense_result(X), rtol=1e-5)
    np.testing.assert_allclose(results["xw"], X @ WEIGHT, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(results["z"], X @ WEIGHT + BIAS, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("devices", [(), ("builtin_device",)])
def test_a_model_that_is_optimised(folder: str, devices: tuple[str, ...]) -> None:
    # Once more by name, an output by its own: neither comes twice.
    predictor = lite.load(folder, keep=["xw", "z", "xw", "y"], devices=devices)
    _check(predictor.run(X))
    _check(predictor.clone().run(X))


def test_predictors_of_paddle_lite(folder: str, tmp_path: Path) -> None:
    config = lite.CxxConfig()
    config.set_model_dir(folder)
    config.keep_tensors(["xw"])
    assert config.kept_tensors() == ["xw"]
    predictor = lite.create_paddle_predictor(config)
    predictor.get_input(0).from_numpy(X)
    predictor.run()
    for name, expected in (("xw", X @ WEIGHT), ("y", tiny_models.dense_result(X)), ("x", X)):
        found = predictor.get_tensor(name).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(KeyError, match=r"keep_tensors\(\['z'\]\)"):
        predictor.get_tensor("z")


def test_converted_models(folder: str, tmp_path: Path) -> None:
    opt = Opt()
    opt.set_model_dir(folder)
    opt.keep_tensors(["xw"])
    opt.set_optimize_out(str(tmp_path / "kept"))
    opt.run()
    assert list(lite.load(tmp_path / "kept.nb").run(X)) == ["y", "xw"]
    # Of a `.nb` what its optimizer left.
    _check(lite.load(tmp_path / "kept.nb", keep=["z"]).run(X))
    _check(lite.load((tmp_path / "kept.nb").read_bytes(), keep=["xw", "z"]).run(X))
    config = lite.MobileConfig()
    config.set_model_from_file(str(tmp_path / "kept.nb"))
    config.keep_tensors(["z"])
    assert lite.create_paddle_predictor(config).get_output_names() == ["y", "xw", "z"]


def test_what_is_not_there(folder: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'w', is not computed by"):
        lite.load(folder, keep=["w"])
    with pytest.raises(TypeError, match="tensors to keep must be a list"):
        lite.load(folder, keep="xw")
    opt = Opt()
    opt.set_model_dir(folder)
    opt.set_optimize_out(str(tmp_path / "plain"))
    opt.run()
    with pytest.raises(ConfigError, match=r"'xw', is not computed.*when the model is converted"):
        lite.load(tmp_path / "plain.nb", keep=["xw"])
