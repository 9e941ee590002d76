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
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import DataType
from lite.model.text import print_op

_STEPS = Pattern("""
    Out: [%min:shared] = reduce_min(X: [%x]) {reduce_all: bool true, keep_dim: bool false}
    Out: [%low:shared] = elementwise_min(X: [%min:shared], Y: [%zero:param])
    Out: [%max:shared] = reduce_max(X: [%x]) {reduce_all: bool true, keep_dim: bool false}
    Out: [%high:shared] = elementwise_max(X: [%max:shared], Y: [%zero:param])
    Out: [%span:shared] = elementwise_sub(X: [%high:shared], Y: [%low:shared])
    Out: [%scale:shared] = elementwise_div(X: [%span:shared], Y: [%steps:param])
    Out: [%below:shared] = scale(X: [%low:shared]) {scale: float -1.0, bias/absent: float 0.0}
    Out: [%offset:shared] = elementwise_div(X: [%below:shared], Y: [%scale:shared])
    Out: [%held:shared] = clip(X: [%offset:shared]) {min: float 0.0, max: float 255.0}
    out: [%whole:shared] = rint(x: [%held:shared])
    Out: [%point:shared] = cast(X: [%whole:shared]) {out_dtype: int 20}
    Out: [%moved:shared] = cast(X: [%point:shared]) {out_dtype: int 5}
    Out: [%divided:shared] = elementwise_div(X: [%x], Y: [%scale:shared])
    out: [%rounded:shared] = rint(x: [%divided:shared])
    Out: [%above:shared] = elementwise_add(X: [%rounded:shared], Y: [%moved:shared])
    Out: [%in_range:shared] = clip(X: [%above:shared]) {min: float 0.0, max: float 255.0}
    Out: [%integer:shared] = cast(X: [%in_range:shared]) {out_dtype: int 2}
    Out: [%byte] = cast(X: [%integer:shared]) {out_dtype: int 20}
""")
"""DynamicQuantizeLinear: ``byte`` of ``x``, with ``scale`` and ``point``."""

_SCALED = Pattern("""
    Out: [%real:shared] = cast(X: [%sums]) {out_dtype: int 5}
    Out: [%factor:shared] = elementwise_mul(X/Y: [%scale], Y/X: [%weight_scale:param])
    Out: [%out] = elementwise_mul(X/Y: [%real:shared], Y/X: [%factor:shared])
""")
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


def _match(graph: Graph, value: Value | None, *patterns: Pattern) -> Match | None:
    """What made a value, by the first pattern that fits."""
    root = value.producer if value is not None else None
    if root is None:
        return None
    for pattern in patterns:
        if root.type in pattern.root.types and pattern.possible(root):
            found = pattern.match(graph, root, frozenset({"%out", "%byte"}))
            if found is not None:
                return found
    return None


def _products(graph: Graph, sums: Value) -> Iterator[Match | None]:
    """Those that are added, the last one first."""
    while (node := sums.producer) is not None and node.type == "elementwise_add":
        yield _match(graph, node.input("Y"), *_PRODUCTS)
        sums = node.inputs["X"][0]
    yield _match(graph, sums, *_PRODUCTS)


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
    less = _match(graph, scaled.value("%sums"), _LESS)
    if less is None:
        return None
    sums, move = less.value("%sums"), None
    moved = _match(graph, sums, _MOVED)
    if moved is not None:
        sums, move = moved.value("%sums"), moved.array("%move")
    found = [*_products(graph, sums)]
    products = [product for product in reversed(found) if product is not None]
    if len(products) < len(found):
        return None
    byte = products[0].value("%byte")
    steps = _match(graph, byte, _STEPS)
    if steps is None or steps.root.block is not scaled.root.block:
        return None
    x = steps.value("%x")
    if x.dtype != DataType.FP32 or not x.stable:
        return None
    if [steps.array(name).tolist() for name in ("%zero", "%steps")] != [0, 255]:
        return None
    links = ((less, "%point"), (scaled, "%scale"), *([(moved, "%byte")] if moved else []))
    if any(match.value(name) is not steps.value(name) for match, name in links):
        return None
    weights, scale = _weights(products, byte), scaled.array("%weight_scale")
    if weights is None or scale.ndim > 1 or scale.size not in (1, weights.shape[1]):
        return None
    columns = weights.sum(0, dtype=np.int64) + (0 if move is None else len(weights) * move)
    if not np.array_equal(columns, less.array("%columns")):
        return None
    made = {"Y": weights, "Scales": scale.reshape(-1)}
    return x, made if move is None else {**made, "ZeroPoints": -move}


def _replace(graph: Graph, node: Node, x: Value, params: dict[str, Any]) -> Node:
    inputs = {"X": [x]}
    for slot, array in params.items():
        inputs[slot] = [graph.add_param(f"{node.outputs['Out'][0].name}.{slot.lower()}", array)]
    outputs = {"Out": list(node.outputs["Out"])}
    made = graph.insert(node, "dynamic_quantize_matmul", inputs, outputs, {})
    graph.remove(node)
    return made


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        if not block.of_type("rint"):
            continue
        for node in block.of_type("elementwise_mul"):
            scaled = _match(graph, node.output("Out"), _SCALED)
            operands = _operands(graph, scaled) if scaled is not None else None
            if operands is None:
                continue
            before = [print_op(node.desc())] if context.trace is not None else []
            made = _replace(graph, node, *operands)
            after = [print_op(made.desc())] if context.trace is not None else []
            context.record(block.index, before, after)


register(Pass("dynamic_quantize_matmul_fuse_pass", run=_run, once=True))
