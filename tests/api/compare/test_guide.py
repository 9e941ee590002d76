"""docs/debugging_devices.md: its example runs, and its faults are those that fake_device has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from api.compare import models

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "debugging_devices.md").read_text()
FAULTS = (ROOT / "lite" / "nnadapter" / "driver" / "fake_device_faults" / "faults.h").read_text()


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"<!-- example: compare -->\n```python\n(.*?)```", GUIDE, re.S)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)
    path = str(models.written("residual", tmp_path))
    report, found = names["look_at"](path, "fake_device", "FAKE_DEVICE_FAULT=clip@average_pool;")
    assert [op.place.label for op in report.wrong()] == ["pool2d#6"]
    assert found == [("pool2d#6", "pool2d:t5:t6")]
    assert (tmp_path / "bisect" / "01_pool2d_6" / "reproduce.py").exists()


def test_the_faults() -> None:
    table = GUIDE[GUIDE.index("| fault |") : GUIDE.index("## In the code")]
    listed = {
        n for row in re.findall(r"^\| (`.*?) \|", table, re.M) for n in re.findall(r"`(\w+)`", row)
    }
    effects = set(re.findall(r'^ +\{"(\w+)",', FAULTS, re.M))
    (others,) = re.findall(r"others = \{(.*?)\}", FAULTS, re.S)
    known = effects | set(re.findall(r'"(\w+)"', others))
    assert listed == known and len(known) >= 20
    layers = re.search(r"layers = \{(.*?)\}", FAULTS, re.S)
    assert layers and all(f"`{name}`" in GUIDE for name in re.findall(r'"(\w+)"', layers[1]))
