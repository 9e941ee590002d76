"""constant_sharing_pass: equal parameters become one."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, program, rand

PASS = "constant_sharing_pass"
X = {"x": (-1, 64)}
FEED = {"x": rand(3, 64)}
BODY = "Out: [a] = matmul_v2(X: [x], Y: [p])\nOut: [y] = matmul_v2(X: [a], Y: [q])"


def params(body: str, fetches: tuple[str, ...] = ("y",), **params: np.ndarray) -> int:
    return len(check(program(body, X, fetches, params), FEED, PASS).params)


def test_equal_ones_are_one() -> None:
    p = rand(64, 64)
    assert params(BODY, p=p, q=p.copy()) == 1


def test_several_are_one() -> None:
    p = rand(64, 64)
    body = BODY.replace("[y]", "[b]") + "\nOut: [y] = matmul_v2(X: [b], Y: [r])"
    assert params(body, p=p, q=p.copy(), r=p.copy()) == 1


@pytest.mark.parametrize("at", [0, 1, 64, 4095])
def test_others_stay(at: int) -> None:
    p = rand(64, 64)
    q = p.copy()
    q.reshape(-1)[at] += 1
    assert params(BODY, p=p, q=q) == 2


def test_zeros_of_either_sign_stay() -> None:
    p = np.zeros((64, 64), "float32")
    assert params(BODY, p=p, q=-p) == 2


def test_not_numbers_are_equal_by_their_bits() -> None:
    p = rand(64, 64)
    p[5, 5] = np.nan
    body = "Out: [a] = elementwise_add(X: [x], Y: [p])\nOut: [b] = elementwise_add(X: [x], Y: [q])"
    done = check(program(body, X, ("a", "b"), {"p": p, "q": p.copy()}), {"x": rand(64, 64)}, PASS)
    assert len(done.params) == 1


def test_another_shape_or_type_stays() -> None:
    p = rand(64, 64)
    body = (
        "Out: [a] = matmul_v2(X: [x], Y: [p])\n"
        "Out: [b] = reshape2(X: [q]) {shape: ints [64, 64]}\n"
        "Out: [y] = elementwise_add(X: [a], Y: [b])"
    )
    done = check(
        program(body, X, ("y",), {"p": p, "q": p.reshape(32, 128).copy()}),
        {"x": rand(64, 64)},
        PASS,
    )
    assert len(done.params) == 2


def test_small_ones_stay() -> None:
    p = rand(64)
    body = "Out: [a] = elementwise_add(X: [x], Y: [p])\nOut: [y] = elementwise_mul(X: [a], Y: [q])"
    assert params(body, p=p, q=p.copy()) == 2


LOOP = """
  Out: [i] = fill_constant() {shape: ints [1], value: float 0.0, dtype: int 3}
  Out: [n] = fill_constant() {shape: ints [1], value: float 3.0, dtype: int 3}
  Out: [h] = matmul_v2(X: [x], Y: [p])
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
  Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, q], Condition: [go]) {sub_block: block 1}
  Out: [y] = scale(X: [h]) {scale: float 1.0}
"""
BLOCK = """
block 1 parent 0 {
  Out: [a] = matmul_v2(X: [h], Y: [q])
  Out: [h] = assign(X: [a])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


def test_what_a_loop_reads() -> None:
    p = rand(64, 64) / 8
    done = check(program(LOOP, X, ("y",), {"p": p, "q": p.copy()}, BLOCK), FEED, PASS)
    assert list(done.params) == ["p"]
    (loop,) = [op for op in done.root.ops if op.type == "while"]
    assert "p" in loop.inputs["X"] and done.blocks[1].ops[0].inputs["Y"] == ["p"]


def test_one_that_is_an_output_keeps_its_name() -> None:
    p = rand(64, 64)
    done = check(program(BODY, X, ("y", "q"), {"p": p, "q": p.copy()}), FEED, PASS)
    assert "q" in done.params
