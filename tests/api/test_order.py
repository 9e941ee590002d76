"""Calls in every order: data that is not there yet, objects that are gone, shapes in turn."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

import lite
from lite.model.save import write_protobuf_dir

X = np.linspace(-2, 2, 8, dtype=np.float32).reshape(2, 4)


def _mobile(nb: bytes) -> lite.LightPredictor:
    config = lite.MobileConfig()
    config.set_model_from_buffer(nb)
    return lite.create_paddle_predictor(config)


def test_usual_mobile_script(dense_nb: bytes, tmp_path: Path) -> None:
    from paddlelite.lite import MobileConfig, create_paddle_predictor

    (tmp_path / "m.nb").write_bytes(dense_nb)
    config = MobileConfig()
    config.set_model_from_file(str(tmp_path / "m.nb"))
    predictor = create_paddle_predictor(config)
    assert predictor.get_input_names() == ["x"]
    assert predictor.get_output_names() == ["y"]
    tensor = predictor.get_input(0)
    tensor.from_numpy(X)
    predictor.run()
    assert np.allclose(predictor.get_output(0).numpy(), tiny_models.dense_result(X), atol=1e-6)


def test_usual_cxx_script(tmp_path: Path) -> None:
    from paddlelite.lite import CxxConfig, Place, PrecisionType, TargetType, create_paddle_predictor

    write_protobuf_dir(tiny_models.dense(), tmp_path)
    config = CxxConfig()
    config.set_model_file(str(tmp_path / "model"))
    config.set_param_file(str(tmp_path / "params"))
    places = [Place(TargetType.X86, PrecisionType.FP32), Place(TargetType.Host)]
    config.set_valid_places(places)
    predictor = create_paddle_predictor(config)
    tensor = predictor.get_input_by_name("x")
    tensor.resize([2, 4])
    tensor.set_float_data(X.reshape(-1).tolist())
    predictor.run()
    output = predictor.get_output_by_name("y")
    assert output.shape() == [2, 3]
    assert np.allclose(output.float_data(), tiny_models.dense_result(X).reshape(-1), atol=1e-6)
    predictor.save_optimized_model(str(tmp_path / "saved"))
    predictor.save_optimized_pb_model(str(tmp_path / "saved_pb"))
    for path in ("saved.nb", "saved_pb"):
        again = lite.load(tmp_path / path).run({"x": X})["y"]
        assert np.allclose(again, tiny_models.dense_result(X), atol=1e-6)


def test_model_from_buffers(tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.dense(), tmp_path)
    model, params = (tmp_path / "model").read_bytes(), (tmp_path / "params").read_bytes()
    config = lite.CxxConfig()
    config.set_model_buffer(model, len(model), params, len(params))
    assert config.is_model_from_memory()
    predictor = lite.create_paddle_predictor(config)
    predictor.get_input(0).from_numpy(X)
    predictor.run()
    expected = predictor.get_output(0).numpy()
    assert np.array_equal(lite.load(model, params).run({"x": X})["y"], expected)


def test_output_before_run(light: lite.LightPredictor) -> None:
    with pytest.raises(lite.LiteError, match="run"):
        light.get_output(0).numpy()
    with pytest.raises(lite.LiteError, match="run"):
        light.get_output(0).float_data()


def test_run_before_input(light: lite.LightPredictor) -> None:
    with pytest.raises(lite.LiteError, match="'x'"):
        light.run()


def test_resize_takes_the_data_away(light: lite.LightPredictor) -> None:
    x = light.get_input(0)
    x.from_numpy(X)
    x.resize([5, 4])
    with pytest.raises(lite.LiteError, match="'x'"):
        light.run()
    with pytest.raises(lite.ShapeError, match="20"):
        x.set_float_data([1.0] * 19)
    x.set_float_data([1.0] * 20)
    light.run()
    assert light.get_output(0).shape() == [5, 3]


def test_outputs_cannot_be_written(light: lite.LightPredictor) -> None:
    y = light.get_output(0)
    for call in (
        lambda: y.from_numpy(X),
        lambda: y.resize([1, 3]),
        lambda: y.set_float_data([1.0]),
        lambda: y.set_lod([[0, 1]]),
    ):
        with pytest.raises(lite.LiteError, match="output"):
            call()


def test_a_failed_run_leaves_the_predictor_usable(light: lite.LightPredictor) -> None:
    x = light.get_input(0)
    for wrong in (np.ones((2, 5), np.float32), np.ones(4, np.float32)):
        x.from_numpy(wrong)
        with pytest.raises(lite.ShapeError, match=r"mul|fc"):
            light.run()
        with pytest.raises(lite.LiteError):
            light.get_output(0).numpy()
        x.from_numpy(X)
        light.run()
        result = light.get_output(0).numpy()
        assert np.allclose(result, tiny_models.dense_result(X), atol=1e-6)


def test_arrays_stay_what_they_are(light: lite.LightPredictor) -> None:
    x = light.get_input(0)
    x.from_numpy(X)
    light.run()
    y = light.get_output(0)
    array, echo = y.numpy(), x.numpy()
    kept = array.copy()
    x.from_numpy(-X)
    light.run()
    assert np.array_equal(array, kept)
    assert np.array_equal(echo, X)
    array[:] = 7
    echo[:] = 7
    assert not (y.numpy() == 7).any()
    assert np.array_equal(x.numpy(), -X)


def test_tensors_and_arrays_outlive_their_predictor(dense_nb: bytes) -> None:
    predictor = _mobile(dense_nb)
    x, y = predictor.get_input(0), predictor.get_output(0)
    x.from_numpy(X)
    predictor.run()
    array = y.numpy()
    del predictor
    gc.collect()
    assert np.array_equal(x.numpy(), X)
    assert np.array_equal(y.numpy(), array)
    x.from_numpy(-X)
    del x, y
    gc.collect()
    assert np.allclose(array, tiny_models.dense_result(X), atol=1e-6)


def test_the_callers_array_may_change_after_from_numpy(light: lite.LightPredictor) -> None:
    array = X.copy()
    light.get_input(0).from_numpy(array)
    array[:] = np.nan
    light.run()
    assert np.allclose(light.get_output(0).numpy(), tiny_models.dense_result(X), atol=1e-6)


def test_shapes_back_and_forth(light: lite.LightPredictor) -> None:
    x, rng = light.get_input(0), np.random.default_rng(3)
    for rows in (1, 5, 2, 64, 0, 5, 1, 300, 2):
        array = rng.standard_normal((rows, 4)).astype(np.float32)
        x.from_numpy(array)
        light.run()
        result = light.get_output(0).numpy()
        assert result.shape == (rows, 3)
        assert np.allclose(result, tiny_models.dense_result(array) if rows else result, atol=1e-6)


def test_several_inputs_and_outputs(mixed_nb: bytes) -> None:
    predictor = _mobile(mixed_nb)
    assert predictor.get_input_names() == ["x", "ids"]
    assert predictor.get_output_names() == ["sum", "twice"]
    ids = np.array([4, 0], np.int64)
    predictor.get_input_by_name("ids").from_numpy(ids)
    with pytest.raises(lite.LiteError, match="'x'"):
        predictor.run()
    predictor.get_input_by_name("x").from_numpy(X)
    predictor.run()
    assert np.array_equal(predictor.get_output(0).numpy(), X + tiny_models.TABLE[ids])
    assert predictor.get_output_by_name("twice").int64_data() == [8, 0]
    assert predictor.get_output(1).precision() is lite.PrecisionType.INT64
    assert predictor.get_output(1).target() is lite.TargetType.Host


def test_ids_outside_the_table(mixed_nb: bytes) -> None:
    predictor = lite.load(mixed_nb)
    for wrong in (5, -1, 2**62, -(2**62)):
        with pytest.raises((lite.LiteError, IndexError)):
            predictor.run({"x": X, "ids": np.array([wrong, 0], np.int64)})
        good = predictor.run({"x": X, "ids": np.array([1, 2], np.int64)})
        assert np.array_equal(good["sum"], X + tiny_models.TABLE[[1, 2]])


def test_lod(pooled_nb: bytes) -> None:
    predictor = _mobile(pooled_nb)
    rows = np.arange(10, dtype=np.float32).reshape(5, 2)
    x = predictor.get_input(0)
    x.from_numpy(rows)
    x.set_lod([[0, 2, 2, 5]])
    assert x.lod() == [[0, 2, 2, 5]]
    predictor.run()
    assert predictor.get_output(0).numpy()[[0, 2]].tolist() == [[2, 4], [18, 21]]
    x.set_lod([[0, 1, 4]])  # ends before the last row
    with pytest.raises(lite.ShapeError, match="LoD"):
        predictor.run()
    for wrong in ([[1, 5]], [[0, 3, 2, 5]], [[]], [[0, 2], [0, 5]]):
        with pytest.raises(ValueError, match="LoD"):
            x.set_lod(wrong)
    x.set_lod([[0, 5]])
    predictor.run()
    assert predictor.get_output(0).numpy().tolist() == [[20, 25]]
    short = lite.load(pooled_nb)
    assert short.run({"x": (rows, [[0, 5]])})["y"].tolist() == [[20, 25]]


def test_closed_predictor(dense_nb: bytes) -> None:
    with lite.load(dense_nb) as predictor:
        clone = predictor.clone()
        predictor.run({"x": X})
    with pytest.raises(lite.LiteError, match="closed"):
        predictor.run({"x": X})
    with pytest.raises(lite.LiteError, match="closed"):
        predictor.clone()
    assert "closed" in repr(predictor)
    predictor.close()
    assert np.allclose(clone.run({"x": X})["y"], tiny_models.dense_result(X), atol=1e-6)


def test_names_that_are_missing_or_unknown(mixed_nb: bytes) -> None:
    predictor = lite.load(mixed_nb)
    with pytest.raises(KeyError, match="ids"):
        predictor.run({"x": X})
    with pytest.raises(KeyError, match="extra"):
        predictor.run({"x": X, "ids": [0, 1], "extra": X})
    with pytest.raises(ValueError, match="2"):
        predictor.run([X])
    assert predictor.run([X, [0, 1]])["twice"].tolist() == [0, 2]


def test_devices_that_are_not_available_are_refused(dense_nb: bytes) -> None:
    def mobile() -> lite.MobileConfig:
        config = lite.MobileConfig()
        config.set_model_from_buffer(dense_nb)
        return config

    config = mobile()
    config.set_nnadapter_device_names(["npu"])
    with pytest.raises(lite.DeviceError, match="npu"):
        lite.create_paddle_predictor(config)
    for setting, arguments in (
        ("set_nnadapter_context_properties", ("a=b",)),
        ("set_nnadapter_model_cache_dir", ("d",)),
        ("set_nnadapter_model_cache_buffers", ("t", [1])),
        ("set_nnadapter_dynamic_shape_info", ({"x": [[1, 4]]},)),
        ("set_opencl_tune", (lite.CLTuneMode.CL_TUNE_RAPID, "p", "n", 4)),
        ("set_opencl_binary_path_name", ("p", "n")),
        ("set_opencl_precision", (lite.CLPrecisionType.CL_PRECISION_FP16,)),
        ("set_metal_lib_path", ("p",)),
        ("set_metal_use_mps", (True,)),
        ("set_metal_use_memory_reuse", (True,)),
    ):
        config = mobile()
        getattr(config, setting)(*arguments)
        if "nnadapter" in setting:
            with pytest.raises(lite.ConfigError, match=setting.removeprefix("set_")):
                lite.create_paddle_predictor(config)
        else:
            with pytest.warns(UserWarning, match=setting.removeprefix("set_")) as warned:
                lite.create_paddle_predictor(config)
            assert len(warned) == 1
            assert warned[0].filename == __file__
    config = lite.CxxConfig()
    config.set_valid_places([lite.Place(lite.TargetType.NNAdapter)])
    config.set_model_dir("d")
    with pytest.raises(lite.ConfigError, match="NNAdapter"):
        lite.create_paddle_predictor(config)
    config = mobile()
    config.set_nnadapter_device_names([])
    config.set_metal_use_mps(False)
    lite.create_paddle_predictor(config)


def test_gpu_places_go_on_with_the_cpu(tmp_path: Path) -> None:
    write_protobuf_dir(tiny_models.dense(), tmp_path)
    config = lite.CxxConfig()
    config.set_model_file(str(tmp_path / "model"))
    config.set_param_file(str(tmp_path / "params"))
    opencl = lite.Place(lite.TargetType.OpenCL, lite.PrecisionType.FP16)
    config.set_valid_places([opencl, opencl, lite.Place(lite.TargetType.ARM)])
    config.set_opencl_precision(lite.CLPrecisionType.CL_PRECISION_FP16)
    with pytest.warns(UserWarning, match="valid place OpenCL, opencl_precision: ") as warned:
        predictor = lite.create_paddle_predictor(config)
    assert len(warned) == 1
    predictor.get_input(0).from_numpy(X)
    predictor.run()
    expected = tiny_models.dense_result(X)
    assert np.allclose(predictor.get_output(0).numpy(), expected, atol=1e-6)


def test_contradictory_configurations() -> None:
    config = lite.CxxConfig()
    with pytest.raises(lite.ConfigError, match="no model"):
        lite.create_paddle_predictor(config)
    config.set_param_file("p")
    with pytest.raises(lite.ConfigError, match="set_model_file"):
        lite.create_paddle_predictor(config)
    mobile = lite.MobileConfig()
    with pytest.raises(lite.ConfigError, match="set_model_from_file"):
        lite.create_paddle_predictor(mobile)
    mobile.set_model_dir("d")
    with pytest.raises(lite.ConfigError, match="paddle_lite_opt"):
        lite.create_paddle_predictor(mobile)
