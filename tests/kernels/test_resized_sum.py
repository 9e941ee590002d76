"""What a sum with a resized image begins with, computed in the walk that resizes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness import core, rand
from test_slices import Net

BASES: dict[str, Callable[[Net, str], str]] = {
    "relu": lambda net, x: net.unary("relu", x),
    "relu6": lambda net, x: net.unary("relu6", x),
    "sigmoid": lambda net, x: net.unary("sigmoid", x),
    "relu, then a factor": lambda net, x: net.binary(
        "elementwise_mul", net.unary("relu", x), net.param(16), axis=1
    ),
    "a factor, then relu": lambda net, x: net.unary(
        "relu", net.binary("elementwise_mul", x, net.param(16), axis=1)
    ),
    "two activations": lambda net, x: net.unary("tanh", net.unary("relu", x)),
}


@pytest.mark.parametrize("type", ["bilinear_interp_v2", "nearest_interp_v2"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", BASES)
def test_resized_sum(name: str, turned: bool, type: str) -> None:
    net = Net(x=rand(2, 8, 12, 14))
    wide = net.conv("x", 16)
    small = net.conv(net.pool(wide, "avg", ksize=[2, 2], strides=[2, 2]), 16)
    base = BASES[name](net, wide)
    grown = net.op(type, {"X": [small]}, out_h=12, out_w=14, align_corners=False)[0]
    pair = (grown, base) if turned else (base, grown)
    net.outputs = [net.unary("hard_swish", net.binary("elementwise_add", *pair)), wide]
    net.check({"x": rand(1, 8, 12, 14)})
    profile = core().profile(net.predictor(), [(net.fed["x"], [])], 1, 2)
    (walk,) = (record for record in profile.records if record.type == type)
    assert turned or len(walk.steps) >= 3, walk.steps
