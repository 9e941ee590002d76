"""Predictors and handles of lite.inference, without Paddle beside them."""

from __future__ import annotations

import gc
import threading
import time
import weakref
import zipfile
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from api.isolated import run_isolated
from inference.helpers import X, answer, config_of

import lite
from lite.errors import ConfigError, DataTypeError, LiteError, ModelFormatError, ShapeError
from lite.inference import (
    Config,
    DataType,
    Predictor,
    PredictorPool,
    create_predictor,
)
from lite.inference.errors import (
    ArgumentError,
    ArgumentValueError,
    ConfigValueError,
    ModelFileError,
)

PIR = Path(__file__).parents[1] / "models" / "data" / "pir"


def test_every_kind_of_model(dense: bytes, folder: Path, tmp_path: Path) -> None:
    expected = tiny_models.dense_result(X)
    (tmp_path / "m.nb").write_bytes(dense)
    program, params = (folder / "model").read_bytes(), (folder / "params").read_bytes()
    memory = Config()
    memory.set_model_buffer(program + b"rest", len(program), params, len(params))
    separate = Config()
    separate.set_prog_file(str(folder / "model"))
    separate.set_params_file(str(folder / "params"))
    for config in (
        Config(str(tmp_path / "m.nb")),
        Config(str(tmp_path / "m.nb"), ""),
        config_of(dense),
        Config(str(folder / "model"), str(folder / "params")),
        memory,
        separate,
    ):
        np.testing.assert_allclose(answer(create_predictor(config)), expected, 1e-5)


def test_paddle_3_programs(tmp_path: Path) -> None:
    with zipfile.ZipFile(PIR / "models.zip") as exports:
        exports.extractall(tmp_path)
    folder = tmp_path / "mlp"
    program, params = folder / "inference.json", folder / "inference.pdiparams"
    memory = Config()
    json, weights = program.read_bytes(), params.read_bytes()
    memory.set_model_buffer(json, len(json), weights, len(weights))
    arrays = np.load(folder / "io.npz")
    for config in (Config(str(program), str(params)), Config(str(folder)), memory):
        predictor = create_predictor(config)
        assert predictor.get_output_names() == ["fetch_name_0"]
        y = predictor.get_output_handle("fetch_name_0")
        for run in ("0", "1"):
            predictor.get_input_handle("x").copy_from_cpu(arrays[f"{run}.in.x"])
            predictor.run()
            np.testing.assert_allclose(y.copy_to_cpu(), arrays[f"{run}.out.0"], 1e-4, 1e-5)


def test_a_handle_keeps_its_predictor(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    answer(predictor)
    handle = predictor.get_output_handle("y")
    del predictor
    gc.collect()
    np.testing.assert_allclose(handle.copy_to_cpu(), tiny_models.dense_result(X), 1e-5)


def test_predictors_are_freed(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    answer(predictor)
    held = weakref.ref(predictor.get_output_handle("y").copy_to_cpu())
    alive = [type(item) for item in gc.get_objects()].count(Predictor)
    del predictor
    assert [type(item) for item in gc.get_objects()].count(Predictor) == alive - 1
    assert held() is None


def test_run_with_arrays(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    (y,) = predictor.run([X])
    assert isinstance(y, np.ndarray)
    np.testing.assert_allclose(y, tiny_models.dense_result(X), 1e-5)
    predictor.get_input_handle("x").copy_from_cpu(X[:1])
    (y,) = predictor.run(inputs=(predictor.get_input_handle("x"),))
    assert y.shape == (1, 3)
    for wrong in ([], [X, X], X, None, ["x"]):
        with pytest.raises(ValueError, match=r"run\(\)|inputs given"):
            predictor.run(wrong)


def test_outputs_are_copies(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    first = answer(predictor)
    kept = first.copy()
    answer(predictor, X * 9)
    assert (first == kept).all()
    assert first.flags.writeable and first.flags.c_contiguous


def test_inputs_are_copies(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    x = X.copy()
    predictor.get_input_handle("x").copy_from_cpu(x)
    x[:] = 99
    assert (predictor.get_input_handle("x").copy_to_cpu() == X).all()
    wrong = X.astype("float64")
    predictor.get_input_handle("x").copy_from_cpu(wrong)
    wrong[:] = 99
    assert (predictor.get_input_handle("x").copy_to_cpu() == X).all()


def test_a_wrong_type_fails_when_it_runs(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    x = predictor.get_input_handle("x")
    x.copy_from_cpu(X.astype("float64"))
    assert (x.type(), x.shape()) == (DataType.FLOAT64, [2, 4])
    with pytest.raises(DataTypeError, match="input 'x' takes float32, but got float64") as caught:
        predictor.run()
    assert isinstance(caught.value, ValueError)
    np.testing.assert_allclose(answer(predictor), tiny_models.dense_result(X), 1e-5)


def test_indices_of_both_widths() -> None:
    predictor = create_predictor(config_of(tiny_models.nb_bytes(tiny_models.mixed())))
    ids = predictor.get_input_handle("ids")
    predictor.get_input_handle("x").copy_from_cpu(X)
    for dtype in ("int32", "int64", "int16"):
        ids.copy_from_cpu(np.array([0, 4], dtype))
        assert ids.copy_to_cpu().dtype.name == ("int32" if dtype == "int16" else dtype)
        predictor.run()
        total = predictor.get_output_handle("sum").copy_to_cpu()
        np.testing.assert_allclose(total, X + tiny_models.TABLE[[0, 4]])
    ids.copy_from_cpu(np.array([0.0, 4.0], "float32"))
    with pytest.raises(DataTypeError):
        predictor.run()


def test_reshape_is_checked_when_it_runs(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    x = predictor.get_input_handle("x")
    x.reshape([-1, 4])
    x.reshape((2, 4))
    assert x.shape() == [2, 4]
    with pytest.raises(LiteError, match="no data"):
        predictor.run()
    x.copy_from_cpu(X)
    for wrong in ([3, 4], [-1, 4]):
        x.reshape(wrong)
        with pytest.raises(ShapeError, match="reshape"):
            predictor.run()
        with pytest.raises(ShapeError, match="reshape"):
            x.copy_to_cpu()
    x.reshape(np.array([1, 4]))
    assert (x.copy_to_cpu() == X[:1]).all()
    predictor.run()
    assert predictor.get_output_handle("y").shape() == [1, 3]


def test_lod() -> None:
    predictor = create_predictor(config_of(tiny_models.nb_bytes(tiny_models.pooled())))
    x = predictor.get_input_handle("x")
    x.copy_from_cpu(np.ones((5, 2), "float32"))
    x.set_lod([[0, 2, 5]])
    predictor.run()
    assert predictor.get_output_handle("y").copy_to_cpu().tolist() == [[2, 2], [3, 3]]
    x.set_lod([[0, 9]])
    with pytest.raises(ShapeError, match="LoD"):
        predictor.run()


def test_run_again_without_feeding(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    first = answer(predictor)
    predictor.run()
    assert (predictor.get_output_handle("y").copy_to_cpu() == first).all()
    assert predictor.try_shrink_memory() == 0
    predictor.run()
    predictor.clear_intermediate_tensor()
    assert predictor.get_input_handle("x").shape() == [2, 4]
    with pytest.raises(LiteError, match="no data"):
        predictor.run()
    with pytest.raises(LiteError, match="no data"):
        predictor.get_output_handle("y").copy_to_cpu()
    assert (answer(predictor) == first).all()


def test_hooks(dense: bytes) -> None:
    predictor = create_predictor(config_of(dense))
    calls: list[tuple[str, str, list[int]]] = []
    predictor.register_input_hook(lambda op, name, x: calls.append((op, name, x.shape())))
    predictor.register_output_hook(lambda op, name, y: calls.append((op, name, y.shape())))
    answer(predictor)
    assert calls == [("feed", "x", [2, 4]), ("fetch", "y", [2, 3])]
    with pytest.raises(TypeError):
        predictor.register_output_hook(3)  # type: ignore[arg-type]


def test_pool(dense: bytes) -> None:
    pool = PredictorPool(config_of(dense), 3)
    assert pool.retrieve(1) is pool.retrive(1)
    answers: dict[int, np.ndarray] = {}

    def work(index: int) -> None:
        for step in range(50):
            answers[index] = answer(pool.retrieve(index), X * (index + 1) + 0 * step)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, y in answers.items():
        np.testing.assert_allclose(y, tiny_models.dense_result(X * (index + 1)), 1e-4)
    with pytest.raises(ArgumentValueError, match="there is none at 3"):
        pool.retrieve(3)


def test_other_threads_go_on_in_run() -> None:
    from lite.model.program import Program

    def big() -> Program:
        program = tiny_models.dense()
        rng = np.random.default_rng(0)
        program.params["w"] = rng.standard_normal((1500, 1500), np.float32)
        program.params["b"] = np.zeros(1500, np.float32)
        program.blocks[0].vars["x"].shape = (-1, 1500)
        for name in ("w", "b"):
            program.blocks[0].vars[name].shape = program.params[name].shape
        return program

    predictor = create_predictor(config_of(tiny_models.nb_bytes(big())))
    predictor.get_input_handle("x").copy_from_cpu(np.ones((4000, 1500), "float32"))
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    predictor.run()
    end = time.perf_counter()
    done.set()
    thread.join()
    assert len([t for t in ticks if start < t < end]) >= 3


class TestWhatKillsPaddle:
    def test_hollow_configuration(self) -> None:
        with pytest.raises(ConfigError, match="names no model"):
            create_predictor(Config())

    def test_garbage(self, tmp_path: Path) -> None:
        (tmp_path / "m.pdmodel").write_bytes(b"hello")
        with pytest.raises(ModelFormatError):
            create_predictor(Config(str(tmp_path / "m.pdmodel"), ""))
        with pytest.raises(LiteError):
            create_predictor(config_of(b"garbage"))

    def test_custom_device(self, dense: bytes) -> None:
        config = config_of(dense)
        config.enable_custom_device("npu", 0)
        with pytest.raises(ConfigError, match="npu"):
            create_predictor(config)

    def test_pass_beyond_the_list(self) -> None:
        builder = Config().pass_builder()
        with pytest.raises(ConfigValueError):
            builder.insert_pass(999, "x")

    def test_size_of_a_buffer(self) -> None:
        for size in (-1, 3):
            with pytest.raises(ArgumentValueError):
                Config().set_model_buffer(b"ab", size, b"", 0)

    def test_fork_of_a_process_with_a_predictor(self, dense: bytes) -> None:
        predictor = create_predictor(config_of(dense))
        answer(predictor)
        outcome = run_isolated(lambda: answer(predictor).shape)
        assert (outcome.kind, outcome.text) == ("ok", "(2, 3)")


def test_errors_are_both(dense: bytes) -> None:
    with pytest.raises(LiteError) as missing:
        create_predictor(Config("/no/such.pdmodel", "/no/such.pdiparams"))
    assert isinstance(missing.value, ModelFileError | RuntimeError | FileNotFoundError)
    assert isinstance(missing.value, FileNotFoundError) and isinstance(missing.value, RuntimeError)
    assert "/no/such.pdmodel" in str(missing.value)
    config = config_of(dense)
    create_predictor(config)
    for kind, wrong in {
        ValueError: lambda: create_predictor(config),
        TypeError: lambda: create_predictor("model"),  # type: ignore[arg-type]
        RuntimeError: lambda: create_predictor(Config()),
    }.items():
        with pytest.raises(kind) as caught:
            wrong()
        assert isinstance(caught.value, LiteError)
    with pytest.raises(TypeError) as caught:
        Config().enable_use_gpu("many")  # type: ignore[arg-type]
    assert isinstance(caught.value, ArgumentError)
    assert issubclass(lite.ShapeError, ValueError) and issubclass(lite.DataTypeError, ValueError)


def test_nothing_is_printed(dense: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    config = config_of(dense)
    config.enable_memory_optim()
    answer(create_predictor(config))
    assert capfd.readouterr() == ("", "")
