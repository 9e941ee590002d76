"""The report of a predictor that ran: all that became of its compilations, and which device."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import lite
import lite.nnadapter as nna
from lite.api.devices import DeviceOptions
from lite.core.partition import Placement
from lite.nnadapter.driver.python.device import NumpyHal

MODEL = Path(__file__).parent.parent / "model" / "data" / "conv.pdmodel"


class Picky(NumpyHal):
    """Does not compile for some batches."""

    refuses: ClassVar[set[int]] = set()
    names_the_batch = False

    def build(self, model: nna.Model) -> None:
        (batch, *_) = model.inputs[0].type.shape
        if batch in self.refuses:
            raise RuntimeError(f"no room for {batch if self.names_the_batch else 'it'}.")
        super().build(model)


@pytest.fixture
def picky() -> Iterator[type[Picky]]:
    nna.register("picky_npu", Picky)
    yield Picky
    Picky.refuses, Picky.names_the_batch = set(), False
    nna.unregister("picky_npu")


def _run(predictor: lite.Predictor, batch: int, times: int = 1) -> None:
    for _ in range(times):
        x = np.random.default_rng(batch).standard_normal((batch, 3, 8, 8)).astype(np.float32)
        (result,) = predictor.run([x]).values()
        (wanted,) = lite.load(MODEL).run([x]).values()
        assert np.abs(result - wanted).max() <= 1e-4 * np.abs(wanted).max()


def test_a_fallback_is_not_forgotten(picky: type[Picky]) -> None:
    picky.refuses = {2, 4}
    predictor = lite.load(MODEL, devices=["picky_npu"])
    for batch, times in ((1, 5), (2, 1), (3, 2), (4, 1), (1, 5)):
        _run(predictor, batch, times)
    report = predictor.placement()
    assert len(report.on_device()) == 9
    (info,) = report.subgraphs
    assert info.devices == ["picky_npu"] and info.fallback == "" and info.programs == 4
    found = [(some.devices, some.compilations, some.runs) for some in info.outcomes]
    assert found == [(["picky_npu"], 2, 12), (["builtin_device"], 2, 2)]
    (failed,) = info.outcomes[1].failed
    assert failed.devices == ["picky_npu"] and "no room for it." in failed.error
    text = report.table()
    assert "\n  2 of 4 programs on picky_npu (12 runs)\n" in text
    assert re.search(r"\n  2 of 4 programs on the CPU \(2 runs\) because: picky_npu: .*room", text)
    assert "warning: subgraph 0 is not always on the same device: 2 of 4 programs on" in text
    data = json.loads(report.json())
    assert Placement.from_dict(data) == report
    assert "no room for it." in data["subgraphs"][0]["outcomes"][1]["failed"][0]["error"]
    assert "no room for it." in report.html()


def test_the_summary_counts_where_the_subgraph_ran_last(picky: type[Picky]) -> None:
    picky.refuses = {2}
    predictor = lite.load(MODEL, devices=["picky_npu"])
    _run(predictor, 1)
    assert not predictor.placement().subgraphs[0].outcome_texts(["picky_npu"])
    _run(predictor, 2)
    report = predictor.placement()
    assert report.summary().startswith("0 of 9 operators on picky_npu")
    assert "no room for it." in report.subgraphs[0].fallback
    assert "1 of 2 programs on picky_npu (1 run)" in report.table()
    _run(predictor, 1)
    report = predictor.placement()
    assert report.summary().startswith("9 of 9 operators on picky_npu")
    assert "1 of 2 programs on the CPU (1 run) because: picky_npu" in report.table()


def test_shapes_that_no_device_takes_leave_the_others_there(picky: type[Picky]) -> None:
    """Neither does builtin_device, so that the CPU's own program runs them, and nothing else."""
    picky.refuses = {2, 4}
    options = DeviceOptions(("picky_npu",), properties="BUILTIN_DEVICE_NUM_THREADS=x;")
    predictor = lite.load(MODEL, devices=options)
    for batch in (1, 2, 1, 3, 4, 2, 1):
        _run(predictor, batch)
    (info,) = predictor.placement().subgraphs
    found = {tuple(some.devices): (some.compilations, some.runs) for some in info.outcomes}
    assert found == {("picky_npu",): (2, 4), ("CPU",): (2, 3)}


def test_what_no_device_and_no_cpu_runs_is_an_error_each_time(picky: type[Picky]) -> None:
    """Its program stays, and the others run."""
    options = DeviceOptions(("picky_npu",), properties="BUILTIN_DEVICE_NUM_THREADS=x;")
    predictor = lite.load(MODEL, devices=options)
    for _ in range(3):
        with pytest.raises(lite.LiteError):
            predictor.run([np.zeros((2, 4, 8, 8), np.float32)])
    _run(predictor, 1)
    assert predictor.placement().subgraphs[0].devices == ["picky_npu"]


def test_outcomes_are_bounded(picky: type[Picky]) -> None:
    picky.refuses, picky.names_the_batch = set(range(2, 40)), True
    predictor = lite.load(MODEL, devices=["picky_npu"])
    for batch in range(1, 23):
        _run(predictor, batch)
    (info,) = predictor.placement().subgraphs
    assert len(info.outcomes) == 16 and info.programs == info.runs == 22
    assert sum(some.compilations for some in info.outcomes) == 22
    assert sum(some.runs for some in info.outcomes) == 22
    assert [some.devices for some in info.outcomes].count(["picky_npu"]) == 1
    info.outcomes.pop()
    assert re.fullmatch(r"1 of 22 programs no longer known \(1 run\)", info.outcome_texts([])[-1])


def test_strict_compilations_that_failed(picky: type[Picky]) -> None:
    picky.refuses = {2}
    predictor = lite.load(MODEL, devices=["picky_npu"], strict=True)
    for _ in range(2):
        with pytest.raises(lite.DeviceError, match="no room for it"):
            _run(predictor, 2)
    _run(predictor, 1)
    report = predictor.placement()
    assert report.summary().startswith("9 of 9 operators on picky_npu")
    assert "2 compilations failed because: picky_npu: " in report.table()
    assert "1 of 1 program on picky_npu (1 run)" in report.table()


def test_several_devices_are_told_apart(picky: type[Picky]) -> None:
    picky.refuses = {2}
    predictor = lite.load(MODEL, devices=["picky_npu", "builtin_device"])
    assert "9 of 9 operators on picky_npu, builtin_device in" in predictor.placement().summary()
    _run(predictor, 2)
    report = predictor.placement()
    wanted = "9 of 9 operators on devices (0 on picky_npu, 9 on builtin_device) in 1 subgraph, 0 on"
    assert report.summary().startswith(wanted)
    text = report.table()
    assert "  on builtin_device: picky_npu, builtin_device: " in text
    assert re.search(r"conv2d#1 .* subgraph 0 on builtin_device\n", text)
    assert "subgraph 0 on builtin_device" in report.dot()
    mixed = lite.load(MODEL, devices=["fake_device", "builtin_device"])
    _run(mixed, 1)
    report = mixed.placement()
    assert "(6 on fake_device, 3 on builtin_device)" in report.summary()
    assert re.search(r"hard_swish#5 .* subgraph 0 on builtin_device\n", report.table())
    assert not [text for text in report.warnings if "always" in text]


def test_run_time_is_counted_once() -> None:
    predictor = lite.load(MODEL, devices=["builtin_device"])
    _run(predictor, 1, times=4)
    (info,) = predictor.placement().subgraphs
    assert predictor._core is not None
    (raw,) = predictor._core.device_reports()
    assert info.run_ms == raw.run_ms
