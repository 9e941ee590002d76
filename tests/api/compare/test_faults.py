"""Faults of fake_device, switched on one by one: compare shows them, bisect finds them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, log2
from pathlib import Path

import pytest
from api.compare import models

from lite.api.compare import Settings, bisect, compare
from lite.api.compare.child import PARALLEL, Runner

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Case:
    """A fault on a model; ``found`` are bisect's culprits, ``run`` when the model goes wrong."""

    fault: str
    model: str
    found: tuple[str, ...]
    run: str = "first run"
    limit: float = 30.0

    def __str__(self) -> str:
        return f"{self.model}-{self.fault or 'none'}"


CASES = [
    Case("", "residual", ()),
    Case("", "widening", ()),
    Case("numbers@convolution", "residual", ("conv2d#1", "conv2d#3", "conv2d#7")),
    Case("numbers@fully_connected/17", "widening", ("matmul_v2#25",)),
    Case("element@add/8", "residual", ("elementwise_add#4",)),
    Case("nan@convolution/12", "residual", ("conv2d#7",)),
    Case("nan@softmax", "widening", ("softmax#49",)),
    Case("clip@average_pool", "residual", ("pool2d#6",)),
    Case("shape@softmax", "residual", ("softmax#12",), ""),
    Case("shape@average_pool", "residual", ("pool2d#6",), ""),
    Case("layout@convolution/8", "residual", ("conv2d#1", "conv2d#3")),
    Case("layout@average_pool", "residual", ("pool2d#6",)),
    Case("random@fully_connected/20", "widening", ("matmul_v2#31",)),
    Case("error@add/8", "residual", ("elementwise_add#4",), ""),
    Case("crash@convolution/12", "residual", ("conv2d#7",), ""),
    Case("crash@softmax", "widening", ("softmax#49",), ""),
    Case("hang@average_pool", "residual", ("pool2d#6",), "", 1.0),
    Case("second_run@fully_connected", "residual", ("matmul_v2#10",), "second run"),
    Case("second_run@convolution/12", "residual", ("conv2d#7",), "second run"),
    Case("stale_result@average_pool", "residual", ("pool2d#6",), "other numbers"),
    Case("later_shape@softmax", "residual", ("softmax#12",), "another batch"),
    Case("later_shape@fully_connected/9", "widening", ("matmul_v2#9",), "another batch"),
    Case("inputs@convolution", "twins", ("conv2d#1", "conv2d#3")),
    Case("weights@convolution", "twins", ("conv2d#1 + conv2d#3",)),
    Case("fold@relu", "residual", ("elementwise_add#4 + relu#5",)),
    Case("fold@convolution", "residual", ("conv2d#1 + relu6#2", "conv2d#7 + relu#8")),
    Case("cache@convolution", "twins", ("conv2d#1", "conv2d#3"), "restored from the cache"),
    Case("cache@fully_connected", "residual", ("matmul_v2#10",), "restored from the cache"),
    Case("build_error@average_pool", "residual", ("pool2d#6",), ""),
    Case("build_crash@average_pool", "residual", ("pool2d#6",), ""),
    Case("build_hang@softmax", "residual", ("softmax#12",), "", 1.0),
]


def _settings(case: Case) -> Settings:
    fault = f"FAKE_DEVICE_FAULT={case.fault};" if case.fault else ""
    return Settings(
        ("fake_device",), [models.inputs(case.model)], properties=fault, time_limit=case.limit
    )


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_fault(case: Case, runner: Runner, folder: Path, tmp_path: Path) -> None:
    path, settings = str(models.written(case.model, folder)), _settings(case)
    with ThreadPoolExecutor(PARALLEL) as pool:
        comparison = pool.submit(compare, path, settings, runner=runner)
        found = bisect(path, settings, folder=str(tmp_path), runner=runner)
        shown = comparison.result()
    assert found.ok == shown.ok == (not case.found), shown.table() + found.table()
    assert [culprit.label for culprit in found.culprits] == list(case.found), found.table()
    singles = [label for label in case.found if "+" not in label]
    assert [op.place.label for op in shown.wrong()] == singles, shown.table()
    if not case.found:
        return
    assert found.verified and all(culprit.reproduced for culprit in found.culprits)
    assert found.run == case.run and shown.whole.run == case.run, found.table()
    assert found.remaining == found.operators - len(found.culprits)
    if len(case.found) == 1:
        assert found.compilations <= ceil(log2(found.operators)) + 2, found.table()
    for culprit in found.culprits:
        assert Path(culprit.folder, "reproduce.py").exists()
    assert any(op.entire is not None and op.entire.wrong for op in shown.operators) or (
        case.fault.startswith("inputs")
    )
