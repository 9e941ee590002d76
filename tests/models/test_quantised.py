"""Quantised models: stored exports against what Paddle made of them, and weight-only exports."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import paddle_oracle
import pytest

import lite
from lite.api.build import Source

sys.path.insert(0, str(Path(__file__).parent))
DATA = Path(__file__).parent / "data" / "quantised"

if TYPE_CHECKING or paddle_oracle.available():
    import make_models
    import quantised


def close(got: np.ndarray, want: np.ndarray, tol: float = 1e-4) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    assert float(np.abs(got - want).max()) <= tol * float(np.abs(want).max())


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.iterdir()))
def test_stored_export(name: str, tmp_path: Path) -> None:
    folder = str(DATA / name)
    stored = np.load(DATA / name / "expected.npz")
    nb = Source(model_dir=folder).save_naive_buffer(str(tmp_path / "model.nb"))
    for predictor in (lite.load(folder), lite.load(nb, threads=2)):
        for at in (0, 1, 0):
            close(next(iter(predictor.run([stored[f"in{at}"]]).values())), stored[f"out{at}"])


needs_paddle = pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6")


@pytest.mark.paddle
@needs_paddle
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("weights", ["channel_wise_abs_max", "abs_max"])
@pytest.mark.parametrize("net", ["Mobile", "Convolutions"])
def test_weight_only(net: str, weights: str, bits: int, tmp_path: Path) -> None:
    make = getattr(quantised, net)
    spec = quantised.PICTURE
    integers, numbers = quantised.weight_only(make, spec, weights, bits, str(tmp_path))
    feeds = quantised.pictures()
    expected = make_models.oracle(numbers, feeds)
    predictor = lite.load(integers)
    for feed, outputs in zip(feeds, expected, strict=True):
        (want, _), *_ = outputs.values()
        close(next(iter(predictor.run([feed["x"]]).values())), want)


@pytest.mark.paddle
@needs_paddle
def test_weight_only_without_scales_is_an_error(tmp_path: Path) -> None:
    integers, _ = quantised.weight_only(
        quantised.Mobile, quantised.PICTURE, "abs_max", 8, str(tmp_path), lost=True
    )
    with pytest.raises(lite.ModelFormatError, match="has lost them"):
        lite.load(integers)
