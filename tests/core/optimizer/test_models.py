"""How far real models shrink: never more operators than real Paddle Lite's own optimizer leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lite.core.optimizer import optimize
from lite.model.load import load_program

REAL_LITE = {
    "ch_PP-OCRv4_det_infer": 243,
    "ch_PP-OCRv4_rec_infer": 275,
    "ch_ppocr_mobile_v2_cls_infer": 97,
    "mobilenet_v1": 33,
}
"""Operators with feed and fetch after paddle_lite_opt 2.14 for x86."""


def _find(folder: Path, name: str) -> Path | None:
    for path in sorted(folder.rglob("*.pdmodel")):
        if name in (path.parent.name, path.stem) and not path.name.startswith("."):
            return path
    return None


@pytest.mark.models
@pytest.mark.parametrize("name", REAL_LITE)
def test_operators_left(name: str) -> None:
    folder = os.environ.get("LITE_TEST_MODELS")
    if not folder:
        pytest.skip("LITE_TEST_MODELS names no folder of real models")
    path = _find(Path(folder), name)
    if path is None:
        pytest.skip(f"{folder} has no {name}")
    params = path.with_suffix(".pdiparams")
    before = load_program(model_file=str(path), param_file=str(params))
    after = optimize(before)
    assert sum(len(block.ops) for block in after.blocks) <= REAL_LITE[name]
    assert after.fetch_names() == before.fetch_names()
    assert after.feed_names() == before.feed_names()
