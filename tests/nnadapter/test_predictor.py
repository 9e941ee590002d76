"""Models on devices through every way of loading, compared with the CPU alone."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
import lite.nnadapter as nna
from lite.api.build import Source
from lite.api.devices import DeviceOptions

DATA = Path(__file__).parent.parent / "model" / "data"
MODEL = DATA / "conv.pdmodel"
X = np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32)
DEVICES = [
    ["builtin_device"],
    ["fake_device"],
    ["python"],
    ["intel_openvino"],
    ["onnxruntime"],
    ["fake_device", "builtin_device"],
    ["python", "onnxruntime"],
    ["intel_openvino", "fake_device", "builtin_device"],
]


def cpu(x: Any = X) -> Any:
    return only(lite.load(MODEL).run([x]))


def only(outputs: dict[str, Any]) -> Any:
    (output,) = outputs.values()
    return output


def close(result: Any, wanted: Any) -> None:
    assert result.shape == wanted.shape
    assert np.abs(result - wanted).max() <= 1e-4 * np.abs(wanted).max()


class Broken(nna.Hal):
    """Takes everything, then fails where it is told to."""

    fails_in = "build"

    def supports(self, op: nna.Operation) -> bool | str:
        return True

    def build(self, model: nna.Model) -> None:
        if self.fails_in == "build":
            raise RuntimeError("no room left")
        self.outputs = len(model.outputs)

    def run(self, inputs: Any) -> Any:
        if self.fails_in == "run":
            raise RuntimeError("the board is gone")
        return [np.full((2, 5), 0.2, np.float32)] * self.outputs


@pytest.fixture
def broken() -> Iterator[type[Broken]]:
    nna.register("broken_npu", Broken)
    yield Broken
    Broken.fails_in = "build"
    nna.unregister("broken_npu")


@pytest.mark.parametrize("names", DEVICES, ids=",".join)
def test_cxx_and_mobile(names: list[str], tmp_path: Path) -> None:
    config = lite.CxxConfig()
    config.set_model_file(str(MODEL))
    config.set_param_file(str(MODEL.with_suffix(".pdiparams")))
    config.set_valid_places([lite.Place(lite.TargetType.NNAdapter)])
    config.set_nnadapter_device_names(names)
    predictor = lite.create_paddle_predictor(config)
    assert isinstance(predictor, lite.CxxPredictor)
    predictor.save_optimized_model(str(tmp_path / "m"))
    mobile = lite.MobileConfig()
    mobile.set_model_from_file(str(tmp_path / "m.nb"))
    mobile.set_nnadapter_device_names(names)
    for made in (predictor, lite.create_paddle_predictor(mobile)):
        for batch in (2, 1, 2):
            made.get_input(0).from_numpy(X[:batch])
            made.run()
            close(made.get_output(0).numpy(), cpu(X[:batch]))
        report = made.placement()
        assert report.on_device()
        assert {name for info in report.subgraphs for name in info.devices} <= set(names)
        assert all(info.runs == 3 and info.run_ms is not None for info in report.subgraphs)
        assert not [info.fallback for info in report.subgraphs if info.fallback]


def test_every_operator_has_a_place_or_a_reason() -> None:
    report = lite.load(MODEL, devices=["fake_device"]).placement()
    for op in report.operators:
        assert op.is_io or (op.place == "device") == (not op.reason), op
    text = report.table()
    assert "hard_swish" in text
    assert json.loads(report.json())["summary"] == report.summary()
    assert report.dot().startswith("digraph")
    assert report.html().lstrip().lower().startswith("<!doctype html>")


def test_strict_names_what_stays_on_the_cpu() -> None:
    lite.load(MODEL, devices=["builtin_device"], strict=True)
    with pytest.raises(lite.DeviceError, match="hard_swish") as caught:
        lite.load(MODEL, devices=["fake_device"], strict=True)
    assert caught.value.placement.fallbacks()


def test_a_device_that_cannot_compile(broken: type[Broken]) -> None:
    predictor = lite.load(MODEL, devices=["broken_npu", "python"])
    close(only(predictor.run([X])), cpu())
    (info,) = predictor.placement().subgraphs
    assert "no room left" in info.fallback
    assert info.devices == ["python"]
    alone = lite.load(MODEL, devices=["broken_npu"])
    close(only(alone.run([X])), cpu())
    report = alone.placement()
    assert not report.on_device()
    assert all("no room left" in op.reason for op in report.operators if op.subgraph is not None)
    strict = lite.load(MODEL, devices=["broken_npu"], strict=True)
    with pytest.raises(lite.DeviceError, match="no room left") as caught:
        strict.run([X])
    assert caught.value.placement is not None


def test_a_device_that_fails_while_running(broken: type[Broken]) -> None:
    broken.fails_in = "run"
    predictor = lite.load(MODEL, devices=["broken_npu"])
    for _ in range(2):
        with pytest.raises(lite.DeviceError, match="the board is gone"):
            predictor.run([X])
    broken.fails_in = ""
    assert only(predictor.run([X])).shape == (2, 5)


def test_partition_config_and_properties(tmp_path: Path) -> None:
    config = lite.CxxConfig()
    config.set_model_file(str(MODEL))
    config.set_nnadapter_device_names(["builtin_device"])
    config.set_nnadapter_context_properties("BUILTIN_DEVICE_NUM_THREADS=2;")
    config.set_nnadapter_subgraph_partition_config_buffer("softmax\r\n# conv2d\nconv2d::nothing\n")
    with pytest.warns(UserWarning, match="line 3"):
        predictor = lite.create_paddle_predictor(config)
    predictor.get_input(0).from_numpy(X)
    predictor.run()
    close(predictor.get_output(0).numpy(), cpu())
    report = predictor.placement()
    (excluded,) = [op for op in report.operators if op.place == "cpu" and not op.is_io]
    assert excluded.type == "softmax"
    assert "line 1" in excluded.reason
    config.set_nnadapter_context_properties("BUILTIN_DEVICE_NUM_THREADS")
    with pytest.raises(lite.DeviceError, match="BUILTIN_DEVICE_NUM_THREADS"):
        lite.create_paddle_predictor(config)
    config.set_nnadapter_subgraph_partition_config_path(str(tmp_path / "missing"))
    config.set_nnadapter_subgraph_partition_config_buffer("")
    with pytest.raises(lite.ConfigError, match="missing"):
        lite.create_paddle_predictor(config)


@pytest.mark.parametrize("names", [["builtin_device"], ["fake_device"], ["python"]], ids=",".join)
def test_cache(names: list[str], tmp_path: Path) -> None:
    def run(**settings: Any) -> list[Any]:
        predictor = lite.load(MODEL, devices=DeviceOptions(tuple(names), **settings))
        close(only(predictor.run([X])), cpu())
        return [info.cache_hit for info in predictor.placement().subgraphs]

    folder = tmp_path / "cache"
    folder.mkdir()
    assert not any(run(cache_dir=str(folder)))
    assert all(run(cache_dir=str(folder)))
    files = list(folder.glob("*.nnc"))
    assert files
    buffers = {file.stem: file.read_bytes() for file in files}
    assert all(run(cache_buffers=buffers))
    for file in files:
        file.write_bytes(file.read_bytes()[:-5])
    assert not any(run(cache_dir=str(folder)))
    assert all(run(cache_dir=str(folder)))
    # Another property is another program.
    properties = "BUILTIN_DEVICE_NUM_THREADS=2;"
    assert not any(run(cache_dir=str(folder), properties=properties))


def test_dynamic_shapes_share_a_program() -> None:
    shapes = {"x": [[1, 3, 8, 8], [2, 3, 8, 8], [4, 3, 8, 8]]}
    for name in ("builtin_device", "python"):
        predictor = lite.load(MODEL, devices=DeviceOptions((name,), dynamic_shapes=shapes))
        for batch in (1, 2, 1):
            close(only(predictor.run([X[:batch]])), cpu(X[:batch]))
        (report,) = predictor._live().device_reports()
        assert report.programs == 1
    with pytest.raises(lite.ConfigError, match="different numbers of dimensions"):
        lite.load(MODEL, devices=DeviceOptions(("python",), dynamic_shapes={"x": [[1], [1, 2]]}))


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        ({"x": []}, "empty"),
        ({"x": [[1, 3]]}, "2 dimensions, the input has 4"),
        ({"x": [[n, 3, 8, 8] for n in range(1, 10)]}, "at most 8"),
        ({"x": [[0, 3, 8, 8]]}, "a dimension below 1"),
    ],
)
def test_dynamic_shapes_that_cannot_be(shapes: dict[str, list[list[int]]], text: str) -> None:
    with pytest.raises(lite.ConfigError, match=text):
        lite.load(MODEL, devices=DeviceOptions(("python",), dynamic_shapes=shapes)).run([X])


def test_dynamic_shapes_of_a_variable_that_is_not_there() -> None:
    options = DeviceOptions(("python",), dynamic_shapes={"xx": [[1, 3, 8, 8]]})
    with pytest.warns(UserWarning, match="no such variable; did you mean x"):
        predictor = lite.load(MODEL, devices=options)
    assert predictor.placement().warnings


def test_a_cache_that_cannot_be_kept_is_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    options = DeviceOptions(("builtin_device",), cache_dir=str(tmp_path / "file"))
    predictor = lite.load(MODEL, devices=options)
    close(only(predictor.run([X])), cpu())
    (warning,) = predictor.placement().warnings
    assert "cache of subgraph 0" in warning and "cannot" in warning


def test_shapes_beyond_the_candidates_get_a_program_of_their_own() -> None:
    from lite.nnadapter.driver.python.device import NumpyHal

    built: list[list[tuple[int | None, ...]]] = []

    class Strict(NumpyHal):
        """Takes the shapes that it was built for, and no other."""

        def build(self, model: nna.Model) -> None:
            kind = model.inputs[0].type
            self.shapes = list(kind.candidates or [kind.shape])
            built.append(self.shapes)
            super().build(model)

        def run(self, inputs: Any) -> Any:
            if inputs[0].shape not in self.shapes:
                raise nna.InvalidDimensions(f"{inputs[0].shape} is none of {self.shapes}")
            return super().run(inputs)

    nna.register("strict_shapes", Strict)
    try:
        shapes = {"x": [[1, 3, 8, 8], [2, 3, 8, 8]]}
        options = DeviceOptions(("strict_shapes",), dynamic_shapes=shapes)
        predictor = lite.load(MODEL, devices=options)
        for batch in (2, 1, 5, 2, 5, 3):
            x = np.resize(X, (batch, 3, 8, 8))
            close(only(predictor.run([x])), cpu(x))
        assert [len(of) for of in built] == [2, 1, 1]  # the candidates, 5, 3
    finally:
        nna.unregister("strict_shapes")


def test_clones_side_by_side() -> None:
    predictor = lite.load(MODEL, devices=["builtin_device"])
    wanted = cpu()
    failures: list[BaseException] = []

    def work(mine: lite.Predictor) -> None:
        try:
            for batch in (1, 2, 1, 2):
                close(only(mine.run([X[:batch]])), wanted[:batch])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(predictor.clone(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_settings_without_a_device_and_devices_without_work(tmp_path: Path) -> None:
    config = lite.MobileConfig()
    config.set_model_from_buffer(b"")
    config.set_nnadapter_model_cache_dir("d")
    with pytest.raises(lite.ConfigError, match="no device"):
        lite.create_paddle_predictor(config)
    path = Source(model_file=str(MODEL)).save_naive_buffer(str(tmp_path / "cpu.nb"))
    with pytest.warns(UserWarning, match="no subgraph"):
        lite.load(path, devices=["builtin_device"])
    with pytest.raises(lite.DeviceError, match="no subgraph"):
        lite.load(path, devices=["builtin_device"], strict=True)
    with pytest.raises(lite.DeviceError, match="no_such_npu"):
        lite.load(MODEL, devices=["no_such_npu"])
    devices = DeviceOptions(("builtin_device",))
    path = Source(model_file=str(MODEL), devices=devices).save_naive_buffer(str(tmp_path / "d.nb"))
    with pytest.raises(lite.DeviceError, match="set_nnadapter_device_names"):
        lite.load(path)


def test_programs_name_the_cpu_for_no_device(tmp_path: Path) -> None:
    """So do the public demonstrations' command lines, with or without a device beside it."""
    config = lite.CxxConfig()
    config.set_model_file(str(MODEL))
    config.set_param_file(str(MODEL.with_suffix(".pdiparams")))
    config.set_nnadapter_device_names(["cpu"])
    config.set_nnadapter_model_cache_dir(str(tmp_path / "cache"))
    assert config.nnadapter_device_names() == ["cpu"]
    predictor = lite.create_paddle_predictor(config)
    predictor.get_input(0).from_numpy(X)
    predictor.run()
    close(predictor.get_output(0).numpy(), cpu())
    assert not (tmp_path / "cache").exists()
    config.set_nnadapter_device_names(["cpu", "builtin_device"])
    assert config.devices().names == ("builtin_device",)


def test_a_subgraph_that_does_not_give_what_is_fetched() -> None:
    from lite.api.device_check import DeviceCheck
    from lite.core.partition import PartitionRequest, partition
    from lite.model.load import load_program
    from lite.model.naive_buffer import write_nb
    from lite.model.program import Attr, AttrType

    devices = ("builtin_device",)
    program, _ = partition(load_program(MODEL), PartitionRequest(devices, DeviceCheck(devices)))
    (subgraph,) = (op for op in program.root.ops if op.type == "subgraph")
    (wanted,) = subgraph.attr("output_data_names")
    other = next(name for name in subgraph.output_names() if name != wanted)
    subgraph.attrs["output_data_names"] = Attr(AttrType.STRINGS, [other])
    file = io.BytesIO()
    write_nb(program, file)
    with pytest.raises(lite.ModelFormatError, match=f"before anything writes them: '{wanted}'"):
        lite.load(file.getvalue(), devices=["builtin_device"])
