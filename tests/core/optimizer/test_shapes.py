"""Shape rules of the optimizer against numpy's broadcasting."""

from __future__ import annotations

import numpy as np
import pytest
from checking import program

from lite.core.optimizer.broadcasting import broadcast
from lite.core.optimizer.build import to_graph
from lite.core.optimizer.graph import Shape
from lite.core.optimizer.infer import infer
from lite.core.optimizer.shape_rules import _SHAPE_RULES
from lite.model.declared import declared


@pytest.mark.parametrize(
    ("x", "y", "axis", "y_as_numpy"),
    [
        ((2, 3, 4), (3, 4), -1, (1, 3, 4)),
        ((2, 3, 4), (3,), 1, (1, 3, 1)),
        ((2, 3, 4), (2, 3, 1), 0, (2, 3, 1)),
        ((2, 3, 4), (3, 1), 1, (1, 3, 1)),
        # With equal ranks the attribute means nothing.
        ((1, 1, 3, 3), (2, 4, 1, 1), 1, (2, 4, 1, 1)),
        ((2, 4, 1, 1), (1, 1, 3, 3), 2, (1, 1, 3, 3)),
    ],
)
def test_old_axis(x: Shape, y: Shape, axis: int, y_as_numpy: tuple[int, ...]) -> None:
    wanted = np.broadcast_shapes(tuple(n or 0 for n in x), y_as_numpy)
    assert broadcast(x, y, axis) == wanted


def test_unknown_dimensions() -> None:
    assert broadcast((None, 4), (None, 1), -1) == (None, 4)
    assert broadcast((None, 4), (3, 4), -1) == (3, 4)
    assert broadcast(None, (3,), -1) is None
    assert broadcast((2, 3), (3, 4, 5), 2) is None


def test_a_scan_of_all_elements_is_flat() -> None:
    body = "  Out: [y] = cumsum(X: [x]) {flatten: bool true}\n  Out: [z] = logcumsumexp(X: [x]) {}"
    graph = to_graph(program(body, {"x": (2, 3)}, ["y", "z"]))
    infer(graph)
    found = {v.name: v.shape for node in graph.nodes() for v in node.output_values()}
    assert found["y"] == (None,)
    assert found["z"] == (None, None)


@pytest.mark.parametrize("y", [(), (5,)])
def test_a_product_with_a_weight_of_too_few_dimensions(y: tuple[int, ...]) -> None:
    body = "  Out: [o] = dynamic_quantize_matmul(X: [x], Y: [y], Scales: [s])"
    graph = to_graph(program(body, {"x": (2, 5), "y": y, "s": (1,)}, ["o"]))
    infer(graph)
    found = {v.name: v.shape for node in graph.nodes() for v in node.output_values()}
    assert found["o"] is None


def test_rules_are_of_operators() -> None:
    assert [name for name in _SHAPE_RULES if declared(name) is None] == []


@pytest.mark.parametrize("version", ["", "_v2"])
@pytest.mark.parametrize(
    ("kind", "dims"),
    [("linear", 3), ("nearest", 4), ("bilinear", 4), ("bicubic", 4), ("trilinear", 5)],
)
def test_a_resize_keeps_images_and_channels(kind: str, dims: int, version: str) -> None:
    body = f"  Out: [o] = {kind}_interp{version}(X: [x])"
    x = np.zeros((2, 5, 4, 4, 4)[:dims], np.float32)
    graph = to_graph(program(body, {}, ["o"], {"x": x}))
    infer(graph)
    found = {v.name: v.shape for node in graph.nodes() for v in node.output_values()}
    assert found["o"] == (2, 5, *(None,) * (dims - 2))
