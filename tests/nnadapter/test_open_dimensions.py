"""Dimensions that a program leaves open are known when a subgraph is compiled: devices that need
them get their subgraphs nevertheless."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import lite
import lite.nnadapter as nna
from lite.api.build import save_protobuf
from lite.api.devices import DeviceOptions
from lite.model.load import load_program
from lite.nnadapter.driver.python.device import NumpyHal

CONV = Path(__file__).parent.parent / "model" / "data" / "conv.pdmodel"


class Static(NumpyHal):
    """Takes nothing whose shape it does not know, and no hard_swish."""

    asked: ClassVar[set[int]] = set()
    most = 1000

    def supports(self, op: nna.Operation) -> bool | str:
        if op.type == "HARD_SWISH":
            return "no HARD_SWISH"
        for operand in (*op.operands, *op.outputs):
            if operand is None:
                continue
            if None in operand.shape:
                return f"{operand} has no size"
            if len(operand.shape) == 4:
                height = operand.shape[2] or 0
                self.asked.add(height)
                if height > self.most:
                    return f"{operand} is too high"
        return super().supports(op)


@pytest.fixture
def static() -> Iterator[type[Static]]:
    nna.register("static_npu", Static)
    yield Static
    Static.most = 1000
    Static.asked.clear()
    nna.unregister("static_npu")


@pytest.fixture
def model(tmp_path: Path) -> str:
    """conv.pdmodel for pictures of any number and size."""
    program = load_program(model_file=str(CONV))
    open_ended = replace(program.root.vars["x"], shape=(-1, 3, -1, -1))
    program.root.vars["x"] = open_ended
    return save_protobuf(program, str(tmp_path / "model"))


def _check(predictor: lite.Predictor, model: str) -> None:
    cpu = lite.load(model)
    rng = np.random.default_rng(1)
    for shape in ((2, 3, 8, 8), (1, 3, 12, 10), (2, 3, 8, 8)):
        x = rng.standard_normal(shape).astype(np.float32)
        (result,), (expected,) = predictor.run([x]).values(), cpu.run([x]).values()
        assert np.abs(result - expected).max() <= 1e-4 * np.abs(expected).max()


def test_open_dimensions_cost_no_subgraph(static: type[Static], model: str) -> None:
    """Not behind an operator of the CPU either, whose shapes follow from the inputs'."""
    predictor = lite.load(model, devices="static_npu")
    report = predictor.placement()
    assert {op.type for op in report.operators if op.place == "cpu" and not op.is_io} == {
        "hard_swish"
    }
    assert len(report.subgraphs) == 2 and len(static.asked) > 2
    _check(predictor, model)
    assert all(info.devices == ["static_npu"] for info in predictor.placement().subgraphs)


def test_what_is_taken_at_some_shapes_only_is_said(static: type[Static], model: str) -> None:
    static.most = 330
    predictor = lite.load(model, devices="static_npu")
    (place,) = (op for op in predictor.placement().operators if op.type == "conv2d")
    assert place.place == "cpu" and "at some shapes only: give the inputs' shapes" in place.reason
    _check(predictor, model)
    given = DeviceOptions(("static_npu",), dynamic_shapes={"x": [[2, 3, 8, 8]]})
    operators = lite.load(model, devices=given).placement().operators
    (place,) = (op for op in operators if op.type == "conv2d")
    assert place.place == "device"
