"""Inputs between the shapes that were compiled: padded to the next one, and the outputs cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npu.test_artifact import CONV, board, built, numbers  # noqa: F401 - fixtures
from npu.test_toolkit import DEVICE, device  # noqa: F401 - a fixture

import lite
from lite.api.devices import DeviceOptions
from lite.errors import ConfigError, DeviceError, ModelFormatError
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program
from lite.tools.cli import main

HEAD = """program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch
  var fetch: fetch_list
"""
RESHAPE = """  Out: [y], XShape: [s] = reshape2(X: [r]) {shape: ints SHAPE}
"""


def model(folder: Path, inputs: dict[str, list[int]], body: str) -> Path:
    """A program of `y` from its inputs."""
    text = HEAD
    for name, shape in inputs.items():
        text += f"  var {name}: lod_tensor fp32{json.dumps(shape)}\n".replace(", ", ",")
    for at, name in enumerate(inputs):
        text += f"  Out: [{name}] = feed(X: [feed]) {{col: int {at}}}\n"
    text += body + "  Out: [fetch] = fetch(X: [y]) {col: int 0}\n}\n"
    write_protobuf_dir(parse_program(text), folder)
    return folder


def padded(path: Path, shapes: dict[str, Any], axes: dict[str, list[int]]) -> lite.Predictor:
    options = DeviceOptions((DEVICE,), dynamic_shapes=shapes, padded_axes=axes, strict=True)
    return lite.load(path, devices=options)


def same(predictor: lite.Predictor, path: Path, *shapes: Sequence[int]) -> Any:
    """How its only subgraph ran, with the numbers of the CPU."""
    arrays = [numbers(*shape) for shape in shapes]
    (found,), (expected,) = predictor.run(arrays).values(), lite.load(path).run(arrays).values()
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    (info,) = predictor.placement().subgraphs
    assert info.devices == [DEVICE]
    return info


def test_batches(built: Path) -> None:  # noqa: F811
    """Two programs for all."""
    predictor = padded(CONV, {"x": [[2, 3, 8, 8], [4, 3, 8, 8]]}, {"x": [0]})
    for run, (batch, padding) in enumerate([(2, 0), (1, 0.5), (3, 0.25), (4, 0.25), (1, 0.5)]):
        info = same(predictor, CONV, (batch, 3, 8, 8))
        assert (info.padded_runs, info.padding) == ((0, 1, 2, 2, 3)[run], padding)
    assert info.programs == 2
    assert "3 runs of inputs that were padded; of the latest 50% are zeros" in str(
        predictor.placement()
    )


def test_widths(tmp_path: Path) -> None:
    """Of images, from several outputs' axes that follow from one."""
    attributes = {
        "pooling_type": 'string "max"', "ksize": "ints [2, 2]", "strides": "ints [2, 2]",
        "paddings": "ints [0, 0]", "ceil_mode": "bool false", "adaptive": "bool false",
        "global_pooling": "bool false",
    }  # fmt: skip
    listed = ", ".join(f"{name}: {value}" for name, value in attributes.items())
    pool = f"  Out: [r] = relu(X: [x])\n  Out: [y] = pool2d(X: [r]) {{{listed}}}\n"
    path = model(tmp_path / "m", {"x": [-1, 2, 8, -1]}, pool)
    predictor = padded(path, {"x": [[1, 2, 8, 16], [1, 2, 8, 32]]}, {"x": [3]})
    for width in (10, 16, 17, 32, 3):
        info = same(predictor, path, (1, 2, 8, width))
    assert info.programs == 2 and info.padded_runs == 3
    assert same(predictor, path, (2, 2, 8, 10)).programs == 3  # another batch: compiled for itself


def test_several_inputs(tmp_path: Path) -> None:
    """Of one batch; one that is not declared stays as it is."""
    add = """  Out: [a] = elementwise_add(X: [x], Y: [z]) {axis: int -1}
  Out: [y] = elementwise_add(X: [a], Y: [w]) {axis: int -1}
"""
    path = model(tmp_path / "m", {"x": [-1, 4], "z": [-1, 4], "w": [4]}, add)
    shapes = {"x": [[2, 4], [8, 4]], "z": [[2, 4], [8, 4]]}
    predictor = padded(path, shapes, {"x": [0], "z": [0]})
    for batch in (1, 5, 8):
        info = same(predictor, path, (batch, 4), (batch, 4), (4,))
    assert info.padded_runs == 2 and info.programs == 2


@pytest.mark.parametrize(
    ("shape", "axes"),
    [("[1, -1, 1]", [3]), ("[1, -1, 1]", [2, 3]), ("[2, 3, -1]", [2, 3])],
    ids=["others", "both", "two"],
)
def test_axes_that_were_merged_are_not_cut(tmp_path: Path, shape: str, axes: list[int]) -> None:
    """Their padding is not at the end: each shape is compiled."""
    body = "  Out: [r] = relu(X: [x])\n" + RESHAPE.replace("SHAPE", shape)
    path = model(tmp_path / "m", {"x": [2, 3, -1, -1]}, body)
    predictor = padded(path, {"x": [[2, 3, 8, 8]]}, {"x": axes})
    info = same(predictor, path, (2, 3, 8 if axes == [3] else 6, 6))
    assert info.padded_runs == 0


def test_what_is_declared_is_checked() -> None:
    with pytest.raises(ConfigError, match=r"padded axes \[4\] of 'x': expected axes of its shapes"):
        padded(CONV, {"x": [[2, 3, 8, 8]]}, {"x": [4]})
    with pytest.raises(ConfigError, match=r"padded axes \[0\] of 'image'"):
        padded(CONV, {"x": [[2, 3, 8, 8]]}, {"image": [0]})


def test_build_with_padding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", str(CONV), "--device", DEVICE, "--shape=2x3x8x8", "--shape=4x3x8x8"]
    assert main([*words, "--pad", "x:0", "-o", str(tmp_path / "made")]) == 0
    assert "padded: from the CPU without padding" in capsys.readouterr().out
    said = json.loads((tmp_path / "made" / "manifest.json").read_text())
    assert said["padded_axes"] == {"x": [0]} and said["padded_difference"] < 1e-5
    predictor = lite.load(tmp_path / "made", strict=True)
    for batch in (1, 2, 3):
        info = same(predictor, CONV, (batch, 3, 8, 8))
        assert info.cache_hit
    assert info.padded_runs == 2
    assert main([*words, "--pad", "x", "-o", str(tmp_path / "other")]) == 1
    assert "--pad x is no NAME:AXIS" in capsys.readouterr().err


def test_build_where_padding_is_not_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "  Out: [r] = relu(X: [x])\n" + RESHAPE.replace("SHAPE", "[1, -1]")
    path = model(tmp_path / "m", {"x": [1, 3, -1, -1]}, body)
    words = ["build", str(path), "--device", DEVICE, "--shape=1x3x8x8", "--pad", "x:3"]
    assert main([*words, "-o", str(tmp_path / "made")]) == 1
    assert "lite build without --pad" in capsys.readouterr().err


def test_a_built_folder_is_a_model(board: Path) -> None:  # noqa: F811
    """With the devices and properties of its manifest."""
    predictor = lite.load(board)
    info = same(predictor, CONV, (1, 3, 8, 8))
    assert info.cache_hit
    with pytest.raises(DeviceError, match="lite build names the shapes"):
        lite.load(str(board), strict=True).run([numbers(3, 3, 8, 8)])
    assert main(["run", str(board), "--input", "2x3x8x8"]) == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"padded_axes": 1, "devices": []}', "[" * 10**5])
def test_a_manifest_that_is_none(board: Path, text: str) -> None:  # noqa: F811
    (board / "manifest.json").write_text(text)
    with pytest.raises(ModelFormatError, match=r"manifest.json is not what lite build wrote"):
        lite.load(board)
