"""Products and convolutions cut for any number of threads: the bits of one thread."""

from __future__ import annotations

import random

import numpy as np
import pytest
from harness import core, rand

from lite.model.naive_buffer import program_bytes
from lite.model.program import AttrType, OpDesc, Program, VarDesc

THREADS = (1, 2, 3, 4, 5, 8, 16)


def _results(op: OpDesc, x: np.ndarray, weight: np.ndarray) -> list[np.ndarray]:
    """Of x -> y by each number of threads."""
    program = Program(params={"w": weight})
    feed = OpDesc("feed", {"X": ["feed"]}, {"Out": ["x"]})
    fetch = OpDesc("fetch", {"X": ["y"]}, {"Out": ["fetch"]})
    for end in (feed, fetch):
        end.set_attr("col", AttrType.INT, 0)
    program.root.ops += [feed, op, fetch]
    names = {"x": VarDesc("x"), "y": VarDesc("y")}
    program.root.vars |= names | {"w": VarDesc("w", shape=weight.shape, persistable=True)}
    predictor = core().Predictor.from_program(program_bytes(program), program.params)
    found = []
    for threads in THREADS:
        predictor.set_threads(threads)
        predictor.set_input(0, x)
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
    x, weight = rand(rows, 260), rand(260, columns)
    op = OpDesc("matmul_v2", {"X": ["x"], "Y": ["w"]}, {"Out": ["y"]})
    _check(_results(op, x, weight), x @ weight)


@pytest.mark.parametrize("seed", range(12))
def test_convolutions_of_points(seed: int) -> None:
    draw = random.Random(seed)
    images, height, width = draw.choice([1, 1, 3]), draw.randint(1, 30), draw.randint(1, 30)
    inside, outside = draw.choice([64, 130]), draw.choice([72, 400])
    x, weight = rand(images, inside, height, width), rand(outside, inside, 1, 1)
    op = OpDesc("conv2d", {"Input": ["x"], "Filter": ["w"]}, {"Output": ["y"]})
    for name, value in {"strides": [1, 1], "paddings": [0, 0], "dilations": [1, 1]}.items():
        op.set_attr(name, AttrType.INTS, value)
    op.set_attr("groups", AttrType.INT, 1)
    _check(_results(op, x, weight), np.einsum("oi,nihw->nohw", weight[:, :, 0, 0], x))
