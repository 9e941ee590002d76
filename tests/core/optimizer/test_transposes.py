"""transpose_eliminate_pass: what works in any order of dimensions takes that of its neighbours."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from checking import check_net, types
from harness import rand
from test_slices import Net

PASS = "transpose_eliminate_pass"


def to_nhwc(net: Net, x: str) -> str:
    return net.unary("transpose2", x, axis=[0, *range(2, len(net.shapes[x])), 1])


def to_nchw(net: Net, x: str) -> str:
    rank = len(net.shapes[x])
    return net.unary("transpose2", x, axis=[0, rank - 1, *range(1, rank - 1)])


def nhwc_conv(net: Net, x: str, channels: int = 6, kernel: int = 1) -> str:
    """As tf2onnx writes it."""
    return to_nhwc(net, net.conv(to_nchw(net, x), channels, kernel))


def left(net: Net) -> list[str]:
    return types(check_net(net, PASS))


def constant(net: Net, x: str, *shape: int, axis: int = -1) -> str:
    return net.binary("elementwise_mul", x, net.param(*shape), axis)


BETWEEN: dict[str, Callable[[Net, str], str]] = {
    "relu": lambda net, x: net.unary("relu", x),
    "scale": lambda net, x: net.unary("scale", x, scale=2.0, bias=1.0),
    "cast": lambda net, x: net.unary("cast", x, in_dtype=5, out_dtype=5),
    "sin": lambda net, x: net.unary("sin", x),
    "number": lambda net, x: constant(net, x, 1),
    "channels": lambda net, x: constant(net, x, 6),
    "rows": lambda net, x: constant(net, x, 5, 1, 1),
    "rows by axis": lambda net, x: constant(net, x, 5, axis=1),
    "pixels": lambda net, x: constant(net, x, 5, 7, 6),
    "whole": lambda net, x: constant(net, x, 1, 5, 7, 1),
    "constant first": lambda net, x: net.binary("elementwise_sub", net.param(1, 5, 1, 6), x),
    "smaller constant first": lambda net, x: net.binary("elementwise_sub", net.param(6), x),
    "itself": lambda net, x: net.binary("elementwise_mul", x, x),
    "softmax": lambda net, x: net.unary("softmax", x, axis=-1),
    "softmax over rows": lambda net, x: net.unary("softmax", x, axis=1),
    "pad": lambda net, x: net.unary("pad", x, paddings=[0, 0, 1, 2, 0, 3, 0, 1]),
    "slice": lambda net, x: net.op(
        "slice", {"Input": [x]}, axes=[1, -1], starts=[1, 2], ends=[4, 5]
    )[0],
    "strided slice": lambda net, x: net.op(
        "strided_slice", {"Input": [x]}, axes=[2], starts=[0], ends=[7], strides=[2]
    )[0],
    "mean": lambda net, x: net.unary("reduce_mean", x, dim=[1, 2], keep_dim=True),
    "sum of channels": lambda net, x: net.unary("reduce_sum", x, dim=[-1], keep_dim=True),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_between_two_convolutions(name: str) -> None:
    net = Net(x=rand(2, 5, 7, 3))
    made = BETWEEN[name](net, nhwc_conv(net, "x"))
    net.outputs = [to_nhwc(net, net.conv(to_nchw(net, made), 4))]
    assert left(net) == ["transpose2", "conv2d", net.ops[3][0], "conv2d", "transpose2"]


def test_a_residual_block_and_a_gate() -> None:
    net = Net(x=rand(2, 5, 7, 6))
    first = net.unary("relu", nhwc_conv(net, "x"))
    second = nhwc_conv(net, first, kernel=3)
    mean = net.unary("reduce_mean", second, dim=[1, 2], keep_dim=True)
    gate = net.unary("sigmoid", nhwc_conv(net, net.unary("relu", nhwc_conv(net, mean, 2))))
    whole = net.binary("elementwise_add", net.binary("elementwise_mul", second, gate), first)
    pooled = net.unary("reduce_mean", net.unary("relu", whole), dim=[1, 2])
    net.outputs = [net.binary("matmul_v2", pooled, net.param(6, 10))]
    assert left(net).count("transpose2") == 1


@pytest.mark.parametrize("batch", [-1, 0])
def test_single_pixels_are_turned_by_reshapes(batch: int) -> None:
    net = Net(x=rand(2, 5, 7, 6))
    first = net.unary("relu", nhwc_conv(net, "x"))
    mean = net.unary("reduce_mean", first, dim=[1, 2], keep_dim=True)
    gate = net.conv(net.unary("reshape2", mean, shape=[batch, 6, 1, 1]), 6)
    gate = net.unary("reshape2", net.unary("sigmoid", gate), shape=[batch, 1, 1, 6])
    net.outputs = [nhwc_conv(net, net.binary("elementwise_mul", first, gate))]
    assert not {"reshape2"} & set(left(net))


def test_other_reshapes_stay() -> None:
    net = Net(x=rand(2, 5, 1, 6))
    flat = net.unary("reshape2", net.unary("relu", to_nhwc(net, "x")), shape=[-1, 5, 6, 1])
    net.outputs = [to_nchw(net, net.unary("relu", flat))]
    assert "reshape2" in left(net)


def test_concat_and_split() -> None:
    net = Net(x=rand(2, 5, 7, 3))
    parts = net.split(
        net.concat(nhwc_conv(net, "x"), nhwc_conv(net, "x", 4), axis=-1), 3, 7, axis=3
    )
    net.outputs = [net.conv(to_nchw(net, part), 2) for part in parts]
    assert left(net) == [*["transpose2", "conv2d"] * 2, "concat", "split", "conv2d", "conv2d"]


@pytest.mark.parametrize("shape", [(4, 3), (4, 5, 7, 3)])
def test_lines_and_volumes(shape: tuple[int, ...]) -> None:
    net = Net(x=rand(2, *shape))
    channels_first = [net.unary("exp", to_nchw(net, "x")), net.unary("abs", to_nchw(net, "x"))]
    back = [to_nhwc(net, value) for value in channels_first]
    net.outputs = [net.binary("elementwise_add", *back)]
    assert "transpose2" not in left(net)


def test_the_largest_of_the_channels() -> None:
    net = Net(x=rand(2, 5, 7, 3))
    scores = net.unary("relu", nhwc_conv(net, "x"))
    net.outputs = [net.unary("cast", net.unary("arg_max", scores, axis=-1, dtype=3), out_dtype=5)]
    assert left(net) == ["transpose2", "conv2d", "relu", "arg_max", "cast"]


def test_what_is_read_elsewhere_is_turned_back() -> None:
    net = Net(x=rand(2, 5, 7, 3))
    first = net.unary("relu", nhwc_conv(net, "x"))
    net.outputs = [nhwc_conv(net, first), net.unary("reshape2", first, shape=[0, -1]), first]
    after = check_net(net, PASS)
    assert after.fetch_names() == net.outputs
    assert types(after) == [
        "transpose2",
        "conv2d",
        "relu",
        "transpose2",
        "conv2d",
        "transpose2",
        "reshape2",
    ]


def test_as_many_transposes_stay_as_they_are() -> None:
    net = Net(x=rand(2, 5, 7, 3))
    net.outputs = [net.unary("relu", nhwc_conv(net, "x"))]
    assert left(net) == ["transpose2", "conv2d", "transpose2", "relu"]


def test_the_other_operand_is_no_constant() -> None:
    net = Net(x=rand(2, 5, 7, 3), y=rand(2, 5, 7, 6))
    net.outputs = [nhwc_conv(net, net.binary("elementwise_add", nhwc_conv(net, "x"), "y"))]
    assert left(net) == [
        "transpose2",
        "conv2d",
        "transpose2",
        "elementwise_add",
        "conv2d",
        "transpose2",
    ]


def test_other_orders_stay() -> None:
    net = Net(x=rand(2, 5, 7, 3))
    turned = net.unary("relu", net.unary("transpose2", "x", axis=[0, 2, 1, 3]))
    net.outputs = [net.unary("transpose2", turned, axis=[0, 2, 1, 3])]
    assert left(net) == ["transpose2", "relu", "transpose2"]


@pytest.mark.parametrize("axes", [[0, 3, 1, 2], [0, 1, 3, 2], [3, 2, 1, 0]])
def test_two_in_a_row_are_one_or_none(axes: list[int]) -> None:
    net = Net(x=rand(2, 5, 7, 3))
    net.outputs = [net.unary("relu", net.unary("transpose2", to_nhwc(net, "x"), axis=axes))]
    assert left(net) == (["relu"] if axes == [0, 3, 1, 2] else ["transpose2", "relu"])


@pytest.mark.parametrize("count", [3, 4, 5])
def test_many_in_a_row(count: int) -> None:
    net = Net(x=rand(2, 5, 7, 3))
    value = "x"
    for i in range(count):
        value = (to_nhwc, to_nchw)[i % 2](net, value)
    net.outputs = [net.unary("relu", value)]
    assert left(net) == ["transpose2"] * (count % 2) + ["relu"]


def random_net(seed: int) -> Net:
    choose = random.Random(seed)
    net = Net(x=rand(2, 5, 7, 3))
    values = [nhwc_conv(net, "x"), nhwc_conv(net, "x", kernel=3)]
    for _ in range(choose.randint(4, 16)):
        x = choose.choice(values)
        kind = choose.randrange(6)
        if kind == 0:
            values.append(nhwc_conv(net, x, kernel=choose.choice((1, 3))))
        elif kind == 1:
            same = [value for value in values if net.shapes[value] == net.shapes[x]]
            values.append(net.binary("elementwise_add", x, choose.choice(same)))
        elif kind == 2:
            values.append(to_nhwc(net, net.unary("tanh", to_nchw(net, x))))
        elif kind == 3:
            values.append(nhwc_conv(net, net.concat(x, x, axis=3)))
        elif net.shapes[x] == (2, 5, 7, 6):
            values.append(BETWEEN[choose.choice(list(BETWEEN))](net, x))
        values = [value for value in values if net.shapes[value][-1] == 6]
    net.outputs = [values[-1], *choose.sample(values[:-1], 1)]
    return net


@pytest.mark.parametrize("seed", range(40))
def test_random_nets(seed: int) -> None:
    net = random_net(seed)
    before = [op[0] for op in net.ops].count("transpose2")
    assert left(net).count("transpose2") <= before
