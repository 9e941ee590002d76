"""What is rounded to 256 steps of what it holds: DynamicQuantizeLinear of ONNX, as its reader
writes it in operators that every target knows, and the scales behind sums of its integers."""

from __future__ import annotations

from collections.abc import Callable

from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.pattern import Match, Pattern
from lite.core.optimizer.registry import Context
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
"""Sums of integers times what a step of each side is worth."""


def made_by(graph: Graph, value: Value | None, *patterns: Pattern) -> Match | None:
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


def rounded_input(
    graph: Graph, block: Block, byte: Value, point: Value, scale: Value
) -> Value | None:
    """What is rounded to ``byte`` in that block, if the two others are of the same rounding."""
    steps = made_by(graph, byte, _STEPS)
    if steps is None or steps.root.block is not block:
        return None
    x = steps.value("%x")
    if x.dtype != DataType.FP32 or not x.stable:
        return None
    if [steps.array(name).tolist() for name in ("%zero", "%steps")] != [0, 255]:
        return None
    same = steps.value("%point") is point and steps.value("%scale") is scale
    return x if same else None


def fuse_scaled(
    graph: Graph, context: Context, fuse: Callable[[Graph, Match], list[Node] | None]
) -> None:
    """Lets a pass put operators in front of each product of sums with their scales, which they
    replace; it leaves those of which it makes None."""
    for block in graph.blocks:
        if not block.of_type("rint"):
            continue
        for node in block.of_type("elementwise_mul"):
            scaled = made_by(graph, node.output("Out"), _SCALED)
            if scaled is None:
                continue
            before = [print_op(node.desc())] if context.trace is not None else []
            made = fuse(graph, scaled)
            if made is None:
                continue
            graph.remove(node)
            after = [print_op(one.desc()) for one in made] if context.trace is not None else []
            context.record(block.index, before, after)
