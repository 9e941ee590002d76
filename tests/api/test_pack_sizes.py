"""Packed weights of convolutions serve images of any size, whichever they were packed with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from api.tiny_models import Array

import lite
from lite.model.naive_buffer import write_nb_file
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc

CHANNELS = 160  # both of Winograd's tiles occur, by the image's size


def images(size: int) -> Array:
    draw = np.random.default_rng(size)
    return draw.normal(size=(1, CHANNELS, size, size)).astype(np.float32)


@pytest.fixture
def model(tmp_path: Path) -> str:
    program, draw = Program(), np.random.default_rng(0)
    block = program.root
    for name in ("x", "y"):
        block.vars[name] = VarDesc(name, shape=(1, CHANNELS, -1, -1))
    block.vars["w"] = VarDesc("w", shape=(CHANNELS, CHANNELS, 3, 3), persistable=True)
    program.params["w"] = draw.normal(size=(CHANNELS, CHANNELS, 3, 3)).astype(np.float32)
    pads = {"paddings": Attr(AttrType.INTS, [1, 1])}
    block.ops = [
        OpDesc("feed", {}, {"Out": ["x"]}, {"col": Attr(AttrType.INT, 0)}),
        OpDesc("conv2d", {"Input": ["x"], "Filter": ["w"]}, {"Output": ["y"]}, pads),
        OpDesc("fetch", {"X": ["y"]}, {}, {"col": Attr(AttrType.INT, 0)}),
    ]
    path = str(tmp_path / "conv.nb")
    write_nb_file(program, path)
    return path


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
@pytest.mark.parametrize("packed", [4, 64])
def test_sizes(model: str, precision: str, packed: int) -> None:
    sizes = (4, 64, 12)
    expected = {size: lite.load(model).run(images(size))["y"] for size in sizes}
    lite.pack(model, images(packed), precision=precision)
    for first in sizes:
        predictor = lite.load(model, precision=precision)
        for size in (first, *sizes):
            result = predictor.run(images(size))["y"]
            apart = np.abs(result - expected[size]).max() / np.abs(expected[size]).max()
            assert apart < (1e-4 if precision == "fp32" else 2e-2), (first, size)
