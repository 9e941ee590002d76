"""docs/generated/whole_models.md says what a run finds; what the lists let compiles whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from probes import build
from whole_models import DEVICES, PAGE, REAL, STRICT, Tally, real, small, tally

WHOLE = {"huawei_ascend_npu", "verisilicon_timvx", "intel_openvino"}
"""The devices whose lists hold every operator of PP-OCR and of small classifiers."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole")
    build(path, STRICT, "strict.cc")
    return path


@pytest.fixture(autouse=True)
def strict(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NNADAPTER_DEVICE_PATH", str(folder))


def on_page(model: str) -> list[str]:
    """A model's cells."""
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    (row,) = [row for row in rows if row[0] == f"| {model.removesuffix('_infer')}"]
    return [*row[1:-1], row[-1].removesuffix(" |")]


@pytest.mark.parametrize(
    "name", ["tiny_cnn", "residual", "lc_net", "shuffle_net", "ptq_convolutions"]
)
def test_small_models(name: str, folder: Path) -> None:
    (path,) = small([name], folder)
    found = [tally(path, device) for device in DEVICES]
    assert [one.text() for one in found] == on_page(name)
    for device, one in zip(DEVICES, found, strict=True):
        assert device not in WHOLE or one.text() == "whole"
    assert not found[0].unknown


@pytest.mark.models
@pytest.mark.parametrize("name", REAL)
def test_real_models(name: str) -> None:
    if not os.environ.get("LITE_TEST_MODELS"):
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    (path,) = real([name])
    found: dict[str, Tally] = {device: tally(path, device) for device in DEVICES}
    assert [one.text() for one in found.values()] == on_page(name)
    for device, one in found.items():
        assert one.subgraphs <= one.upstream_subgraphs
        assert device not in WHOLE or one.text().startswith("whole")
