"""common_subexpression_elimination_pass: what is computed twice is computed once."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, program, rand, types

from lite.core.optimizer import optimize

PASS = "common_subexpression_elimination_pass"
X = {"x": (-1, 4)}
FEED = {"x": rand(3, 4)}
SUM = "\nOut: [y] = elementwise_add(X: [a], Y: [b])"


def left(body: str, fetches: tuple[str, ...] = ("y",), **params: np.ndarray) -> list[str]:
    return types(check(program(body, X, fetches, params), FEED, PASS))


def test_the_same_twice_is_once() -> None:
    body = "Out: [a] = exp(X: [x])\nOut: [b] = exp(X: [x])" + SUM
    assert left(body) == ["exp", "elementwise_add"]


def test_what_follows_is_the_same_then() -> None:
    body = (
        "Out: [c] = exp(X: [x])\nOut: [d] = exp(X: [x])\n"
        'Out: [a] = tanh(X: [c])\nOut: [b] = tanh(X: [d]) {op_callstack: strings ["elsewhere"]}'
    )
    assert left(body + SUM) == ["exp", "tanh", "elementwise_add"]


@pytest.mark.parametrize("other", ["tanh(X: [x])", "scale(X: [x]) {scale: float 3.0}"])
def test_others_stay(other: str) -> None:
    body = f"Out: [a] = scale(X: [x]) {{scale: float 2.0}}\nOut: [b] = {other}"
    assert len(left(body + SUM)) == 3


def test_zeros_of_either_sign_stay() -> None:
    body = (
        "Out: [a] = scale(X: [x]) {scale: float 0.0}\nOut: [b] = scale(X: [x]) {scale: float -0.0}"
    )
    assert len(left(body + SUM)) == 3


def test_equal_parameters() -> None:
    body = "Out: [a] = elementwise_mul(X: [x], Y: [p])\nOut: [b] = elementwise_mul(X: [x], Y: [q])"
    p = rand(4)
    assert left(body + SUM, p=p, q=p.copy()) == ["elementwise_mul", "elementwise_add"]
    assert len(left(body + SUM, p=p, q=-p)) == 3
    assert len(left(body + SUM, p=p, q=p.reshape(1, 4))) == 3


def test_fetched_names_stay() -> None:
    body = "Out: [a] = exp(X: [x])\nOut: [b] = exp(X: [x])"
    assert left(body + SUM, ("y", "b")) == ["exp", "elementwise_add"]
    assert left(body + SUM, ("b", "a", "y")) == ["exp", "exp", "elementwise_add"]


def test_a_variable_that_is_written_again() -> None:
    body = "Out: [a] = exp(X: [x])\nOut: [b] = exp(X: [x])\nOut: [a] = tanh(X: [a])" + SUM
    assert len(left(body)) == 4


def test_random_numbers_are_drawn_each_time() -> None:
    draw = "uniform_random() {shape: longs [3, 4], min: float 0.0, max: float 1.0, dtype: int 5}"
    made = program(f"Out: [a] = {draw}\nOut: [b] = {draw}" + SUM, X, ["y"])
    assert len(types(optimize(made, passes=[PASS]))) == 3
