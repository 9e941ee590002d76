"""Passes that give devices operators which they know: the numbers of the CPU's kernels stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from checking import program, rand, types

from lite.api.build import make_core
from lite.core.optimizer import optimize
from lite.model.program import Program

UNBIND, MAX_POOL = "unbind_to_slice_pass", "max_pool_index_eliminate_pass"


def same(before: Program, feed: np.ndarray, name: str) -> list[str]:
    """The operators after one pass, which computes what the program without it does."""
    after = optimize(before, passes=[name])
    kinds = types(after)
    expected = make_core(optimize(before, passes=[])).run_with([(feed, [])])
    for (a, _), (b, _) in zip(make_core(after).run_with([(feed, [])]), expected, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype and a.shape == b.shape
    return kinds


def test_unbind_of_a_shape() -> None:
    body = "Out: [s] = shape(Input: [x])\nOut: [a, b, c] = unbind(X: [s]) {axis: int 0}"
    before = program(body, {"x": (-1, 4, -1)}, ["a", "b", "c"])
    kinds = same(before, rand(2, 4, 3), UNBIND)
    assert kinds == ["shape", "slice", "slice", "slice"]


@pytest.mark.parametrize(
    ("shape", "axis"), [((3, 2), 0), ((2, 3), 1), ((3,), 0)], ids=["rows", "columns", "floats"]
)
def test_unbind_of_data_stays(shape: tuple[int, ...], axis: int) -> None:
    body = f"Out: [a, b, c] = unbind(X: [x]) {{axis: int {axis}}}"
    assert same(program(body, {"x": shape}, ["a", "b", "c"]), rand(*shape), UNBIND) == ["unbind"]


@pytest.mark.parametrize(
    "attrs",
    [
        "ksize: ints [2, 3], strides: ints [2, 1], paddings: ints [1, 0]",
        "ksize: ints [1, 1], adaptive: bool true",
        "ksize: ints [2, 2], global_pooling: bool true",
    ],
)
def test_indexes_that_nobody_reads(attrs: str) -> None:
    body = f"Out: [y], Mask: [m] = max_pool2d_with_index(X: [x]) {{{attrs}}}"
    x: dict[str, Any] = {"x": (-1, 3, -1, -1)}
    assert same(program(body, x, ["y"]), rand(2, 3, 6, 7), MAX_POOL) == ["pool2d"]
    kinds = same(program(body, x, ["y", "m"]), rand(2, 3, 6, 7), MAX_POOL)
    assert kinds == ["max_pool2d_with_index"]


def test_adaptive_windows_stay() -> None:
    attrs = "ksize: ints [2, 3], adaptive: bool true"
    body = f"Out: [y], Mask: [m] = max_pool2d_with_index(X: [x]) {{{attrs}}}"
    kinds = same(program(body, {"x": (-1, 3, -1, -1)}, ["y"]), rand(2, 3, 6, 7), MAX_POOL)
    assert kinds == ["max_pool2d_with_index"]
