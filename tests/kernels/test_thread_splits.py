"""Products and convolutions cut for any number of threads: the bits of one thread."""

from __future__ import annotations

import random

import numpy as np
import pytest
from harness import rand
from test_slices import Net

THREADS = (1, 2, 3, 4, 5, 8, 16)


def _results(net: Net, output: str) -> list[np.ndarray]:
    """By each number of threads."""
    net.outputs = [output]
    predictor = net.predictor()
    found = []
    for threads in THREADS:
        predictor.set_threads(threads)
        predictor.set_input(0, net.fed["x"])
        predictor.run()
        found.append(predictor.copy_output(0))
    return found


def _check(found: list[np.ndarray], expected: np.ndarray) -> None:
    assert np.abs(found[0] - expected).max() <= 1e-5 * np.abs(expected).max()
    for threads, other in zip(THREADS, found, strict=True):
        np.testing.assert_array_equal(other, found[0], err_msg=f"{threads} threads")


@pytest.mark.parametrize("rows", [1, 5, 13, 27, 56, 57, 111, 128, 225, 450])
@pytest.mark.parametrize("columns", [33, 312])
def test_products(rows: int, columns: int) -> None:
    net = Net(x=rand(rows, 260))
    weight = net.param(260, columns)
    found = _results(net, net.op("matmul_v2", {"X": ["x"], "Y": [weight]})[0])
    _check(found, net.fed["x"] @ net.params[weight])


@pytest.mark.parametrize("seed", range(12))
def test_convolutions_of_points(seed: int) -> None:
    draw = random.Random(seed)
    images, height, width = draw.choice([1, 1, 3]), draw.randint(1, 30), draw.randint(1, 30)
    inside, outside = draw.choice([64, 130]), draw.choice([72, 400])
    net = Net(x=rand(images, inside, height, width))
    found = _results(net, net.conv("x", outside))
    filter, bias = net.params.values()
    expected = np.einsum("oi,nihw->nohw", filter[:, :, 0, 0], net.fed["x"])
    _check(found, expected + bias[:, None, None])
