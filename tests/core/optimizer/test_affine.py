"""Multiplications and additions per channel before and behind convolutions; fused activations."""

from __future__ import annotations

import pytest
from checking import check, program, rand, types

MUL = "conv_elementwise_mul_fuse_pass"
SCALE = "lite_conv_scale_fuse_pass"
INPUT = "conv_input_affine_fuse_pass"
X = {"x": (-1, 4, 6, 6)}
SHAPES = {
    "conv2d": ((6, 4, 3, 3), 1),
    "depthwise_conv2d": ((8, 1, 3, 3), 4),
    "conv2d_transpose": ((4, 6, 3, 3), 1),
}


def conv(kind: str, source: str, out: str, pad: int = 1, bias: str = "", extra: str = "") -> str:
    return (
        f"Output: [{out}] = {kind}(Input: [{source}], Filter: [w]{bias}) {{strides: ints [1, 1], "
        f"paddings: ints [{pad}, {pad}], dilations: ints [1, 1], groups: int {SHAPES[kind][1]}"
        f"{extra}}}\n"
    )


def channels(kind: str) -> int:
    shape, groups = SHAPES[kind]
    return shape[1] * groups if "transpose" in kind else shape[0]


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("bias", ["", ", Bias: [b]"])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("single", [False, True])
def test_multiplication_behind(kind: str, bias: str, swap: bool, single: bool) -> None:
    c = channels(kind)
    shape = (1,) if single else (1, c, 1, 1)
    operands = "X: [f], Y: [c]" if swap else "X: [c], Y: [f]"
    body = (
        conv(kind, "x", "c", bias=bias) + f"Out: [y] = elementwise_mul({operands}) {{axis: int -1}}"
    )
    params = {"w": rand(*SHAPES[kind][0]), "b": rand(c), "f": rand(*shape)}
    assert types(check(program(body, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, MUL)) == [kind]


def test_division_behind() -> None:
    body = conv("conv2d", "x", "c") + "Out: [y] = elementwise_div(X: [c], Y: [f]) {axis: int 1}"
    params = {"w": rand(6, 4, 3, 3), "f": rand(6)}
    assert types(check(program(body, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, MUL)) == ["conv2d"]
    swapped = body.replace("X: [c], Y: [f]", "X: [f], Y: [c]").replace(
        "axis: int 1", "axis: int -1"
    )
    params["f"] = rand(1, 6, 1, 1)
    after = check(program(swapped, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, MUL)
    assert types(after) == ["conv2d", "elementwise_div"]


def test_division_by_zero_stays() -> None:
    body = conv("conv2d", "x", "c") + "Out: [y] = elementwise_div(X: [c], Y: [f]) {axis: int 1}"
    params = {"w": rand(6, 4, 3, 3), "f": rand(6) * 0}
    from lite.core.optimizer import optimize

    assert len(types(optimize(program(body, X, ["y"], params), passes=[MUL]))) == 2


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("bias", ["", ", Bias: [b]"])
@pytest.mark.parametrize("after_scale", ["true", "false"])
@pytest.mark.parametrize("shift", [0.0, 0.75])
def test_scale_behind(kind: str, bias: str, after_scale: str, shift: float) -> None:
    body = conv(kind, "x", "c", bias=bias) + (
        f"Out: [y] = scale(X: [c]) {{scale: float -1.5, bias: float {shift}, "
        f"bias_after_scale: bool {after_scale}}}"
    )
    params = {"w": rand(*SHAPES[kind][0]), "b": rand(channels(kind))}
    assert types(check(program(body, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, SCALE)) == [kind]


def test_scale_behind_an_activation_stays() -> None:
    body = conv("conv2d", "x", "c", extra=', with_act: bool true, act_type: string "relu"') + (
        "Out: [y] = scale(X: [c]) {scale: float -1.5}"
    )
    after = check(program(body, X, ["y"], {"w": rand(6, 4, 3, 3)}), {"x": rand(2, 4, 6, 6)}, SCALE)
    assert types(after) == ["conv2d", "scale"]


INPUTS = [
    ("scale(X: [r]) {scale: float 0.5}", None),
    ("scale(X: [r]) {scale: float 0.5, bias: float 2.0}", None),
    ("elementwise_mul(X: [r], Y: [f])", (1, 4, 1, 1)),
    ("elementwise_mul(X: [f], Y: [r])", (1,)),
    ("elementwise_add(X: [r], Y: [f])", (1, 4, 1, 1)),
    ("elementwise_add(X: [f], Y: [r])", (1,)),
    ("elementwise_sub(X: [r], Y: [f])", (4, 1, 1)),
    ("elementwise_div(X: [r], Y: [f])", (4, 1, 1)),
]
FIRST = (
    "Output: [r] = conv2d(Input: [x], Filter: [v]) {strides: ints [1, 1], paddings: ints [0, 0], "
    'dilations: ints [1, 1], groups: int 1, with_act: bool true, act_type: string "relu"}\n'
)


@pytest.mark.parametrize("kind", ["conv2d", "depthwise_conv2d"])
@pytest.mark.parametrize(("op", "shape"), INPUTS)
@pytest.mark.parametrize("pad", [0, 1])
@pytest.mark.parametrize("act", ["", ', with_act: bool true, act_type: string "relu"'])
def test_affine_in_front(
    kind: str, op: str, shape: tuple[int, ...] | None, pad: int, act: str
) -> None:
    body = FIRST + f"Out: [s] = {op}\n" + conv(kind, "s", "y", pad, extra=act)
    params = {"v": rand(4, 4, 1, 1), "w": rand(*SHAPES[kind][0])}
    if shape is not None:
        params["f"] = rand(*shape) + 2
    after = check(program(body, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, INPUT)
    adds = "add" in op or "sub" in op or "bias" in op
    assert len(types(after)) == (3 if adds and pad else 2)


def test_an_operand_that_enlarges_the_input_stays() -> None:
    first = FIRST.replace("groups: int 1", "groups: int 1")
    body = first + "Out: [s] = elementwise_mul(X: [r], Y: [f])\n" + conv("conv2d", "s", "y")
    params = {"v": rand(1, 4, 1, 1), "w": rand(6, 4, 3, 3), "f": rand(1, 4, 1, 1)}
    after = check(program(body, X, ["y"], params), {"x": rand(2, 4, 6, 6)}, INPUT)
    assert "elementwise_mul" in types(after)


def test_swish_is_recognised() -> None:
    body = "Out: [s] = sigmoid(X: [x])\nOut: [y] = elementwise_mul(X: [x], Y: [s])"
    name = "lite_sigmoid_elementmul_fuse_pass"
    assert types(check(program(body, X, ["y"]), {"x": rand(2, 4, 6, 6)}, name)) == ["swish"]
    other = "Out: [s] = sigmoid(X: [x])\nOut: [y] = elementwise_mul(X: [z], Y: [s])"
    before = program(other, {**X, "z": (-1, 4, 6, 6)}, ["y"])
    after = check(before, {"x": rand(2, 4, 6, 6), "z": rand(2, 4, 6, 6)}, name)
    assert types(after) == ["sigmoid", "elementwise_mul"]


@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "max", "min"])
def test_relu_joins_an_elementwise_operator(op: str) -> None:
    body = f"Out: [m] = elementwise_{op}(X: [x], Y: [z]) {{axis: int 1}}\nOut: [y] = relu(X: [m])"
    before = program(body, {**X, "z": (4, 6)}, ["y"])
    after = check(
        before,
        {"x": rand(2, 4, 6, 6), "z": rand(4, 6) + 5},
        "lite_elementwise_activation_fuse_pass",
    )
    assert types(after) == [f"fusion_elementwise_{op}_activation"]


def test_relu_of_integers_stays() -> None:
    body = "Out: [m] = elementwise_add(X: [x], Y: [z])\nOut: [y] = relu(X: [m])"
    before = program(body, {"x": ("int64", (3,)), "z": ("int64", (3,))}, ["y"])
    feeds = {"x": rand(3).astype("int64"), "z": rand(3).astype("int64")}
    assert len(types(check(before, feeds, "lite_elementwise_activation_fuse_pass"))) == 2


@pytest.mark.parametrize(("epsilon", "left"), [(1e-12, 1), (1e-4, 3)])
def test_normalisation_by_length(epsilon: float, left: int) -> None:
    body = (
        "Out: [n] = p_norm(X: [x]) {porder: float 2.0, axis: int 1, keepdim: bool true}\n"
        f"Out: [e] = fill_constant() {{shape: ints [1], value: float {epsilon}, dtype: int 5}}\n"
        "Out: [m] = elementwise_max(X: [n], Y: [e]) {axis: int -1}\n"
        "Out: [y] = elementwise_div(X: [x], Y: [m]) {axis: int -1}"
    )
    after = check(
        program(body, {"x": (-1, 8)}, ["y"]),
        {"x": rand(3, 8)},
        "fill_constant_calc_offline_pass",
        "p_norm_fill_constant_max_div_fuse_pass",
    )
    assert len(types(after)) == left
