"""Transposes around operators that work in any order of dimensions go.

tf2onnx and jax2onnx turn each convolution to NCHW and back, and leave what stands between them in
NHWC: additions, activations, padding, means. Connected operators of that kind are turned together
where that leaves fewer transposes.
"""

from __future__ import annotations

from collections.abc import Iterator

from lite.core.optimizer.graph import Block, Graph, Node
from lite.core.optimizer.region import (
    TRANSPOSES,
    Start,
    cancel,
    channel_orders,
    transpose_axes,
    turn_regions,
)
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.reordered import Order
from lite.model.program import AttrType
from lite.model.text import print_op


def _starts(seed: Node) -> Iterator[Start]:
    """The operators on either side of a transpose, each with the order in which it may work."""
    axes = transpose_axes(seed)
    if axes is None or len(axes) < 3 or axes not in channel_orders(len(axes)):
        return
    order = Order(axes, len(axes))
    for user in seed.outputs["Out"][0].uses:
        yield user, order, 1
    producer = seed.inputs["X"][0].producer
    if producer is not None:
        yield producer, Order(order.old, order.rank), 1


def _compose(graph: Graph, context: Context, block: Block) -> None:
    """Two transposes, one behind the other, are one or none."""
    for node in block.of_type(*TRANSPOSES, "reshape2"):
        axes = transpose_axes(node) if node in block.by_type[node.type] else None
        if axes is None or cancel(graph, context, node) or node.type not in TRANSPOSES:
            continue
        first = node.inputs["X"][0].producer
        before = transpose_axes(first)
        if first is None or before is None:
            continue
        lines = [print_op(first.desc()), print_op(node.desc())] if context.trace else []
        graph.replace_input(node, "X", 0, first.inputs["X"][0])
        node.set_attr("axis", AttrType.INTS, [before[axis] for axis in axes])
        graph.remove_dead(first)
        context.record(block.index, lines, [print_op(node.desc())] if context.trace else [])


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        _compose(graph, context, block)
        starts = [start for seed in block.of_type(*TRANSPOSES) for start in _starts(seed)]
        turn_regions(graph, context, block, starts)


register(Pass("transpose_eliminate_pass", run=_run))
