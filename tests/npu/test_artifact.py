"""lite build: what is compiled here runs on a board that has no compiler."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from npu.test_toolkit import DEVICE, Fake, device  # noqa: F401 - a fixture

import lite
import lite.nnadapter as nna
from lite.api.artifact import build_artifact
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.errors import ConfigError, DeviceError
from lite.nnadapter.driver.compiled.toolkit_hal import Board, OutputTypes
from lite.tools.cli import main

CONV = Path(__file__).parents[1] / "model" / "data" / "conv.pdmodel"
SHAPES = ((1, 3, 8, 8), (2, 3, 8, 8))
Array = np.ndarray[Any, np.dtype[Any]]


class _OnBoard:
    """ONNX Runtime, in the place of a board's."""

    def __init__(self, binary: bytes, outputs: OutputTypes) -> None:
        model = binary.partition(b"\n")[2]
        self.session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
        self.outputs = outputs

    def __call__(self, inputs: Sequence[Array]) -> list[Array]:
        found = list(self.session.run(None, {f"input{i}": a for i, a in enumerate(inputs)}))
        assert [(a.dtype, a.shape) for a in found] == self.outputs
        return found


class OnBoard(Fake):
    keys = (f"{DEVICE.upper()}_CHIP",)

    def arguments(self) -> dict[str, str]:
        return {"chip": self.properties.get(self.keys[0], self.chip)}

    def board(self) -> Board | None:
        return _OnBoard


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Made by the command."""
    folder = tmp_path / "built"
    shapes = [f"--shape=x:{'x'.join(map(str, shape))}" for shape in SHAPES]
    assert (
        main(["build", str(CONV), "--device", DEVICE, *shapes, "--optimize_out", str(folder)]) == 0
    )
    return folder


@pytest.fixture
def board(built: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine without the toolkit."""
    monkeypatch.delenv("FAKE_NPU_PYTHON")
    monkeypatch.setenv("XDG_DATA_HOME", str(built))
    nna.register(DEVICE, OnBoard)
    yield built


def loaded(folder: Path, **more: Any) -> lite.Predictor:
    options = DeviceOptions((DEVICE,), cache_dir=str(folder), **more)
    return lite.load(folder / "model.nb", devices=options)


def numbers(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


def test_the_manifest(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = json.loads((built / "manifest.json").read_text())
    assert said["devices"] == [DEVICE] and said["subgraphs"] == 1
    assert said["on_devices"] == said["operators"] > 0
    assert [some["shapes"]["x"] for some in said["compiled"]] == [*map(list, SHAPES)]
    for some in said["compiled"]:
        assert len(some["files"]) == 1 and some["difference"] < 1e-5
    files = {path.name for path in built.iterdir()} - {"manifest.json"}
    assert said["sha256"].keys() == files and len(files) == 3
    for name, digest in said["sha256"].items():
        assert hashlib.sha256((built / name).read_bytes()).hexdigest() == digest


def test_a_board_runs_what_was_compiled(board: Path) -> None:
    predictor = loaded(board, strict=True)
    for shape in SHAPES:
        x = numbers(*shape)
        (found,), (expected,) = predictor.run([x]).values(), lite.load(CONV).run([x]).values()
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
        info = predictor.placement().subgraphs[0]
        assert info.devices == [DEVICE] and info.cache_hit


def test_mobile_config_runs_it_too(board: Path) -> None:
    config = lite.MobileConfig()
    config.set_model_from_file(str(board / "model.nb"))
    config.set_nnadapter_device_names([DEVICE])
    config.set_nnadapter_model_cache_dir(str(board))
    predictor = lite.create_paddle_predictor(config)
    x = numbers(*SHAPES[1])
    predictor.get_input(0).from_numpy(x)
    predictor.run()
    (expected,) = lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(predictor.get_output(0).numpy(), expected, rtol=0, atol=1e-5)


def test_a_shape_that_was_not_compiled_runs_on_the_cpu(board: Path) -> None:
    predictor, x = loaded(board), numbers(3, 3, 8, 8)
    (found,), (expected,) = predictor.run([x]).values(), lite.load(CONV).run([x]).values()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    info = predictor.placement().subgraphs[0]
    assert "a board compiles nothing: lite build names the shapes" in info.fallback
    predictor.run([numbers(*SHAPES[0])])
    assert predictor.placement().subgraphs[0].devices == [DEVICE]
    with pytest.raises(DeviceError, match="lite build names the shapes"):
        loaded(board, strict=True).run([x])


def test_another_chip_s_programs_do_not_run(board: Path) -> None:
    for path in board.glob("*.nnc"):
        path.write_bytes(path.read_bytes().replace(b"chip x1", b"chip x9"))
    with pytest.raises(DeviceError, match="a board compiles nothing"):
        loaded(board, strict=True).run([numbers(*SHAPES[0])])


def test_what_cannot_be_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    words = ["build", str(CONV), "--device", DEVICE, "--shape=1x3x8x8", "-o"]
    assert main([*words, str(tmp_path / "full")]) == 1
    assert "full is not empty: an artifact is a folder of its own" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "a"), "--property", "CHIP"]) == 1
    assert "--property CHIP is no KEY=VALUE" in capsys.readouterr().err
    source = Source(model_file=str(CONV), devices=DeviceOptions((DEVICE,)))
    with pytest.raises(ConfigError, match="a set of inputs at least"):
        build_artifact(source, [], tmp_path / "b")


def test_a_device_that_does_not_restore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "load", lambda self, data: self.unstamped(b"nothing"))
    source = Source(model_file=str(CONV), devices=DeviceOptions((DEVICE,)))
    with pytest.raises(DeviceError, match="it was compiled with nothing, this is numpy"):
        build_artifact(source, [{"x": (numbers(*SHAPES[0]), [])}], tmp_path / "c")
    assert not any((tmp_path / "c").iterdir())  # nothing half made


def test_a_property_s_prefix_may_be_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OnBoard, "board", lambda self: None)
    nna.register(DEVICE, OnBoard)
    words = ["build", str(CONV), "--device", DEVICE, "--shape=1x3x8x8", "--property", "CHIP=x5"]
    assert main([*words, "-o", str(tmp_path / "made")]) == 0
    assert "the properties 'FAKE_NPU_CHIP=x5;'" in capsys.readouterr().out
    (program,) = (tmp_path / "made").glob("*.nnc")
    assert b"chip x5" in program.read_bytes()
