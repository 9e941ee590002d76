"""Models for inputs of given shapes: shape arithmetic is done, numbers stay, mistakes are said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.api.fixed_shapes import fix_shapes
from lite.errors import ConfigError
from lite.model.load import load_program
from lite.model.onnx import export_model
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program
from lite.tools.cli import main

TEXT = """program version 2006002
block 0 parent -1 {
  var feed: feed_minibatch
  var fetch: fetch_list
  var x: lod_tensor fp32[-1,3,-1]
  var s: lod_tensor int32[3]
  var n: lod_tensor int32[1]
  var w: lod_tensor int32[1]
  var thrice: lod_tensor int32[1]
  var rest: lod_tensor int32[1]
  var y: lod_tensor fp32[-1,-1,-1]
  var z: lod_tensor fp32[-1,-1,-1]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [s] = shape(Input: [x]) {}
  Out: [n] = slice(Input: [s]) {axes: ints [0], starts: ints [0], ends: ints [1]}
  Out: [w] = slice(Input: [s]) {axes: ints [0], starts: ints [2], ends: ints [3]}
  Out: [thrice] = scale(X: [w]) {scale: float 3, bias: float 0, bias_after_scale: bool true}
  Out: [rest] = fill_constant() {shape: ints [1], dtype: int 2, value: float -1}
  Out: [y] = reshape2(X: [x], ShapeTensor: [n, thrice, rest]) {shape: ints [-1, -1, -1]}
  Out: [z] = relu(X: [y]) {}
  Out: [fetch] = fetch(X: [z]) {col: int 0}
  Out: [fetch] = fetch(X: [s]) {col: int 1}
}
"""
X = np.random.default_rng(3).standard_normal((2, 3, 4)).astype(np.float32)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_protobuf_dir(parse_program(TEXT), tmp_path / "model")
    return tmp_path / "model"


def test_arithmetic_on_shapes_is_done(model: Path, tmp_path: Path) -> None:
    program = load_program(str(model))
    fixed = fix_shapes(program, {"x": (2, 3, 4)})
    assert [op.type for op in fixed.root.ops] == [
        "feed",
        "shape",
        "reshape2",
        "relu",
        "fetch",
        "fetch",
    ]
    assert fixed.root.vars["z"].shape == (2, 12, 1) and program.root.vars["z"].shape == (-1, -1, -1)
    assert not program.params and sorted(fixed.params) == ["n", "rest", "thrice"]
    write_protobuf_dir(fixed, tmp_path / "fixed")
    wanted, found = (
        list(lite.load(path).run([X]).values()) for path in (model, tmp_path / "fixed")
    )
    for a, b in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(a, b)
    graph = export_model(fixed).graph
    assert [dim.dim_value for dim in graph.output[0].type.tensor_type.shape.dim] == [2, 12, 1]


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({}, "the shape of each input is wanted: x has open ones"),
        ({"y": (1, 3, 4)}, "a shape is given for 'y': inputs are x"),
        ({"x": (1, 4, 4)}, r"the shape of 'x' is \[1, 4, 4\], the input has \[-1, 3, -1\]"),
        ({"x": (1, 3)}, "the input has"),
        ({"x": (0, 3, 4)}, "the input has"),
        ({"x": (-1, 3, 4)}, "the input has"),
    ],
)
def test_what_is_no_shape(model: Path, shapes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        fix_shapes(load_program(str(model)), shapes)


@pytest.mark.parametrize("kind", ["onnx", "nb", "pdmodel"])
def test_convert_takes_shapes(model: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"out.{kind}"
    assert main(["convert", str(model), "--to", kind, "-o", str(out), "--input", "x:2x3x4"]) == 0
    if kind == "onnx":
        assert b"Gather" not in out.read_bytes()
        return
    expected = lite.load(model).run([X])
    path = str(out) if kind == "nb" else str(out.with_suffix(".pdmodel"))
    found = lite.load(path).run([X])
    for a, b in zip(expected.values(), found.values(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_arithmetic_in_floats() -> None:
    """Coordinates of an image's pixels, as its head counts them."""
    text = (
        TEXT[: TEXT.index("  Out: [thrice]")]
        + """
  Out: [f] = cast(X: [w]) {in_dtype: int 2, out_dtype: int 5}
  Out: [zero] = fill_constant() {shape: ints [1], dtype: int 5, value: float 0}
  Out: [one] = fill_constant() {shape: ints [1], dtype: int 5, value: float 1}
  Out: [at] = range(Start: [zero], End: [f], Step: [one]) {}
  Out: [z] = elementwise_add(X: [x], Y: [at]) {axis: int -1}
  Out: [fetch] = fetch(X: [z]) {col: int 0}
}
"""
    )
    declared = "  var at: lod_tensor fp32[-1]\n  var y: "
    fixed = fix_shapes(parse_program(text.replace("  var y: ", declared)), {"x": (2, 3, 4)})
    assert fixed.root.vars["z"].shape == (2, 3, 4)
    np.testing.assert_array_equal(fixed.params["at"], np.arange(4, dtype=np.float32))
    assert [op.type for op in fixed.root.ops] == ["feed", "elementwise_add", "fetch"]
