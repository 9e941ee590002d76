"""The shapes that inputs have before they are set, and errors that begin with the user's input.

tests/interop/test_first_shapes.py has the same of the real Paddle Lite.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.errors import LiteError, ShapeError
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program


def cxx(folder: Path) -> lite.CxxPredictor:
    config = lite.CxxConfig()
    config.set_model_file(str(folder / "model"))
    config.set_param_file(str(folder / "params"))
    config.set_valid_places([lite.Place(lite.TargetType.X86, lite.PrecisionType.FP32)])
    return lite.create_paddle_predictor(config)


def save(tmp_path: Path, shape: tuple[int, ...]) -> Path:
    program = tiny_models.dense()
    program.blocks[0].vars["x"].shape = shape
    write_protobuf_dir(program, str(tmp_path / "m"))
    return tmp_path / "m"


def test_a_script_that_warms_up_with_the_declared_shape(tmp_path: Path) -> None:
    predictor = cxx(save(tmp_path, (2, 4)))
    tensor = predictor.get_input(0)
    assert tensor.shape() == [2, 4]
    assert tensor.precision() == lite.PrecisionType.FP32
    tensor.from_numpy(np.ones(tensor.shape(), np.float32))
    predictor.run()
    expected = tiny_models.dense_result(np.ones((2, 4)))
    np.testing.assert_allclose(predictor.get_output(0).numpy(), expected, rtol=1e-5)


def test_free_dimensions_are_minus_one_and_clones_agree(tmp_path: Path) -> None:
    predictor = cxx(save(tmp_path, (-1, 4)))
    for one in (predictor, predictor.clone()):
        tensor = one.get_input(0)
        assert tensor.shape() == [-1, 4]
        assert "shape=[-1, 4]" in repr(tensor)
        with pytest.raises(ShapeError, match="-1 is free"):
            tensor.set_float_data([0.0] * 4)
        with pytest.raises(LiteError, match="has not been set"):
            one.run()
        tensor.resize([3, 4])
        tensor.set_float_data([0.0] * 12)
        one.run()
        assert one.get_output(0).shape() == [3, 3]


def test_a_list_fills_the_declared_shape(tmp_path: Path) -> None:
    predictor = cxx(save(tmp_path, (2, 4)))
    predictor.get_input(0).set_float_data([1.0] * 8)
    predictor.run()
    assert predictor.get_output(0).numpy().shape == (2, 3)


def test_a_mobile_predictor_starts_without_shape(light: lite.LightPredictor) -> None:
    assert light.get_input(0).shape() == []


def test_more_dimensions_than_a_tensor_has_stay_hidden(tmp_path: Path) -> None:
    predictor = cxx(save(tmp_path, (1,) * 12))
    assert predictor.get_input(0).shape() == []


def test_shape_errors_begin_with_the_input(tmp_path: Path) -> None:
    predictor = lite.load(save(tmp_path, (-1, 4)))
    with pytest.raises(ShapeError) as caught:
        predictor.run([np.zeros((2, 5), np.float32)])
    text = str(caught.value)
    assert text.startswith(
        "input 0 ('x') has shape [2, 5], but the model declares [?, 4]: operator "
    ), text


def test_errors_of_inputs_as_declared_are_as_before(tmp_path: Path) -> None:
    predictor = lite.load(save(tmp_path, (-1, -1)))
    with pytest.raises(ShapeError, match=r"^operator \d+ \("):
        predictor.run([np.zeros((2, 5), np.float32)])


def test_a_declaration_is_only_a_hint() -> None:
    program = parse_program(
        "program version 2006002\nblock 0 parent -1 {\n  var feed: feed_minibatch\n"
        "  var fetch: fetch_list\n  var x: lod_tensor fp32[2,3]\n"
        "  Out: [x] = feed(X: [feed]) {col: int 0}\n  Out: [y] = relu(X: [x])\n"
        "  Out: [fetch] = fetch(X: [y]) {col: int 0}\n}"
    )
    outputs = lite.load(tiny_models.nb_bytes(program)).run([np.ones((5, 7, 2), np.float32)])
    assert next(iter(outputs.values())).shape == (5, 7, 2)
