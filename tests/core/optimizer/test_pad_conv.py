"""pad_conv_fuse_pass: zeros around an image are the convolution's own padding."""

from __future__ import annotations

from typing import Any

import pytest
from checking import types
from harness import rand
from test_slices import Net

from lite.core.optimizer import optimize
from lite.model.program import Program

PASS = "pad_conv_fuse_pass"


def fused(pad: dict[str, Any], type: str = "pad", **conv: Any) -> Program:
    net = Net(x=rand(2, 4, 6, 7))
    net.outputs = [net.conv(net.unary(type, "x", **pad), 4, 3, **conv)]
    after = optimize(net.program(), ["x86"], passes=(PASS,))
    net.check({"x": rand(1, 4, 9, 5)}, program=after)
    return after


@pytest.mark.parametrize(
    ("type", "pads", "conv", "expected"),
    [
        ("pad", [0, 0, 0, 0, 0, 1, 0, 1], {"paddings": [0, 0], "strides": [2, 2]}, [0, 1, 0, 1]),
        ("pad", [0, 0, 0, 0, 1, 2, 0, 3], {"paddings": [1, 2]}, [2, 3, 2, 5]),
        ("pad", [0, 0, 0, 0, 0, 1, 2, 3], {"paddings": [4, 3, 2, 1]}, [4, 4, 4, 4]),
        ("pad", [0] * 6 + [2, 2], {"padding_algorithm": "VALID"}, [0, 0, 2, 2]),
        ("pad", [0, 0, 0, 0, 0, 1, 0, 1], {"groups": 4}, [1, 2, 1, 2]),
        ("pad2d", [1, 0, 2, 0], {"paddings": [0, 0]}, [1, 0, 2, 0]),
    ],
)
def test_it_is_the_convolutions(
    type: str, pads: list[int], conv: dict[str, Any], expected: list[int]
) -> None:
    after = fused({"paddings": pads}, type, **conv)
    assert types(after) == ["depthwise_conv2d" if "groups" in conv else "conv2d"]
    assert after.root.ops[1].attr("paddings") == expected


@pytest.mark.parametrize(
    ("type", "pad", "conv"),
    [
        ("pad", {"paddings": [0] * 5 + [1, 0, 1], "pad_value": 0.5}, {}),
        ("pad", {"paddings": [0, 1, 0, 0, 0, 1, 0, 1]}, {}),
        ("pad", {"paddings": [0, 0, 0, 1, 0, 1, 0, 1]}, {}),
        ("pad", {"paddings": [0, 0, 0, 0, 0, -1, 0, 1], "may_cut": True}, {}),
        ("pad", {"paddings": [0] * 5 + [1, 0, 1], "mode": "edge"}, {}),
        ("pad", {"paddings": [0] * 5 + [1, 0, 1]}, {"padding_algorithm": "SAME"}),
        ("pad2d", {"paddings": [1, 0, 1, 0], "mode": "reflect"}, {}),
        ("pad2d", {"paddings": [1, 0, 1, 0], "pad_value": -1.0}, {}),
    ],
)
def test_others_stay(type: str, pad: dict[str, Any], conv: dict[str, Any]) -> None:
    assert types(fused(pad, type, **conv)) == [type, "conv2d"]
