"""lite quantize: the fewest layers in floats that reach an accuracy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from npu.fake_tool import NOISE
from npu.test_artifact import CONV, OnBoard
from npu.test_toolkit import DEVICE, Fake, device  # noqa: F401 - a fixture

import lite
import lite.nnadapter as nna
from lite.api.devices import DeviceOptions
from lite.api.quantize.metrics import METRICS
from lite.api.quantize.search import Block, blocks_by_loss, fewest
from lite.errors import ConfigError, DeviceError
from lite.tools.cli import main


class WithInt8(Fake):
    """The fake device, with a quantiser."""

    keys = (f"{DEVICE.upper()}_CHIP", f"{DEVICE.upper()}_PRECISION")


@pytest.fixture(autouse=True)
def with_int8(device: None) -> None:  # noqa: F811
    nna.register(DEVICE, WithInt8)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(40):
        x = np.random.default_rng(number).standard_normal((1, 3, 8, 8), np.float32)
        np.save(folder / f"{number}.npy", x)
    return folder


def quantized(data: Path, folder: Path, *more: str) -> int:
    words = ["quantize", str(CONV), "--device", DEVICE, "--data", str(data), "-o", str(folder)]
    return main([*words, *more])


def test_the_worst_layers_stay_in_floats(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert quantized(data, tmp_path / "out") == 0
    said = json.loads((tmp_path / "out" / "manifest.json").read_text())
    made = said["quantization"]
    assert made["kept"] == ["layer3"] and made["layers"] == len(NOISE)
    assert made["in_int8"] < 0.999 <= made["found"] < made["in_floats"] <= 1
    assert made["samples"] == 40
    assert "int8: 11 of 12 layers" in capsys.readouterr().out
    assert said["properties"].endswith("_PRECISION=int8;")
    x = np.load(data / "0.npy")
    (found,), (expected,) = (
        lite.load(model).run([x]).values() for model in (tmp_path / "out", CONV)
    )
    errors = np.abs(found - expected)
    assert 0.0039 < errors.max() < 0.0041


def test_a_higher_wish_keeps_more(data: Path, tmp_path: Path) -> None:
    assert quantized(data, tmp_path / "out", "--at-least", "0.999999") == 0
    made = json.loads((tmp_path / "out" / "manifest.json").read_text())["quantization"]
    assert made["kept"] == ["layer3", "layer8"]


def test_int8_alone_where_that_is_enough(data: Path, tmp_path: Path) -> None:
    assert quantized(data, tmp_path / "out", "--at-least", "0.5") == 0
    made = json.loads((tmp_path / "out" / "manifest.json").read_text())["quantization"]
    assert made["kept"] == [] and made["found"] == made["in_int8"]


@pytest.fixture
def board(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine without the toolkit, and what was compiled for it."""
    assert quantized(data, tmp_path / "out") == 0
    monkeypatch.delenv("FAKE_NPU_PYTHON")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    nna.register(DEVICE, type("Int8OnBoard", (OnBoard,), {"keys": WithInt8.keys}))
    yield tmp_path / "out"


def test_a_board_runs_it(board: Path) -> None:
    predictor = lite.load(board, strict=True)
    predictor.run([np.zeros((1, 3, 8, 8), np.float32)])
    assert predictor.placement().subgraphs[0].devices == [DEVICE]


def test_int8_without_data(data: Path) -> None:
    options = DeviceOptions((DEVICE,), f"{DEVICE.upper()}_PRECISION=int8;", strict=True)
    with pytest.raises(DeviceError, match="lite quantize"):
        lite.load(CONV, devices=options).run([np.load(data / "0.npy")])
    with pytest.raises(DeviceError, match="int4"):
        wrong = DeviceOptions((DEVICE,), f"{DEVICE.upper()}_PRECISION=int4;", strict=True)
        lite.load(CONV, devices=wrong).run([np.load(data / "0.npy")])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--metric", "text"], r"\[lines, steps, classes\]"),
        (["--at-least", "2"], "share from 0 to 1"),
        (["--data", "/nowhere"], "is no folder"),
        (["--shape", "x:2x3x8x8"], "1x3x8x8"),
    ],
)
def test_what_is_wrong_is_said(
    words: list[str], said: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert quantized(data, tmp_path / "out", *words) == 1
    assert re.search(said, capsys.readouterr().err)
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_device_without_int8(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nna.register(DEVICE, Fake)
    assert quantized(data, tmp_path / "out") == 1
    assert "has no int8" in capsys.readouterr().err


class IntegersOnly(WithInt8):
    """Floats are computed for another chip."""

    def float_arguments(self) -> dict[str, str]:
        return {"chip": "with floats"}

    def arguments(self) -> dict[str, str]:
        return {"chip": "whole"}


def test_a_chip_without_floats(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nna.register(DEVICE, IntegersOnly)
    assert quantized(data, tmp_path / "out", "--at-least", "0.5") == 0
    assert "int8: 12 of 12 layers" in capsys.readouterr().out
    assert lite.load(tmp_path / "out", strict=True).run([np.load(data / "0.npy")])
    assert quantized(data, tmp_path / "more") == 1
    assert "no layer can stay in floats, and int8 reaches 0.8" in capsys.readouterr().err
    words = ["--device", DEVICE, "--shape", "1x3x8x8", "-o", str(tmp_path / "floats")]
    assert main(["build", str(CONV), *words]) == 1
    said = capsys.readouterr().err
    assert (
        "the chip knows integers only: lite quantize" in said and "the chip has no floats" in said
    )


def test_what_the_quantiser_refuses(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(data / "0.npy", np.full((1, 3, 8, 8), 15, np.float32))
    assert quantized(data, tmp_path / "out") == 1
    assert "nothing of the model can be int8: numpy: cannot find ranges" in capsys.readouterr().err


def test_padded_lines(data: Path, tmp_path: Path) -> None:
    """Ranges are found of what programs really see."""
    for number in range(8):
        np.save(data / f"{number}.npy", np.ones((1, 3, 8, 5 + number % 3), np.float32))
    words = ["--shape", "x:1x3x8x8", "--pad", "x:3", "--metric", "cosine", "--at-least", "0.5"]
    assert quantized(data, tmp_path / "out", *words) == 0


def test_many_shapes_are_not_compiled_unasked(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(9):
        np.save(data / f"{number}.npy", np.ones((1, 3, 8, 9 + number), np.float32))
    assert quantized(data, tmp_path / "out") == 1
    assert "10 shapes" in capsys.readouterr().err


LOSSES = {
    number: 1.0 if number in (5, 23) else 0.3 if number == 24 else 1e-4 for number in range(40)
}


@pytest.mark.parametrize(("limit", "kept"), [(1.0, [5, 23]), (0.2, [5, 23, 24]), (2.0, None)])
def test_the_search(limit: float, kept: list[int] | None) -> None:
    def loss(layers: Sequence[int]) -> float:
        return sum(LOSSES[layer] for layer in layers)

    blocks = blocks_by_loss(list(range(40)), loss, 60)
    assert sorted(layer for block in blocks for layer in block.layers) == list(range(40))
    blocks.sort(key=lambda block: block.cost, reverse=True)

    def good(some: Sequence[Block[int]]) -> bool:
        floats = {layer for block in some for layer in block.layers}
        return loss([layer for layer in LOSSES if layer not in floats]) <= limit

    found = fewest(blocks, good, 40)
    assert found is not None
    layers = sorted(layer for block in found for layer in block.layers)
    assert layers == (kept if kept is not None else layers[:1])
    assert fewest(blocks, lambda some: False, 40) is None


def line(*classes: int) -> dict[str, np.ndarray]:
    return {"y": np.eye(5, dtype=np.float32)[list(classes)][None]}


def test_the_metrics() -> None:
    text = METRICS["text"]
    wanted = line(1, 1, 0, 1, 2, 0)  # "112"
    assert text.weight(wanted) == 3
    for found, edits in ((line(0, 1, 0, 1, 2, 2), 0), (line(1, 1, 1, 1, 2, 0), 1), (line(0, 0), 3)):
        assert text.lost(found, wanted) == edits
    assert text.lost(line(1, 2, 3, 4, 1, 2), line(0, 0, 0, 0, 0, 0)) == 6
    assert METRICS["top1"].lost(line(1, 2, 3), line(1, 2, 0)) == 1
    a, b = np.float32([1, 0]), np.float32([1, 1])
    cosine = METRICS["cosine"]
    assert cosine.lost({"y": a, "z": b}, {"y": b, "z": b}) == pytest.approx(1 - 0.5**0.5)
    assert cosine.lost({"y": a * 0}, {"y": a * 0}) == 0 and cosine.lost({"y": a}, {"y": a * 0}) == 1
    assert cosine.lost({"y": a * np.nan}, {"y": b}) == 1
    with pytest.raises(ConfigError):
        text.weight({"y": a})


def test_programs_without_samples(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--shape", "x:1x3x8x8", "--shape", "x:2x3x8x8"]
    assert quantized(data, tmp_path / "out", *words) == 1
    assert "no sample is run by the program for x:2x3x8x8" in capsys.readouterr().err
