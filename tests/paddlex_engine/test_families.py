"""PaddleX's own model classes and whole pipelines, beside Paddle's engine and float64.

Needs what test_paddlex.py needs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from client_environments import run_client
from paddlex_environments import quiet, with_paddle

HERE = Path(__file__).parent
pytestmark = pytest.mark.models
FAMILIES = (
    "PP-LCNet_x1_0_doc_ori PP-LCNet_x1_0_textline_ori PP-LCNet_x1_0_table_cls PP-DocLayout_plus-L "
    "PP-DocBlockLayout PP-DocLayoutV2 RT-DETR-L_wired_table_cell_det "
    "RT-DETR-L_wireless_table_cell_det SLANet_plus SLANeXt_wired SLANeXt_wireless"
).split()


@pytest.fixture(scope="module")
def families(folders: Path) -> Path:
    run_client(with_paddle(), HERE / "export_families.py", folders, *FAMILIES, timeout=1800)
    return folders


def test_families_are_right(families: Path, scratch: Path) -> None:
    words = ["-m", "lite.tools.cli", "paddlex", *(families / name for name in FAMILIES), "--json"]
    found = json.loads(run_client(with_paddle(), *words, env=quiet(scratch), timeout=3000))
    assert [row["name"] for row in found["models"]] == FAMILIES
    for row in found["models"]:
        assert row["right"].startswith("yes"), row["name"] + ": " + row["right"]
        assert "version" in row["engines"]["paddle"], row["engines"]["paddle"]


@pytest.mark.parametrize(
    ("pipelines", "values"),
    [
        (("PP-StructureV3",), 2000),
        (("OCR", "seal_recognition", "table_recognition", "table_recognition_v2"), 15000),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_pipelines_say_what_paddle_says(
    families: Path, scratch: Path, pipelines: tuple[str, ...], values: int
) -> None:
    """Every value: kinds, texts and numbers of boxes as they are, numbers within 1e-3."""
    ours, theirs = (
        json.loads(
            run_client(
                with_paddle(), HERE / "pipelines.py", engine, families, *pipelines,
                env=quiet(scratch), timeout=3000,
            ).splitlines()[-1]
        )
        for engine in ("lite", "paddle_static")
    )  # fmt: skip
    assert same(ours, theirs, "") > values


def same(ours: Any, theirs: Any, place: str) -> int:
    """How many values were compared."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), place
        return sum(same(ours[key], theirs[key], f"{place}.{key}") for key in theirs)
    if isinstance(theirs, list):
        assert len(ours) == len(theirs), place
        pairs = enumerate(zip(ours, theirs, strict=True))
        return sum(same(a, b, f"{place}[{at}]") for at, (a, b) in pairs)
    if isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3, err_msg=place)
    else:
        assert ours == theirs, place
    return 1
