"""squeeze_eliminate_pass: what stands between convolutions of lines works on images as they do."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from checking import check_net, types
from harness import rand
from test_slices import Net

PASS = "squeeze_eliminate_pass"


def conv1d(net: Net, x: str, channels: int = 6, kernel: int = 3, axis: int = 3) -> str:
    """As the ONNX reader writes it (a column) or tf2onnx does (a row)."""
    taps = [kernel, 1] if axis == 3 else [1, kernel]
    image = net.unary("unsqueeze2", x, axes=[axis])
    inputs = {"Input": [image], "Filter": [net.param(channels, net.shapes[x][1], *taps)]}
    pads = [tap // 2 for tap in taps]
    made = net.op("conv2d", inputs, "Output", paddings=pads, strides=[1, 1])[0]
    return net.unary("squeeze2", made, axes=[axis])


def left(net: Net) -> list[str]:
    """The operators after the pass, which compute the same."""
    return types(check_net(net, PASS))


def norm(net: Net, x: str) -> str:
    params = {slot: [net.param(6)] for slot in ("Scale", "Bias", "Mean")}
    params["Variance"] = [net.param(6)]
    net.params[params["Variance"][0]] = abs(net.params[params["Variance"][0]]) + 0.5
    return net.op("batch_norm", {"X": [x], **params}, "Y", is_test=True)[0]


BETWEEN: dict[str, Callable[[Net, str], str]] = {
    "relu": lambda net, x: net.unary("relu", x),
    "channels": lambda net, x: net.binary("elementwise_mul", x, net.param(6, 1)),
    "channels by axis": lambda net, x: net.binary("elementwise_mul", x, net.param(6), 1),
    "whole": lambda net, x: net.binary("elementwise_mul", net.param(1, 6, 9), x),
    "prelu": lambda net, x: net.op("prelu", {"X": [x], "Alpha": [net.param(6)]}, mode="channel")[0],
    "batch norm": norm,
    "softmax": lambda net, x: net.unary("softmax", x, axis=1),
    "pad": lambda net, x: net.unary("pad", x, paddings=[0, 0, 0, 0, 2, 1]),
    "concat": lambda net, x: net.concat(x, x, axis=-1),
    "slice": lambda net, x: net.op("slice", {"Input": [x]}, axes=[2], starts=[1], ends=[7])[0],
    "sum": lambda net, x: net.unary("reduce_sum", x, dim=[-1], keep_dim=True),
}


@pytest.mark.parametrize("axis", [2, 3])
@pytest.mark.parametrize("name", BETWEEN)
def test_between_two_convolutions(name: str, axis: int) -> None:
    net = Net(x=rand(2, 4, 9))
    made = BETWEEN[name](net, conv1d(net, "x", axis=axis))
    middle = net.ops[-1][0]
    net.outputs = [conv1d(net, made, axis=axis)]
    assert left(net) == ["unsqueeze2", "conv2d", middle, "conv2d", "squeeze2"]


def test_a_residual_block() -> None:
    net = Net(x=rand(2, 6, 9))
    first = net.unary("relu", conv1d(net, "x"))
    second = net.binary(
        "elementwise_add", conv1d(net, net.unary("tanh", conv1d(net, first))), first
    )
    pooled = net.unary("reduce_mean", net.unary("relu", second), dim=[2])
    net.outputs = [net.binary("matmul_v2", pooled, net.param(6, 10))]
    assert not {"squeeze2", "unsqueeze2"} & set(left(net)[1:])


def test_behind_the_last_convolution() -> None:
    net = Net(x=rand(2, 4, 9))
    net.outputs = [net.unary("relu", conv1d(net, "x"))]
    assert left(net) == ["unsqueeze2", "conv2d", "relu", "squeeze2"]


def test_one_behind_the_other() -> None:
    net = Net(x=rand(2, 4, 9))
    net.outputs = [conv1d(net, conv1d(net, "x"))]
    assert left(net) == ["unsqueeze2", "conv2d", "conv2d", "squeeze2"]


def test_images_of_rows_and_columns_stay_apart() -> None:
    net = Net(x=rand(2, 4, 9))
    net.outputs = [conv1d(net, net.unary("relu", conv1d(net, "x", axis=2)), axis=3)]
    assert len(left(net)) == 7


def test_what_more_than_one_dimension_joins_stays() -> None:
    net = Net(x=rand(2, 4, 9), y=rand(2, 6, 9))
    joined = net.binary("elementwise_add", conv1d(net, "x"), "y")
    net.outputs = [net.binary("matmul_v2", joined, net.param(9, 5))]
    assert left(net) == ["unsqueeze2", "conv2d", "squeeze2", "elementwise_add", "matmul_v2"]


def test_no_convolution_no_images() -> None:
    net = Net(x=rand(2, 4, 9))
    squeezed = net.unary(
        "squeeze2", net.unary("exp", net.unary("unsqueeze2", "x", axes=[3])), axes=[3]
    )
    net.outputs = [net.unary("unsqueeze2", net.unary("relu", squeezed), axes=[3])]
    assert left(net) == ["unsqueeze2", "exp", "squeeze2", "relu", "unsqueeze2"]


@pytest.mark.parametrize("seed", range(30))
def test_random_nets(seed: int) -> None:
    choose = random.Random(seed)
    net = Net(x=rand(2, 6, 9))
    values = [conv1d(net, "x", kernel=choose.choice((1, 3)), axis=choose.choice((2, 3)))]
    for _ in range(choose.randint(3, 14)):
        x = choose.choice(values)
        if choose.random() < 0.4:
            values.append(conv1d(net, x, axis=choose.choice((2, 3, 3, 3))))
        elif choose.random() < 0.3:
            same = [value for value in values if net.shapes[value] == net.shapes[x]]
            values.append(net.binary("elementwise_sub", x, choose.choice(same)))
        elif net.shapes[x][2] == 9:
            values.append(BETWEEN[choose.choice(list(BETWEEN))](net, x))
    net.outputs = [values[-1], *choose.sample(values[:-1], 1)]
    assert len(left(net)) <= len(net.ops)
