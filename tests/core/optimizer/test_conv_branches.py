"""Convolutions of one input whose results are added, and when they stay two."""

from __future__ import annotations

import numpy as np
import pytest
from checking import check, positive, program, rand, types

from lite.core.optimizer import optimize
from lite.model.program import Program

PASS = "conv_branches_fuse_pass"
X = {"x": (-1, 6, 9, 11)}
NORM = (
    "  Y: [z] = batch_norm(X: [x], Scale: [s], Bias: [o], Mean: [m], Variance: [n]) "
    "{is_test: bool true, epsilon: float 1e-3}"
)
ADD = "  Out: [out] = elementwise_add(X: [y], Y: [z]) {axis: int -1}"


def conv(
    out: str, filter: str, pads: list[int], bias: str = "", groups: int = 1, **more: str
) -> str:
    given = {
        "strides": "ints [1, 1]",
        "paddings": f"ints {pads}",
        "dilations": "ints [1, 1]",
        "groups": f"int {groups}",
        **more,
    }
    kind = "depthwise_conv2d" if groups == 6 else "conv2d"
    attributes = ", ".join(f"{name}: {value}" for name, value in given.items())
    reads = f", Bias: [{bias}]" if bias else ""
    return f"  Output: [{out}] = {kind}(Input: [x], Filter: [{filter}]{reads}) {{{attributes}}}"


def two(first: str, second: str, add: str = ADD, **params: np.ndarray) -> Program:
    return program("\n".join([first, second, add]), X, ["out"], params)


def stays(before: Program) -> bool:
    feeds = {"x": rand(2, 6, 9, 11)}
    return types(check(before, feeds, PASS)) == types(before)


def becomes_one(before: Program) -> Program:
    after = check(before, {"x": rand(2, 6, 9, 11)}, PASS)
    assert len(types(after)) == 1
    return after


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("biases", [("", ""), ("b", ""), ("", "c"), ("b", "c")])
@pytest.mark.parametrize(
    ("large", "small", "stride", "dilation"),
    [
        ((3, 3, [1, 1]), (1, 1, [0, 0]), 1, 1),
        ((3, 3, [1, 1]), (3, 3, [1, 1]), 1, 1),
        ((3, 3, [1, 1]), (1, 1, [0, 0]), 2, 1),
        ((3, 3, [2, 2]), (1, 1, [0, 0]), 1, 2),
        ((7, 7, [3, 3]), (7, 1, [3, 0]), 1, 1),
        ((7, 7, [3, 3]), (1, 7, [0, 3]), 1, 1),
        ((5, 3, [2, 2, 1, 1]), (3, 1, [1, 1, 0, 0]), 1, 1),
        ((3, 3, [0, 2, 1, 1]), (1, 1, [0, 0]), 1, 1),
    ],
)
def test_a_filter_holds_a_smaller_one(large, small, stride, dilation, biases, order) -> None:  # type: ignore[no-untyped-def]
    """Also where it lies off its middle, since the padding is not the same on both sides."""
    more = {"strides": f"ints {[stride] * 2}", "dilations": f"ints {[dilation] * 2}"}
    (h, w, pads), (i, j, others) = large, small
    lines = [conv("y", "v", pads, biases[0], **more), conv("z", "w", others, biases[1], **more)]
    params = {"v": rand(4, 6, h, w), "w": rand(4, 6, i, j)}
    params |= {name: rand(4) for name in biases if name}
    after = becomes_one(two(*lines[::order], **params))
    assert sorted(array.ndim for array in after.params.values()) == [1, 4][not any(biases) :]
    assert max(after.params.values(), key=np.ndim).shape == (4, 6, h, w)


@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("bias", ["", "b"])
@pytest.mark.parametrize(
    ("size", "pads"), [(1, [0, 0]), (3, [1, 1]), (5, [2, 2]), (3, [2, 0, 0, 2])]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_batch_norm_of_the_input(groups, bias, size, pads, swapped) -> None:  # type: ignore[no-untyped-def]
    params = {"w": rand(6, 6 // groups, size, size), "s": rand(6), "o": rand(6), "m": rand(6)}
    params |= {"n": positive(6)} | ({"b": rand(6)} if bias else {})
    add = ADD.replace("X: [y], Y: [z]", "X: [z], Y: [y]") if swapped else ADD
    becomes_one(two(NORM, conv("y", "w", pads, bias, groups), add, **params))


def test_a_chain_becomes_one() -> None:
    """PP-LCNetV3's: a batch_norm, four filters of one size, a small one."""
    lines, params = [NORM], {"s": rand(6), "o": rand(6), "m": rand(6), "n": positive(6)}
    last = "z"
    for k, (size, pad) in enumerate([(1, 0), (3, 1), (3, 1), (3, 1), (5, 2)]):
        params[f"w{k}"] = rand(6, 1, size, size)
        lines.append(conv(f"c{k}", f"w{k}", [pad, pad], groups=6))
        lines.append(f"  Out: [a{k}] = elementwise_add(X: [{last}], Y: [c{k}]) {{axis: int -1}}")
        last = f"a{k}"
    after = becomes_one(program("\n".join(lines), X, [last], params))
    assert types(after) == ["depthwise_conv2d"]


@pytest.mark.parametrize(
    ("first", "second", "shapes", "why"),
    [
        ({}, {"strides": "ints [2, 2]"}, (1, 1), "another stride: broadcasting is refused"),
        ({"paddings": "ints [0, 2, 1, 1]"}, {"paddings": "ints [1, 1, 1, 1]"}, (3, 3), "shifted"),
        ({"dilations": "ints [2, 2]", "paddings": "ints [2, 2]"}, {}, (3, 3), "other pixels"),
        ({}, {"dilations": "ints [2, 2]", "paddings": "ints [2, 2]"}, (5, 3), "holes"),
        ({"paddings": "ints [1, 0]"}, {"paddings": "ints [0, 1]"}, ((3, 1), (1, 3)), "a cross"),
        ({"padding_algorithm": 'string "SAME"'}, {}, (3, 3), "of the input's size"),
        ({"fuse_activation": 'string "relu"', "with_act": "bool true"}, {}, (3, 3), "not linear"),
    ],
)
def test_they_stay_two(first, second, shapes, why) -> None:  # type: ignore[no-untyped-def]
    sizes = [(s, s) if isinstance(s, int) else s for s in shapes]
    lines = [
        conv(out, name, more.pop("paddings", [size[0] // 2, size[1] // 2]), **more)
        for out, name, size, more in zip(
            "yz", "vw", sizes, (dict(first), dict(second)), strict=True
        )
    ]
    lines = [line.replace("ints ints", "ints") for line in lines]
    params = {name: rand(4, 6, *size) for name, size in zip("vw", sizes, strict=True)}
    before = two(*lines, **params)
    assert types(optimize(before, passes=[PASS])) == types(before), why


def test_an_addition_that_does_more_stays() -> None:
    add = ADD.replace("{", '{with_act: bool true, fuse_activation: string "relu", ')
    params = {"v": rand(4, 6, 3, 3), "w": rand(4, 6, 3, 3)}
    before = two(conv("y", "v", [1, 1]), conv("z", "w", [1, 1]), add, **params)
    assert types(optimize(before, passes=[PASS])) == types(before)


def test_other_readers_keep_them() -> None:
    lines = [conv("y", "v", [1, 1]), conv("z", "w", [1, 1]), ADD, "  Out: [r] = relu(X: [z])"]
    params = {"v": rand(4, 6, 3, 3), "w": rand(4, 6, 3, 3)}
    assert stays(program("\n".join(lines), X, ["out", "r"], params))


def test_another_input_keeps_them() -> None:
    second = conv("z", "w", [1, 1]).replace("Input: [x]", "Input: [t]")
    lines = ["  Out: [t] = relu(X: [x])", conv("y", "v", [1, 1]), second, ADD]
    params = {"v": rand(4, 6, 3, 3), "w": rand(4, 6, 3, 3)}
    assert stays(program("\n".join(lines), X, ["out"], params))


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        (conv("y", "w", [0, 0]), (6, 6, 3, 3)),
        (conv("y", "w", [1, 1], strides="ints [2, 2]"), (6, 6, 3, 3)),
        (conv("y", "w", [1, 1]), (4, 6, 3, 3)),
    ],
)
def test_a_batch_norm_of_another_size_stays(line: str, shape: tuple[int, ...]) -> None:
    params = {"w": rand(*shape), "s": rand(6), "o": rand(6), "m": rand(6), "n": positive(6)}
    before = two(NORM, line, **params)
    assert types(optimize(before, passes=[PASS])) == types(before)


def test_numbers_that_overflow_stay() -> None:
    params = {
        "v": np.full((4, 6, 3, 3), 3e38, "float32"),
        "w": np.full((4, 6, 3, 3), 3e38, "float32"),
    }
    before = two(conv("y", "v", [1, 1]), conv("z", "w", [1, 1]), **params)
    assert types(optimize(before, passes=[PASS])) == types(before)
