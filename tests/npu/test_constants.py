"""Outputs of a subgraph that follow from shapes alone: no device computes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from npu.test_padding import HEAD
from npu.test_toolkit import DEVICE, Fake, device  # noqa: F401 - a fixture

import lite
import lite.nnadapter as nna
from lite.api.devices import DeviceOptions
from lite.core.partition import PartitionOptions
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program
from lite.nnadapter.driver.compiled import Limits
from lite.nnadapter.model import Model

TEXT = """  var x: lod_tensor fp32[-1,3,-1]
  Out: [x] = feed(X: [feed]) {col: int 0}
  Out: [r] = relu(X: [x])
  Out: [s] = shape(Input: [r]) {}
  Out: [w] = slice(Input: [s]) {axes: ints [0], starts: ints [2], ends: ints [3]}
  Out: [y] = abs(X: [r])
  Out: [fetch] = fetch(X: [y]) {col: int 0}
  Out: [fetch] = fetch(X: [w]) {col: int 1}
}
"""


@pytest.mark.parametrize("open_sizes", [False, True])
def test_they_are_computed_beside_it(
    open_sizes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each shape its own; a program of open sizes has them as outputs."""
    write_protobuf_dir(parse_program(HEAD + TEXT), tmp_path / "m")
    outputs: list[int] = []

    class Counting(Fake):
        limits = Limits(frozenset({"float32", "int32", "int64"}))

        def build(self, model: Model) -> None:
            super().build(model)
            outputs.append(len(model.outputs))

    nna.register(DEVICE, Counting)
    name = "builtin_device" if open_sizes else DEVICE
    options = DeviceOptions(
        (name,),
        dynamic_shapes={"x": [[1, 3, 4], [2, 3, 5]]},
        options=PartitionOptions(shape_arithmetic=True),
        strict=True,
    )
    predictor = lite.load(tmp_path / "m", devices=options)
    for shape in ((1, 3, 4), (2, 3, 5), (1, 3, 4)):
        x = np.random.default_rng(0).standard_normal(shape, np.float32)
        y, w = predictor.run([x]).values()
        np.testing.assert_array_equal(y, np.maximum(x, 0))
        np.testing.assert_array_equal(w, np.int32([shape[2]]))
    (info,) = predictor.placement().subgraphs
    assert len(info.operators) >= 4 and info.devices == [name]
    assert outputs == ([] if open_sizes else [1, 1])


def test_where_nothing_else_is_left(tmp_path: Path) -> None:
    """A subgraph of shape arithmetic runs, wherever that is."""
    body = TEXT.replace("  Out: [fetch] = fetch(X: [y]) {col: int 0}\n", "").replace(
        "col: int 1", "col: int 0"
    )
    write_protobuf_dir(parse_program(HEAD + body), tmp_path / "m")
    options = DeviceOptions((DEVICE,), options=PartitionOptions(shape_arithmetic=True))
    predictor = lite.load(tmp_path / "m", devices=options)
    for size in (4, 7):
        (w,) = predictor.run([np.zeros((1, 3, size), np.float32)]).values()
        np.testing.assert_array_equal(w, np.int32([size]))
