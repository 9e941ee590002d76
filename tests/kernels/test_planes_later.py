"""What grows a tensor that is read as planes afterwards runs on planes: the layout changes where
there is least of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness import core, rand
from test_slices import Net


def _grown(net: Net, x: str, type: str = "bilinear_interp_v2") -> str:
    return net.op(type, {"X": [x]}, out_h=24, out_w=28, align_corners=False)[0]


def _head(net: Net) -> None:
    """A segmentation network's end: scores, resized, an activation."""
    net.outputs = [net.unary("sigmoid", _grown(net, net.conv("x", 19)))]


def _cubic(net: Net) -> None:
    net.outputs = [_grown(net, net.conv("x", 5), "bicubic_interp_v2")]


def _most(net: Net) -> None:
    """Two resized maps and one that is not, joined: less to convert than the whole."""
    maps = [_grown(net, net.conv("x", channels)) for channels in (6, 7)]
    net.outputs = [net.concat(*maps, net.conv(_grown(net, net.conv("x", 2)), 3))]


def _read_by_a_convolution(net: Net) -> None:
    grown = _grown(net, net.conv("x", 19))
    net.outputs = [net.unary("sigmoid", grown), net.conv(grown, 3, 3)]


def _shrunk(net: Net) -> None:
    net.outputs = [net.pool(net.conv("x", 19), "max", ksize=[2, 2], strides=[2, 2])]


def _of_one_size(net: Net) -> None:
    a, b = net.conv("x", 19), net.conv("x", 19)
    net.outputs = [net.unary("sigmoid", net.binary("elementwise_add", net.unary("tanh", a), b))]


# Networks, and whose kernels for planes and for pixels run in them.
NETS: dict[str, tuple[Callable[[Net], None], set[str], set[str]]] = {
    "head": (_head, {"bilinear_interp_v2"}, {"conv2d"}),
    "cubic": (_cubic, {"bicubic_interp_v2"}, {"conv2d"}),
    "most": (_most, {"bilinear_interp_v2", "concat"}, {"bilinear_interp_v2", "conv2d"}),
    "read by a convolution": (_read_by_a_convolution, set(), {"bilinear_interp_v2", "conv2d"}),
    "shrunk": (_shrunk, set(), {"conv2d", "pool2d"}),
    "of one size": (_of_one_size, set(), {"conv2d"}),
}


@pytest.mark.parametrize("name", NETS)
def test_layout_changes_where_there_is_least(name: str) -> None:
    build, planes, pixels = NETS[name]
    net = Net(x=rand(2, 8, 12, 14))
    build(net)
    net.check()
    profile = core().profile(net.predictor(), [(net.fed["x"], [])], 1, 2)
    records = [record for record in profile.records if record.kind == "operator"]
    for layout, expected in (("nchw", planes), ("nhwc", pixels)):
        assert {record.type for record in records if record.layout == layout} == expected
