"""The guide's code runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "torch.md"


def test_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.S)
    assert len(blocks) == 4
    for block in blocks:
        exec(block, names)  # the guide's own words
    assert names["w"].grad.tolist() == [2.0, 2.0, 2.0]
    assert names["here"].ran and Path(names["path"]).exists()
