"""What stands behind a convolution in integers goes into its scales and its bias."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, positive, program, rand, types

from lite.core.optimizer import optimize
from lite.model.program import OpDesc, Program

FUSE = "lite_quant_dequant_fuse_pass"
FOLD = "quantization_folding_pass"
SIMULATE = "quantization_simulation_pass"
ROUND = "fake_quantize_dequantize_moving_average_abs_max"
X4 = {"x": (2, 3, 6, 6)}
ATTRS = "strides: ints [1, 1], paddings: ints [1, 1], dilations: ints [1, 1]"
BATCH_NORM = """Y: [y] = batch_norm(
    X: [c], Scale: [gamma], Bias: [beta], Mean: [mean], Variance: [var]) {
    is_test: bool true, epsilon: float 1e-05}"""
KINDS = {"conv2d": (4, 3, 3, 3), "depthwise_conv2d": (3, 1, 3, 3), "conv2d_transpose": (3, 4, 3, 3)}


def quantised(tail: str, kind: str = "conv2d", more: str = "", **params: np.ndarray) -> Program:
    """A convolution whose operands are rounded, and what follows."""
    more = f", {more}" if more else ""
    axis, groups = int("transpose" in kind), 3 if "depthwise" in kind else 1
    body = f"""
        Out: [q] = {ROUND}(X: [x], InScale: [s]) {{is_test: bool true}}
        Out: [v] = fake_channel_wise_quantize_dequantize_abs_max(X: [w]) {{quant_axis: int {axis}}}
        Output: [c] = {kind}(Input: [q], Filter: [v]) {{{ATTRS}, groups: int {groups}{more}}}
        {tail}
        """
    constants = {"s": np.float32([2.5]), "w": rand(*KINDS[kind]), **params}
    return program(body, X4, ["y"], constants)


def conv_of(before: Program) -> tuple[Program, OpDesc]:
    after = optimize(before, passes=[FUSE, FOLD])
    (conv,) = (op for op in after.root.ops if "conv" in op.type)
    return after, conv


@pytest.mark.parametrize("kind", KINDS)
def test_batch_norm(kind: str) -> None:
    """A negative factor turns the steps around, 0 makes them nothing."""
    channels = 3 if "depthwise" in kind else 4
    gamma = np.float32([1.5, -0.5, 0, 2])[:channels]
    norm = {name: rand(channels) for name in ("beta", "mean")}
    before = quantised(BATCH_NORM, kind, gamma=gamma, var=positive(channels), **norm)
    after, conv = conv_of(before)
    assert types(after) == [kind]
    steps = after.params[conv.inputs["Filter"][0]]
    assert steps.dtype == np.int8 and np.abs(steps).max() == 127
    assert all(scale > 0 for scale in conv.attr("Filter0_scale"))
    check(before, {"x": rand(2, 3, 6, 6)}, FUSE, FOLD, SIMULATE)


@pytest.mark.parametrize(
    "tail",
    [
        "Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}",
        "Out: [y] = elementwise_mul(X: [k], Y: [c]) {axis: int -1}",
        """Out: [d] = elementwise_mul(X: [k], Y: [c]) {axis: int -1}
        Out: [y] = elementwise_add(X: [d], Y: [b]) {axis: int 1}""",
    ],
)
def test_biases_and_factors(tail: str) -> None:
    before = quantised(tail, b=rand(4), k=np.float32([-0.25]))
    assert types(conv_of(before)[0]) == ["conv2d"]
    check(before, {"x": rand(2, 3, 6, 6)}, FUSE, FOLD, SIMULATE)


def test_what_is_no_number_a_channel_stays() -> None:
    tail = "Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int -1}"
    after, _ = conv_of(quantised(tail, b=rand(6, 6)))
    assert types(after) == ["conv2d", "elementwise_add"]


@pytest.mark.parametrize(
    "more", ['data_format: string "NHWC"', "fuse_residual_connection: bool true"]
)
def test_other_convolutions_stay(more: str) -> None:
    tail = "Out: [y] = elementwise_mul(X: [c], Y: [k]) {axis: int -1}"
    before = quantised(tail, more=more, k=np.float32([2]))
    assert types(conv_of(before)[0]) == ["conv2d", "elementwise_mul"]


def test_what_others_read_too_stays() -> None:
    tail = """Out: [d] = elementwise_add(X: [c], Y: [b]) {axis: int 1}
        Out: [y] = elementwise_add(X: [c], Y: [d])"""
    after, _ = conv_of(quantised(tail, b=rand(4)))
    assert types(after) == ["conv2d", "elementwise_add", "elementwise_add"]


def test_a_bias_beside_a_dead_channel_fits_into_32_bits() -> None:
    """The channel's weights are next to nothing, and so are their steps."""
    weight = rand(4, 3, 3, 3)
    weight[2] *= np.float32(1e-12)
    tail = "Out: [y] = elementwise_add(X: [c], Y: [b]) {axis: int 1}"
    before = quantised(tail, w=weight, b=np.float32([1, -2, 3, 4]))
    after, conv = conv_of(before)
    steps = 3 / (2.5 / 127 * conv.attr("Filter0_scale")[2])
    assert steps <= 2**30 * 1.001
    assert not after.params[conv.inputs["Filter"][0]][2].any()
    check(before, {"x": rand(2, 3, 6, 6)}, FUSE, FOLD, SIMULATE)


def test_what_an_observer_saw_is_the_range() -> None:
    """As PostTrainingQuantization writes it in ONNX's form."""
    observed = """
        Y: [o] = quantize_linear(X: [c], Scale: [t], ZeroPoint: [z]) {
            only_observer: bool true, quant_axis: int -1, bit_length: int 8}
        Y: [p] = dequantize_linear(X: [o], Scale: [t], ZeroPoint: [z]) {
            only_observer: bool true, quant_axis: int -1, bit_length: int 8}
        Out: [y] = relu(X: [p])"""
    before = quantised(observed, t=np.float32([7]), z=np.float32([0]))
    after, conv = conv_of(before)
    assert types(after) == ["conv2d", "relu"]
    assert conv.attr("Output0_threshold") == 7
