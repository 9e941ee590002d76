"""Convolutions that follow each other take turns, some rows of each at a time, where what is
between them does not stay in L2: the same bits as one after the other, in less memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness import core
from machines import with_caches
from test_slices import Net

Array = np.ndarray
_L2 = 256 << 10
_HERE = Path(__file__).parent


def _first(net: Net, channels: int, kernel: int = 3, **attrs: Any) -> str:
    """The convolution of a row-major image."""
    return net.conv("x", channels, kernel, **attrs)


def _depthwise(net: Net, x: str, kernel: int = 3, **attrs: Any) -> str:
    channels = net.shapes[x][1]
    return net.conv(x, channels, kernel, groups=channels, **attrs)


def _mobilenet(net: Net) -> list[str]:
    grown = _first(net, 24, strides=[2, 2], with_act=True, act_type="relu6")
    wide = net.conv(_depthwise(net, grown), 40)
    return [grown, wide, net.conv(_depthwise(net, wide, strides=[2, 2]), 8)]


def _expanded(net: Net) -> list[str]:
    x = net.conv(net.pool("x", "max", ksize=[3, 3], strides=[1, 1], paddings=[1, 1]), 8)
    grown = net.unary("hard_swish", net.conv(x, 48))
    narrow = net.conv(_depthwise(net, grown, 5, paddings=[2, 2]), 8)
    return [grown, net.binary("elementwise_add", narrow, x)]


def _uneven(net: Net) -> list[str]:
    """Paddings that differ, a dilation, a gate, and an activation that is not in registers."""
    grown = _first(net, 33, 5, paddings=[0, 2, 1, 2])
    far = _depthwise(net, grown, paddings=[2, 2], dilations=[2, 2])
    gated = net.binary("elementwise_mul", far, net.param(1, 33, 1, 1))
    return [grown, far, net.conv(net.unary("tanh", gated), 5)]


CASES: dict[str, tuple[Callable[[Net], list[str]], tuple[int, ...], bool]] = {
    "mobilenet": (_mobilenet, (1, 3, 129, 131), True),
    "two images": (_mobilenet, (2, 3, 140, 131), True),
    "small": (_mobilenet, (1, 3, 64, 64), False),
    "expanded": (_expanded, (1, 3, 70, 66), True),
    "expanded, small": (_expanded, (1, 3, 30, 30), False),
    "uneven": (_uneven, (2, 3, 67, 90), True),
}
"""Networks whose values are named, their input, and whether L2 is too small for them."""


def _net(name: str, keep: bool) -> Net:
    build, shape, _ = CASES[name]
    rng = np.random.default_rng(3)
    net = Net(x=rng.standard_normal(shape).astype("float32"))
    net.param = lambda *dims: _param(net, rng, dims)  # type: ignore[method-assign]
    values = build(net)
    net.outputs = values if keep else values[-1:]
    return net


def _param(net: Net, rng: np.random.Generator, dims: tuple[int, ...]) -> str:
    name = f"p{len(net.params)}"
    net.params[name] = rng.standard_normal(dims).astype("float32") * 0.3
    return name


def _run(net: Net, threads: int) -> tuple[Array, int]:
    """The last output, and the bytes of the arena."""
    predictor = net.predictor()
    predictor.set_threads(threads)
    predictor.set_input(0, net.fed["x"])
    for _ in range(2):
        predictor.run()
    return predictor.copy_output(len(net.outputs) - 1), predictor.arena_bytes()


def _convolutions(net: Net) -> int:
    return sum("conv2d" in op[0] for op in net.ops)


def _check(name: str) -> None:
    """What is fetched is kept whole, so the second network runs operator by operator there."""
    turns, apart = _net(name, keep=False), _net(name, keep=True)
    result, arena = _run(turns, 1)
    whole, _ = _run(apart, 1)
    np.testing.assert_array_equal(result, whole)
    for threads in (2, 3, 7):
        np.testing.assert_array_equal(_run(turns, threads)[0], result)
    right = turns.alone(turns.fed)[0]
    np.testing.assert_allclose(result, right, rtol=0, atol=2e-5 * float(np.abs(right).max()))
    profile = core().profile(turns.predictor(), [(turns.fed["x"], [])], 1, 2)
    records, events = profile.records, profile.events()
    named = [records[i].type for i, *_ in events if records[i].kind == "operator"]
    assert named == 2 * named[: len(named) // 2], named
    assert named.count("conv2d") + named.count("depthwise_conv2d") == 2 * _convolutions(turns)
    assert (events[:, 2] <= events[:, 3]).all()
    largest = max(4 * int(np.prod(shape)) for shape in turns.shapes.values())
    assert (arena < largest) == CASES[name][2], f"{arena} bytes of arena, a value has {largest}"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a machine whose caches are known."""
    folder = with_caches(tmp_path_factory.mktemp("cpu"), "32K", f"{_L2 >> 10}K")
    return {**os.environ, "LITE_CPU_FOLDER": str(folder)}


@pytest.mark.parametrize("name", CASES)
def test_turns_give_the_same_bits(name: str, machine: dict[str, str]) -> None:
    command = [sys.executable, "-c", f"import test_strips; test_strips._check({name!r})"]
    paths = map(str, (_HERE, *_HERE.parents[:2]))
    machine = {**machine, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, env=machine, cwd=_HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
