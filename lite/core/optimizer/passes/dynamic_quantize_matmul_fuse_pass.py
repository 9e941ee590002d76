"""ONNX's DynamicQuantizeLinear, MatMulInteger and the scales behind it become one operator.

The reader writes them in operators that every target knows: sums of floats that hold integers, in
parts where one would be beyond 2^24, and apart from them what was moved out of weights that are
beyond 8 bits (``lite.model.onnx.reader.operators.quantisation``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lite import _core
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.pattern import Match, Pattern
from lite.core.optimizer.quantization.dynamic import fuse_scaled, made_by, rounded_input
from lite.core.optimizer.registry import Pass, register

_LESS = Pattern("""
    Out: [%point_32:shared] = cast(X: [%point]) {out_dtype: int 2}
    Out: [%part:shared] = elementwise_mul(X: [%point_32:shared], Y: [%columns:param])
    Out: [%out] = elementwise_sub(X: [%sums], Y: [%part:shared])
""")
"""Without the zero point times the sums of the weights' columns."""

_MOVED = Pattern("""
    Out: [%integers:shared] = cast(X: [%byte]) {out_dtype: int 2}
    Out: [%rows:shared] = reduce_sum(X: [%integers:shared]) {keep_dim: bool true,
        dim: ints [-1], reduce_all/absent: bool false}
    Out: [%rows_32:shared] = cast(X: [%rows:shared]) {out_dtype: int 2}
    Out: [%part:shared] = elementwise_mul(X: [%rows_32:shared], Y: [%move:param])
    Out: [%out] = elementwise_add(X: [%sums], Y: [%part:shared])
""")
"""With what was moved out of the weights."""

_ROUNDED = """
    Out: [%exact:shared] = fake_quantize_per_tensor_affine(X: [{floats}:shared]) {{scale: float 1.0,
        zero_point: int 0, quant_min: int 0, quant_max: int 255}}
    Out: [%product:shared] = matmul_v2@product(X: [%exact:shared], Y: [%weight:param])
    Out: [%out] = cast(X: [%product:shared]) {{out_dtype: int 2}}
"""
_FLOATS = "Out: [%floats:shared] = cast(X: [%byte]) {out_dtype: int 5}\n"
_SLICE = "Out: [%cut:shared] = slice@cut(Input: [%floats:shared])\n"
_PRODUCTS = (
    Pattern(_FLOATS + _ROUNDED.format(floats="%floats")),
    Pattern(_FLOATS + _SLICE + _ROUNDED.format(floats="%cut")),
)
"""A product of all columns, and of some."""


def _products(graph: Graph, sums: Value) -> Iterator[Match | None]:
    """Those that are added, the last one first."""
    while (node := sums.producer) is not None and node.type == "elementwise_add":
        yield made_by(graph, node.input("Y"), *_PRODUCTS)
        sums = node.inputs["X"][0]
    yield made_by(graph, sums, *_PRODUCTS)


def _weights(products: list[Match], byte: Value) -> np.ndarray[Any, Any] | None:
    """The integers [K, N] by which ``byte`` is multiplied, rows of them in each product."""
    found: list[np.ndarray[Any, Any]] = []
    rows = 0
    for product in products:
        multiplied, weight = product.nodes["product"], product.array("%weight")
        if product.value("%byte") is not byte or weight.ndim != 2:
            return None
        if multiplied.flag("trans_x") or multiplied.flag("trans_y"):
            return None
        cut = product.nodes.get("cut")
        if cut is not None and cut.integers("axes") != [(byte.rank or 0) - 1]:
            return None
        if rows != (cut.integers("starts")[0] if cut is not None else 0):
            return None
        rows += len(weight)
        found.append(weight)
    whole = np.concatenate(found)
    bytes_ = whole.astype(np.int8)
    return bytes_ if rows <= _core.MAX_INT8_SUMMANDS and np.array_equal(whole, bytes_) else None


def _operands(graph: Graph, scaled: Match) -> tuple[Value, dict[str, Any]] | None:
    """The input, and the parameters of the operator that computes the same."""
    less = made_by(graph, scaled.value("%sums"), _LESS)
    if less is None:
        return None
    sums, move = less.value("%sums"), None
    moved = made_by(graph, sums, _MOVED)
    if moved is not None:
        sums, move = moved.value("%sums"), moved.array("%move")
    found = [*_products(graph, sums)]
    products = [product for product in reversed(found) if product is not None]
    if len(products) < len(found):
        return None
    byte = products[0].value("%byte")
    if moved is not None and moved.value("%byte") is not byte:
        return None
    point, step = less.value("%point"), scaled.value("%scale")
    x = rounded_input(graph, scaled.root.block, byte, point, step)
    if x is None:
        return None
    weights, scale = _weights(products, byte), scaled.array("%weight_scale")
    if weights is None or scale.ndim > 1 or scale.size not in (1, weights.shape[1]):
        return None
    columns = weights.sum(0, dtype=np.int64) + (0 if move is None else len(weights) * move)
    if not np.array_equal(columns, less.array("%columns")):
        return None
    made = {"Y": weights, "Scales": scale.reshape(-1)}
    return x, made if move is None else {**made, "ZeroPoints": -move}


def _fuse(graph: Graph, scaled: Match) -> list[Node] | None:
    operands = _operands(graph, scaled)
    if operands is None:
        return None
    x, params = operands
    node, inputs = scaled.root, {"X": [x]}
    for slot, array in params.items():
        inputs[slot] = [graph.add_param(f"{node.outputs['Out'][0].name}.{slot.lower()}", array)]
    outputs = {"Out": list(node.outputs["Out"])}
    return [graph.insert(node, "dynamic_quantize_matmul", inputs, outputs, {})]


register(
    Pass(
        "dynamic_quantize_matmul_fuse_pass",
        run=lambda graph, context: fuse_scaled(graph, context, _fuse),
        once=True,
    )
)
