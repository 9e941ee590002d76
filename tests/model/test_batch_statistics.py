"""Batch norms by the batch's own statistics, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from checking import program

import lite
from lite.errors import ModelFormatError
from lite.model.pdmodel import write_pdmodel

RNG = np.random.default_rng(3)
STORED = ("scale", "bias", "mean", "variance")


def model(attrs: str, rank: int, inputs: str = "Scale: [scale], Bias: [bias], ") -> bytes:
    line = f"Y: [y] = batch_norm(X: [x], {inputs}Mean: [mean], Variance: [variance]) {attrs}"
    feeds = {"x": (-1,) * rank, **dict.fromkeys(STORED, (3,))}
    return write_pdmodel(program(line, feeds, ["y"]))


def reference(x: np.ndarray, channel: int, scale: np.ndarray, bias: np.ndarray) -> np.ndarray:
    x = np.moveaxis(x.astype(np.float64), channel, -1)
    others = tuple(range(x.ndim - 1))
    made = (x - x.mean(others)) / np.sqrt(x.var(others) + 1e-3) * scale + bias
    return np.moveaxis(made, -1, channel)


@pytest.mark.parametrize(
    ("shape", "layout"),
    [((5, 3), "NCHW"), ((2, 3, 4), "NCHW"), ((2, 3, 4, 5), "NCHW"), ((2, 4, 5, 3), "NHWC")],
)
@pytest.mark.parametrize("is_test", ["true", "false"])
def test_against_numpy(shape: tuple[int, ...], layout: str, is_test: str) -> None:
    attrs = (
        f"{{is_test: bool {is_test}, trainable_statistics: bool true, epsilon: float 0.001, "
        f'data_layout: string "{layout}"}}'
    )
    x = RNG.normal(3, 2, shape).astype(np.float32)
    stored = {name: RNG.random(3).astype(np.float32) for name in STORED}
    (made,) = lite.load(model(attrs, len(shape))).run({"x": x, **stored}).values()
    expected = reference(x, shape.index(3), stored["scale"], stored["bias"])
    np.testing.assert_allclose(made, expected, atol=1e-5)


def test_stored_statistics() -> None:
    """Where they are asked for, whatever else is said."""
    attrs = "{trainable_statistics: bool true, use_global_stats: bool true, epsilon: float 0.001}"
    x = RNG.normal(3, 2, (5, 3)).astype(np.float32)
    stored = {name: RNG.random(3).astype(np.float32) for name in STORED}
    (made,) = lite.load(model(attrs, 2)).run({"x": x, **stored}).values()
    normal = (x - stored["mean"]) / np.sqrt(stored["variance"] + 1e-3)
    np.testing.assert_allclose(made, normal * stored["scale"] + stored["bias"], atol=1e-5)


def test_nothing_to_scale_by() -> None:
    x = RNG.normal(3, 2, (5, 3)).astype(np.float32)
    data = model("{trainable_statistics: bool true, epsilon: float 0.001}", 2, "")
    stored = dict.fromkeys(STORED, np.zeros(3, np.float32))
    (made,) = lite.load(data).run({"x": x, **stored}).values()
    np.testing.assert_allclose(made, reference(x, 1, np.ones(3), np.zeros(3)), atol=1e-5)


def test_no_channels() -> None:
    with pytest.raises(ModelFormatError, match="its X has 1 dims, expected 2 or more"):
        lite.load(model("{trainable_statistics: bool true}", 1))
