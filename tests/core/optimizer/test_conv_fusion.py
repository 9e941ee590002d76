"""Folding of batch_norm, additions and activations into convolutions, and when it must not be."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, count, positive, program, rand, types

from lite.core.optimizer import optimize

BIAS = "lite_conv_elementwise_fuse_pass"
NORM = "lite_conv_bn_fuse_pass"
ACT = "lite_conv_activation_fuse_pass"

CONVS = {
    "conv2d": ((6, 4, 3, 3), 1, ""),
    "grouped": ((6, 2, 3, 3), 2, "conv2d"),
    "depthwise_conv2d": ((4, 1, 3, 3), 4, ""),
    "conv2d_transpose": ((4, 5, 2, 2), 1, ""),
    "grouped_transpose": ((4, 3, 2, 2), 2, "conv2d_transpose"),
}


def conv_line(kind: str, out: str = "c", extra: str = "", bias: str = "") -> str:
    _, groups, alias = CONVS[kind]
    return (
        f"  Output: [{out}] = {alias or kind}(Input: [x], Filter: [w]{bias}) "
        f"{{strides: ints [1, 1], paddings: ints [1, 1], "
        f"dilations: ints [1, 1], groups: int {groups}{extra}}}"
    )


def channels(kind: str) -> int:
    shape, groups, _ = CONVS[kind]
    return shape[1] * groups if "transpose" in kind else shape[0]


def norm_params(c: int) -> dict[str, np.ndarray]:
    return {"s": rand(c), "o": rand(c), "m": rand(c), "v": positive(c)}


NORM_INPUTS = "Scale: [s], Bias: [o], Mean: [m], Variance: [v]"
X = {"x": (-1, 4, 8, 8)}


def feed(n: int = 2) -> dict[str, np.ndarray]:
    return {"x": rand(n, 4, 8, 8)}


@pytest.mark.parametrize("kind", CONVS)
@pytest.mark.parametrize("bias", [False, True])
def test_batch_norm_folds(kind: str, bias: bool) -> None:
    c = channels(kind)
    params = {"w": rand(*CONVS[kind][0]), **norm_params(c)} | ({"b": rand(c)} if bias else {})
    body = conv_line(kind, bias=", Bias: [b]" if bias else "") + (
        f"\n  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) "
        "{is_test: bool true, epsilon: float 1e-3}"
    )
    after = check(program(body, X, ["y"], params), feed(), NORM)
    assert len(types(after)) == 1
    assert set(after.params) == {"w", "o"}


def test_batch_norm_that_echoes_its_statistics_folds() -> None:
    params = {"w": rand(6, 4, 3, 3), **norm_params(6)}
    body = conv_line("conv2d") + (
        f"\n  MeanOut: [m], VarianceOut: [v], SavedMean: [sm], SavedVariance: [sv], Y: [y] = "
        f"batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true}}"
    )
    assert types(check(program(body, X, ["y"], params), feed(), NORM)) == ["conv2d"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("is_test: bool false", "training mode takes the batch's statistics"),
        ('is_test: bool true, data_layout: string "NHWC"', "the channel is the last dimension"),
    ],
)
def test_batch_norm_stays(change: str, why: str) -> None:
    c = 6 if "NHWC" not in change else 8
    params = {"w": rand(6, 4, 3, 3), **norm_params(c)}
    body = conv_line("conv2d") + f"\n  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) {{{change}}}"
    after = check(program(body, X, ["y"], params), feed(), NORM)
    assert types(after) == ["conv2d", "batch_norm"], why


def test_batch_norm_with_negative_variance_stays() -> None:
    params = {"w": rand(6, 4, 3, 3), **norm_params(6)}
    params["v"][2] = -1
    body = (
        conv_line("conv2d")
        + f"\n  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true}}"
    )
    assert len(types(optimize(program(body, X, ["y"], params), passes=[NORM]))) == 2


def test_a_convolution_read_twice_keeps_its_result() -> None:
    params = {"w": rand(6, 4, 3, 3), **norm_params(6)}
    body = conv_line("conv2d") + (
        f"\n  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true}}"
        "\n  Out: [z] = relu(X: [c])"
    )
    after = check(program(body, X, ["y", "z"], params), feed(), NORM)
    assert types(after) == ["conv2d", "batch_norm", "relu"]


def test_a_fetched_convolution_keeps_its_result() -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(6)}
    body = conv_line("conv2d") + "\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}"
    after = check(program(body, X, ["y", "c"], params), feed(), BIAS, ACT)
    assert types(after) == ["conv2d", "elementwise_add"]


def test_shared_filter_is_folded_for_each_reader_alone() -> None:
    params = {"w": rand(4, 4, 3, 3), **norm_params(4)}
    body = "\n".join(
        [
            conv_line("conv2d", "c"),
            f"  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true}}",
            conv_line("conv2d", "d"),
            f"  Y: [z] = batch_norm(X: [d], {NORM_INPUTS}) "
            "{is_test: bool true, epsilon: float 0.1}",
            conv_line("conv2d", "e"),
        ]
    )
    after = check(program(body, X, ["y", "z", "e"], params), feed(), NORM)
    assert types(after) == ["conv2d"] * 3


def test_large_shared_filter_is_not_copied() -> None:
    params = {"w": rand(300, 300, 3, 3), **norm_params(300)}
    line = (
        "  Output: [{0}] = conv2d(Input: [x], Filter: [w]) {{strides: ints [1, 1], "
        "paddings: ints [1, 1], dilations: ints [1, 1], groups: int 1}}"
    )
    body = "\n".join(
        [
            line.format("c"),
            f"  Y: [y] = batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true}}",
            line.format("d"),
        ]
    )
    after = check(
        program(body, {"x": (1, 300, 2, 2)}, ["y", "d"], params), {"x": rand(1, 300, 2, 2)}, NORM
    )
    assert count(after)["batch_norm"] == 1


@pytest.mark.parametrize("kind", CONVS)
@pytest.mark.parametrize(
    ("shape", "axis"),
    [("c", 1), ("c11", -1), ("1c11", -1), ("1c11", 0), ("c11", 1), ("1", -1), ("1", 1), ("111", 1)],
)
def test_bias_folds(kind: str, shape: str, axis: int) -> None:
    c = channels(kind)
    operand = rand(*(c if letter == "c" else 1 for letter in shape))
    body = conv_line(kind) + f"\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {{axis: int {axis}}}"
    after = check(program(body, X, ["y"], {"w": rand(*CONVS[kind][0]), "b": operand}), feed(), BIAS)
    assert len(types(after)) == 1
    assert after.root.ops[1].input("Bias") == "b"
    assert after.params["b"].shape == (c,)


def test_bias_folds_twice_and_subtracts() -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(6), "d": rand(1, 6, 1, 1), "e": rand(6, 1, 1)}
    body = conv_line("conv2d") + (
        "\n  Out: [p] = elementwise_add(X: [c], Y: [b]) {axis: int 1}"
        "\n  Out: [q] = elementwise_add(X: [d], Y: [p]) {axis: int -1}"
        "\n  Out: [y] = elementwise_sub(X: [q], Y: [e]) {axis: int -1}"
    )
    assert types(check(program(body, X, ["y"], params), feed(), BIAS)) == ["conv2d"]


@pytest.mark.parametrize(
    ("shape", "axis", "why"),
    [
        ((8,), -1, "along the width"),
        ((8, 8), -1, "height and width"),
        ((1, 6, 8, 8), -1, "not one number a channel"),
        ((8,), 2, "along the height"),
        ((2, 6, 1, 1), -1, "along the batch"),
    ],
)
def test_bias_stays(shape: tuple[int, ...], axis: int, why: str) -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(*shape)}
    body = (
        conv_line("conv2d") + f"\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {{axis: int {axis}}}"
    )
    after = check(program(body, X, ["y"], params), feed(), BIAS)
    assert types(after) == ["conv2d", "elementwise_add"], why


def test_an_operand_that_enlarges_the_result_stays() -> None:
    params = {"w": rand(1, 4, 3, 3), "b": rand(1, 5, 1, 1)}
    body = conv_line("conv2d") + "\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int -1}"
    assert len(types(check(program(body, X, ["y"], params), feed(), BIAS))) == 2


def test_bias_that_is_not_a_parameter_stays() -> None:
    body = conv_line("conv2d") + "\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}"
    before = program(body, {**X, "b": (6,)}, ["y"], {"w": rand(6, 4, 3, 3)})
    assert len(types(check(before, {**feed(), "b": rand(6)}, BIAS))) == 2


def test_a_parameter_that_the_program_writes_is_none() -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(6)}
    body = (
        "  Out: [b] = scale(X: [b]) {scale: float 2.0}\n"
        + conv_line("conv2d")
        + "\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}"
    )
    assert len(types(check(program(body, X, ["y"], params), feed(), BIAS))) == 3


@pytest.mark.parametrize("extra", ['data_format: string "NHWC"', "enable_int8: bool true"])
def test_bias_behind_another_kind_of_convolution_stays(extra: str) -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(6)}
    body = conv_line("conv2d", extra=f", {extra}") + (
        "\n  Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}\n  Out: [z] = relu(X: [y])"
    )
    after = optimize(program(body, X, ["z"], params), passes=[BIAS, ACT, NORM])
    assert types(after) == ["conv2d", "elementwise_add", "relu"]


ACTS = [
    ("relu", ""),
    ("relu6", ""),
    ("relu6", "threshold: float 3.0"),
    ("leaky_relu", ""),
    ("leaky_relu", "alpha: float 0.3"),
    ("hard_swish", ""),
    ("hard_swish", "threshold: float 5.0, scale: float 4.0, offset: float 2.0"),
]


@pytest.mark.parametrize("kind", CONVS)
@pytest.mark.parametrize(("act", "attrs"), ACTS)
def test_activation_fuses(kind: str, act: str, attrs: str) -> None:
    params = {"w": rand(*CONVS[kind][0]), "b": rand(channels(kind))}
    body = conv_line(kind, bias=", Bias: [b]") + f"\n  Out: [y] = {act}(X: [c]) {{{attrs}}}"
    after = check(program(body, X, ["y"], params), feed(), ACT)
    fuses = act == "relu" or "transpose" not in kind
    assert len(types(after)) == (1 if fuses else 2)
    if fuses:
        assert after.root.ops[1].attr("act_type") == act
        assert after.root.ops[1].attr("fuse_relu", False) == (act == "relu")


def test_nothing_folds_behind_a_fused_activation() -> None:
    params = {"w": rand(6, 4, 3, 3), "b": rand(6), **norm_params(6)}
    body = conv_line("conv2d") + (
        "\n  Out: [r] = relu(X: [c])"
        "\n  Out: [a] = elementwise_add(X: [r], Y: [b]) {axis: int 1}"
        f"\n  Y: [n] = batch_norm(X: [a], {NORM_INPUTS}) {{is_test: bool true}}"
        "\n  Out: [y] = relu(X: [n])"
    )
    after = check(program(body, X, ["y"], params), feed(), ACT, BIAS, NORM)
    assert types(after) == ["conv2d", "elementwise_add", "batch_norm", "relu"]


@pytest.mark.parametrize("kind", ["conv2d", "depthwise_conv2d"])
def test_hard_swish_behind_a_depthwise_convolution_stays_for_arm(kind: str) -> None:
    body = conv_line(kind) + "\n  Out: [y] = hard_swish(X: [c])"
    before = program(body, X, ["y"], {"w": rand(*CONVS[kind][0])})
    assert len(types(optimize(before, ["arm"], passes=[ACT]))) == (2 if "depth" in kind else 1)


@pytest.mark.parametrize("kind", ["conv3d", "conv3d_transpose"])
def test_volumes(kind: str) -> None:
    """batch_norm, an addition and relu, all into one convolution."""
    body = f"""
  Output: [c] = {kind}(Input: [x], Filter: [w]) {{strides: ints [1, 2, 1],
      paddings: ints [1, 0, 1], dilations: ints [1, 1, 1], groups: int 1}}
  Y: [n] = batch_norm(X: [c], {NORM_INPUTS}) {{is_test: bool true, data_layout: string "NCDHW"}}
  Out: [a] = elementwise_add(X: [n], Y: [bias]) {{axis: int 1}}
  Out: [y] = relu(X: [a])"""
    params = {"w": rand(4, 4, 3, 2, 3), **norm_params(4), "bias": rand(4)}
    feed = {"x": rand(2, 4, 5, 6, 4)}
    after = check(program(body, {"x": (-1, 4, 5, 6, 4)}, ["y"], params), feed, NORM, BIAS, ACT)
    assert types(after) == [kind]
