"""Whole models in bf16 and fp16 against their own fp32 run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest

import lite

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING or paddle_oracle.available():
    import make_models
    from recipes import RECIPES

pytestmark = [
    pytest.mark.paddle,
    pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6"),
]

# Of the largest number of an output: bf16 keeps 8 bits and fp16 11, of which layers lose some.
TOLERANCES = {"bf16": 0.1, "fp16": 0.02}


@pytest.mark.parametrize("precision", TOLERANCES)
@pytest.mark.parametrize("name", ["lcnetv2", "hgnetv2", "vit", "crnn_lstm"])
def test_halves(name: str, precision: str, tmp_path: Path) -> None:
    recipe = RECIPES[name]
    folder = make_models.make(recipe, str(tmp_path))
    half, full = lite.load(folder, precision=precision), lite.load(folder)
    for feed in recipe.feeds():
        y, expected = half.run(feed), full.run(feed)
        apart = [
            np.abs(y[key] - expected[key]).max() / np.abs(expected[key]).max() for key in expected
        ]
        assert 0 < max(apart) < TOLERANCES[precision], apart
