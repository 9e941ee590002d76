"""A 1x1 convolution behind another one, and when they stay two."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, program, rand, types

from lite.core.optimizer import optimize
from lite.model.program import Program

PASS = "lite_conv_conv_fuse_pass"
SECOND = "strides: ints [1, 1], paddings: ints [0, 0], groups: int 1"


def two(shapes, first: str, second: str = SECOND, biases: str = "", tail: str = "") -> Program:  # type: ignore[no-untyped-def]
    params = {"w": rand(*shapes[0]), "v": rand(*shapes[1])}
    params |= {name: rand(len(params[{"b": "w", "c": "v"}[name]])) for name in biases}
    reads = [f", Bias: [{name}]" if name in biases else "" for name in "bc"]
    body = (
        f"  Output: [y] = conv2d(Input: [x], Filter: [w]{reads[0]}) {{{first}}}\n"
        f"  Output: [out] = conv2d(Input: [y], Filter: [v]{reads[1]}) {{{second}}}{tail}"
    )
    return program(body, {"x": (-1, 5, 9, 8)}, ["out"] + ["z"] * bool(tail), params)


@pytest.mark.parametrize("biases", ["", "b", "c", "bc"])
@pytest.mark.parametrize(
    ("shape", "first"),
    [
        ((12, 5, 1, 1), "strides: ints [1, 1], paddings: ints [0, 0], groups: int 1"),
        ((12, 5, 3, 3), "strides: ints [2, 2], paddings: ints [1, 1], dilations: ints [1, 1]"),
        ((12, 5, 3, 3), "strides: ints [1, 1], paddings: ints [2, 2], dilations: ints [2, 2]"),
    ],
)
def test_two_become_one(shape: tuple[int, ...], first: str, biases: str) -> None:
    after = check(two((shape, (4, 12, 1, 1)), first, biases=biases), {"x": rand(2, 5, 9, 8)}, PASS)
    assert types(after) == ["conv2d"]
    assert max(after.params.values(), key=np.size).shape == (4, *shape[1:])


@pytest.mark.parametrize(
    ("shapes", "first", "second", "why"),
    [
        (((2, 5, 1, 1), (12, 2, 1, 1)), SECOND, SECOND, "one would multiply more"),
        (((12, 5, 1, 1), (4, 12, 3, 3)), SECOND, SECOND, "the second one mixes pixels"),
        (((12, 5, 1, 1), (4, 12, 1, 1)), SECOND, SECOND.replace("[1, 1]", "[2, 2]"), "a stride"),
        (((12, 5, 1, 1), (4, 12, 1, 1)), SECOND, SECOND.replace("[0, 0]", "[1, 1]"), "padding"),
        (((12, 5, 1, 1), (4, 6, 1, 1)), SECOND, SECOND.replace("int 1", "int 2"), "groups"),
        (
            ((12, 5, 1, 1), (4, 12, 1, 1)),
            SECOND + ', with_act: bool true, act_type: string "relu"',
            SECOND,
            "not linear",
        ),
    ],
)
def test_they_stay_two(shapes, first: str, second: str, why: str) -> None:  # type: ignore[no-untyped-def]
    before = two(shapes, first, second)
    assert types(optimize(before, passes=[PASS])) == ["conv2d", "conv2d"], why


def test_what_others_read_stays() -> None:
    before = two(((12, 5, 1, 1), (4, 12, 1, 1)), SECOND, tail="\n  Out: [z] = relu(X: [y])")
    assert types(optimize(before, passes=[PASS])) == ["conv2d", "conv2d", "relu"]


def test_sparse_ones_stay() -> None:
    """Their product would have more numbers than they have that are not zero."""
    before = two(((12, 5, 1, 1), (4, 12, 1, 1)), SECOND)
    before.params["w"][:, 1:] = 0
    before.params["v"][2:] = 0
    before.params["v"][:, 4:] = 0
    assert types(optimize(before, passes=[PASS])) == ["conv2d", "conv2d"]


def test_numbers_that_overflow_stay() -> None:
    before = two(((12, 5, 1, 1), (4, 12, 1, 1)), SECOND)
    before.params |= {name: np.full_like(before.params[name], 1e38) for name in "wv"}
    assert types(optimize(before, passes=[PASS])) == ["conv2d", "conv2d"]
