"""Small programs for the optimizer's tests, and the check that a rewrite changed no number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from interpreter import execute
from test_slices import Net

from lite.core.optimizer import optimize
from lite.model.program import Program
from lite.model.text import parse_program

RANDOM = np.random.default_rng(20240301)


def rand(*shape: int, dtype: str = "float32") -> np.ndarray:
    """Normally distributed numbers."""
    return RANDOM.standard_normal(shape).astype(dtype)


def positive(*shape: int) -> np.ndarray:
    """Numbers in [0.5, 1.5)."""
    return RANDOM.random(shape).astype("float32") + np.float32(0.5)


def program(
    body: str,
    feeds: Mapping[str, Any],
    fetches: Sequence[str],
    params: Mapping[str, np.ndarray] | None = None,
    blocks: str = "",
) -> Program:
    """A Program from the lines of its operators; feed and fetch operators are added.

    A feed is given by its shape (fp32) or as ``(dtype word, shape)``.
    """
    lines = ["program version 2006002", "block 0 parent -1 {", "  var feed: feed_minibatch"]
    lines += ["  var fetch: fetch_list"]
    for name, shape in feeds.items():
        word, dims = shape if shape and isinstance(shape[0], str) else ("fp32", shape)
        lines.append(f"  var {name}: lod_tensor {word}[{','.join(map(str, dims))}]")
    for col, name in enumerate(feeds):
        lines.append(f"  Out: [{name}] = feed(X: [feed]) {{col: int {col}}}")
    lines.append(body)
    for col, name in enumerate(fetches):
        lines.append(f"  Out: [fetch] = fetch(X: [{name}]) {{col: int {col}}}")
    lines += ["}", blocks]
    return parse_program("\n".join(lines), params)


def types(of: Program, block: int = 0) -> list[str]:
    """The operator types of a block without feed and fetch."""
    return [op.type for op in of.blocks[block].ops if op.type not in ("feed", "fetch")]


def count(of: Program) -> Counter[str]:
    """How often each operator type stands in the program."""
    return Counter(op.type for block in of.blocks for op in block.ops)


def check_net(net: Net, *passes: str) -> Program:
    """Optimises a small network with some passes; the kernels' numbers stay, those of another
    batch as well."""
    after = optimize(net.program(), ["x86"], passes=passes)
    net.check({name: rand(3, *array.shape[1:]) for name, array in net.fed.items()}, program=after)
    return after


def check(
    before: Program,
    feeds: Mapping[str, np.ndarray],
    *passes: str,
    tolerance: float = 1e-5,
    names: bool = True,
) -> Program:
    """Optimises with some passes (default: all) and compares the numbers; returns the result."""
    snapshot = {name: array.copy() for name, array in before.params.items()}
    expected = execute(before, feeds)
    after = optimize(before, ["x86"], passes=passes or None)
    found = execute(after, feeds)
    assert len(found) == len(expected)
    for a, b in zip(expected, found, strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype
        limit = tolerance * max(float(np.abs(a[np.isfinite(a)]).max(initial=0)), 1e-6)
        np.testing.assert_allclose(b.astype("float64"), a.astype("float64"), rtol=0, atol=limit)
    if names:
        assert after.fetch_names() == before.fetch_names()
        assert after.feed_names() == before.feed_names()
    for name, array in before.params.items():
        np.testing.assert_array_equal(array, snapshot[name])
    return after
