"""Identity scale, scale behind scale, dropout and multiplications by one number."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, positive, program, rand, types

from lite.core.optimizer import optimize

SCALE = "identity_scale_eliminate_pass"
DROPOUT = "identity_dropout_eliminate_pass"
X = {"x": (-1, 4)}
FEED = {"x": rand(3, 4)}


def test_identity_scale_in_the_middle_goes() -> None:
    body = "Out: [a] = relu(X: [x])\nOut: [b] = scale(X: [a]) {scale: float 1.0}\n"
    body += "Out: [y] = exp(X: [b])"
    assert types(check(program(body, X, ["y"]), FEED, SCALE)) == ["relu", "exp"]


def test_identity_scale_leaves_the_fetched_name() -> None:
    body = "Out: [a] = relu(X: [x])\nOut: [y] = scale(X: [a]) {scale: float 1.0, bias: float 0.0}"
    after = check(program(body, X, ["y"]), FEED, SCALE)
    assert types(after) == ["relu"]
    assert after.root.ops[1].output("Out") == "y"


def test_identity_scale_from_feed_to_fetch_stays() -> None:
    after = check(program("Out: [y] = scale(X: [x]) {scale: float 1.0}", X, ["y"]), FEED, SCALE)
    assert types(after) == ["scale"]


def test_one_tensor_fetched_under_two_names_keeps_both() -> None:
    body = (
        "Out: [a] = relu(X: [x])\n"
        "Out: [y] = scale(X: [a]) {scale: float 1.0}\n"
        "Out: [z] = scale(X: [a]) {scale: float 1.0}"
    )
    assert types(check(program(body, X, ["y", "z"]), FEED, SCALE)) == ["relu", "scale"]
    assert types(check(program(body, X, ["z", "a", "y"]), FEED, SCALE)) == [
        "relu",
        "scale",
        "scale",
    ]


@pytest.mark.parametrize("attrs", ["scale: float 2.0", "bias: float 1.0", "scale: float 0.0"])
def test_other_scales_stay(attrs: str) -> None:
    body = f"Out: [a] = relu(X: [x])\nOut: [y] = scale(X: [a]) {{{attrs}}}"
    assert len(types(check(program(body, X, ["y"]), FEED, SCALE))) == 2


def test_scale_by_a_tensor_stays() -> None:
    body = "Out: [a] = relu(X: [x])\nOut: [y] = scale(X: [a], ScaleTensor: [s]) {scale: float 1.0}"
    after = optimize(program(body, X, ["y"], {"s": positive(1)}), passes=[SCALE])
    assert len(types(after)) == 2


def test_identity_scale_of_a_variable_that_changes_later_stays() -> None:
    body = (
        "Out: [a] = relu(X: [x])\n"
        "Out: [b] = scale(X: [a]) {scale: float 1.0}\n"
        "Out: [a] = increment(X: [a]) {step: float 1.0}\n"
        "Out: [y] = elementwise_add(X: [a], Y: [b])"
    )
    assert len(types(check(program(body, X, ["y"]), FEED, SCALE))) == 4


DOWNGRADE = 'dropout_implementation: string "downgrade_in_infer"'
UPSCALE = 'dropout_implementation: string "upscale_in_train"'


def dropout(attrs: str, outputs: str = "Out: [y]") -> str:
    return f"Out: [a] = relu(X: [x])\n{outputs} = dropout(X: [a]) {{{attrs}}}"


@pytest.mark.parametrize("outputs", ["Out: [y]", "Mask: [m], Out: [y]"])
@pytest.mark.parametrize(
    ("attrs", "left"),
    [
        (f"is_test: bool true, dropout_prob: float 0.3, {UPSCALE}", ["relu"]),
        (f"is_test: bool true, dropout_prob: float 0.0, {DOWNGRADE}", ["relu"]),
        (f"is_test: bool true, dropout_prob: float 0.3, {DOWNGRADE}", ["relu", "scale"]),
        ("is_test: bool true, dropout_prob: float 0.3", ["relu", "scale"]),
        ("is_test: bool true", ["relu", "scale"]),
    ],
)
def test_dropout(attrs: str, left: list[str], outputs: str) -> None:
    assert types(check(program(dropout(attrs, outputs), X, ["y"]), FEED, DROPOUT)) == left


@pytest.mark.parametrize("attrs", [UPSCALE, f"is_test: bool false, {DOWNGRADE}"])
def test_training_dropout_stays(attrs: str) -> None:
    assert types(optimize(program(dropout(attrs), X, ["y"]), passes=[DROPOUT])) == [
        "relu",
        "dropout",
    ]


def test_dropout_whose_mask_is_read_stays() -> None:
    body = dropout(f"is_test: bool true, {UPSCALE}", "Mask: [m], Out: [y]")
    after = optimize(program(body, X, ["y", "m"]), passes=[DROPOUT])
    assert types(after) == ["relu", "dropout"]


def test_downgrading_dropout_goes_into_the_next_weight() -> None:
    body = dropout(f"is_test: bool true, dropout_prob: float 0.3, {DOWNGRADE}", "Out: [d]") + (
        "\nOut: [m] = matmul_v2(X: [d], Y: [w]) {trans_x: bool false, trans_y: bool false}"
        "\nOut: [y] = elementwise_add(X: [m], Y: [b]) {axis: int -1}"
    )
    after = check(program(body, X, ["y"], {"w": rand(4, 5), "b": rand(5)}), FEED)
    assert types(after) == ["relu", "fc"]


def test_scales_fuse() -> None:
    body = (
        "Out: [a] = scale(X: [x]) "
        "{scale: float 2.0, bias: float 3.0, bias_after_scale: bool false}\n"
        "Out: [y] = scale(X: [a]) "
        "{scale: float -0.5, bias: float 0.25, bias_after_scale: bool true}"
    )
    assert types(check(program(body, X, ["y"]), FEED, "lite_scales_fuse_pass")) == ["scale"]


def test_scales_of_integers_do_not_fuse() -> None:
    body = (
        "Out: [a] = scale(X: [x]) {scale: float 0.5}\nOut: [y] = scale(X: [a]) {scale: float 2.0}"
    )
    before = program(body, {"x": ("int64", (-1,))}, ["y"])
    assert len(types(optimize(before, passes=["lite_scales_fuse_pass"]))) == 2


def test_scales_that_overflow_do_not_fuse() -> None:
    body = (
        "Out: [a] = scale(X: [x]) {scale: float 1e30}\nOut: [y] = scale(X: [a]) {scale: float 1e30}"
    )
    assert len(types(optimize(program(body, X, ["y"]), passes=["lite_scales_fuse_pass"]))) == 2


TO_SCALE = "scalar_elementwise_to_scale_pass"


def test_one_number_becomes_scale() -> None:
    body = (
        "Out: [m] = elementwise_mul(X: [x], Y: [a]) {axis: int -1}\n"
        "Out: [y] = elementwise_add(X: [m], Y: [b]) {axis: int -1}"
    )
    before = program(body, X, ["y"], {"a": rand(1), "b": rand(1)})
    assert types(check(before, FEED, TO_SCALE)) == ["scale"]


@pytest.mark.parametrize("shape", [(4,), (1, 1, 1), (1, 4)])
def test_more_than_a_number_does_not_become_scale(shape: tuple[int, ...]) -> None:
    before = program("Out: [y] = elementwise_mul(X: [x], Y: [a])", X, ["y"], {"a": rand(*shape)})
    assert types(check(before, FEED, TO_SCALE)) == ["elementwise_mul"]


def test_a_number_in_front_keeps_the_lod_of_x() -> None:
    before = program("Out: [y] = elementwise_mul(X: [a], Y: [x])", X, ["y"], {"a": rand(1)})
    assert types(check(before, FEED, TO_SCALE)) == ["elementwise_mul"]


ONES = "elementwise_mul_constant_eliminate_pass"


@pytest.mark.parametrize(
    ("ones", "left"),
    [
        (np.ones(1, "float32"), 1),
        (np.ones((1, 1), "float32"), 1),
        (np.ones(4, "float32"), 2),
        (np.ones((1, 1, 1), "float32"), 2),
        (np.full(1, 2, "float32"), 2),
    ],
)
def test_multiplication_by_ones(ones: np.ndarray, left: int) -> None:
    body = "Out: [a] = relu(X: [x])\nOut: [y] = elementwise_mul(X: [a], Y: [o]) {axis: int -1}"
    assert len(types(check(program(body, X, ["y"], {"o": ones}), FEED, ONES))) == left
