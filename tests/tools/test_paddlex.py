"""lite paddlex: model folders beside the engines that are here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models

from lite.model.save import write_pdmodel_files
from lite.tools import paddlex
from lite.tools.bench import compare

from .conftest import Command


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "_SECONDS_A_ROUND", 0.001)


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """One model, and a folder that says what its outputs are not."""
    for name in ("dense", "wrong"):
        (tmp_path / "all" / name).mkdir(parents=True)
        write_pdmodel_files(tiny_models.dense(), str(tmp_path / "all" / name / "inference.pdmodel"))
    outputs = {"x": np.ones((2, 4), np.float32), "output0": np.full((2, 3), 7.0)}
    np.savez(tmp_path / "all" / "wrong" / "reference.npz", **outputs)
    return tmp_path / "all"


def test_rows_and_a_page(cli: Command, folders: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    done = cli("paddlex", folders, "--json", "--markdown", tmp_path / "page.md")
    assert done.returncode == 1, done.stderr  # one is wrong
    found = json.loads(done.stdout)
    right, wrong = found["models"]
    assert found["threads"] == 1 and found["date"] and found["cpu"]
    assert right["name"] == "dense" and right["right"].startswith("yes: ")
    assert right["right"].endswith("from onnxruntime")
    assert right["engines"]["lite"]["p50_ms"] > 0
    assert wrong["right"].startswith("no: ") and "from float64" in wrong["right"]
    assert wrong["shape"] == "2x4"
    page = (tmp_path / "page.md").read_text()
    assert "1 of 2 are right" in page and "| dense |" in page


def test_refused(cli: Command, tmp_path: Path) -> None:
    for folder, said in ((tmp_path, "no folder with inference.json"), ("/nowhere", "no such")):
        done = cli("paddlex", folder)
        assert done.returncode == 1 and said in done.stderr
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "inference.json").write_text("{}")
    done = cli("paddlex", tmp_path)
    assert done.returncode == 1 and "no: ModelFormatError" in done.stdout


def test_boxes_in_another_order() -> None:
    boxes = np.random.default_rng(0).random((100, 6), np.float32) * [1, 1, 99, 99, 99, 99]
    turned = boxes[::-1].copy()
    assert compare.relative_difference(boxes, turned) > 0.1
    assert paddlex.boxes_apart(boxes, turned) == 0
    turned[:3] += 50  # the last few are chosen by rounding
    assert paddlex.boxes_apart(boxes, turned) == 0
    turned[:10] += 50
    assert paddlex.boxes_apart(boxes, turned) > 0.01
