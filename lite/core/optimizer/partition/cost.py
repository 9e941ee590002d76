"""What operators cost and what tensors weigh, as far as shapes are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Graph, Node, Shape, Value
from lite.core.optimizer.partition.estimate import estimate_node
from lite.core.optimizer.partition.placement import Crossing
from lite.model.program import DataType

NO_COMPUTE = frozenset(
    """
assign assign_value cast concat expand expand_as expand_as_v2 expand_v2 fill_any_like fill_constant
fill_constant_batch_size_like fill_zeros_like flatten flatten2 flatten_contiguous_range increment
range reshape reshape2 reverse roll shape shuffle_channel slice split squeeze squeeze2 stack
strided_slice tile transpose transpose2 unsqueeze unsqueeze2 unstack
""".split()
)
"""Operators that move, repeat or relabel data: a device gains nothing on them alone."""

ITEM_SIZES = {
    DataType.BOOL: 1,
    DataType.INT16: 2,
    DataType.INT32: 4,
    DataType.INT64: 8,
    DataType.FP16: 2,
    DataType.FP32: 4,
    DataType.FP64: 8,
    DataType.UINT8: 1,
    DataType.INT8: 1,
    DataType.BF16: 2,
}

_CONVOLUTIONS = frozenset({"conv2d", "depthwise_conv2d", "conv3d", "deformable_conv"})
_TRANSPOSED = frozenset({"conv2d_transpose", "depthwise_conv2d_transpose"})
_MATMULS = frozenset({"matmul", "matmul_v2", "mul", "fc", "bmm"})


class Shapes:
    """Dimensions of all tensors: inferred from those of the inputs as far as they are given or
    declared, else as declared, else -1. They are for reports and estimates only."""

    def __init__(self, graph: Graph, given: Mapping[str, Sequence[int]]) -> None:
        self._declared: dict[str, tuple[int, ...]] = {}
        for block in graph.blocks:
            for name, desc in block.desc.vars.items():
                self._declared.setdefault(name, desc.shape)
        self._known: dict[Value, Shape] = {}
        kept: list[tuple[Value, DataType | None, Shape | None]] = []
        for block in graph.blocks:
            for node in block:
                values = (*node.output_values(), *node.hidden_writes)
                kept += [(value, value.dtype, value.shape) for value in values]
                if node.type == "feed":
                    for value in node.output_values():
                        dims = given.get(value.name) or self._declared.get(value.name, ())
                        value.shape = tuple(dim if dim >= 0 else None for dim in dims)
                elif sub_block(node) is None and node.type != "subgraph":
                    estimate_node(node)
                for value in values:
                    if value.shape is not None:
                        self._known[value] = value.shape
        for value, dtype, shape in kept:
            value.dtype, value.shape = dtype, shape

    def of(self, value: Value) -> list[int]:
        """A tensor's dimensions; -1 stands for those that nothing is known of."""
        declared = self._declared.get(value.name, ())
        known = self._known.get(value) or value.shape
        if known is None:
            return [dim if dim >= 0 else -1 for dim in declared]
        guess = declared if len(declared) == len(known) else (-1,) * len(known)
        return [
            dim if dim is not None else other if other >= 0 else -1
            for dim, other in zip(known, guess, strict=True)
        ]

    def crossing(self, value: Value) -> Crossing:
        """A tensor as it enters or leaves a subgraph."""
        shape = self.of(value)
        dtype = value.dtype
        size = ITEM_SIZES.get(dtype, 4) if dtype is not None else 4
        word = "?" if dtype is None else dtype.name.lower()
        return Crossing(value.name, word, shape, size * _count(shape))


def _count(shape: list[int]) -> int:
    return prod(dim for dim in shape if dim >= 0)


def compute(node: Node, shapes: Shapes) -> int:
    """Multiply-adds of an operator; 0 for those that only move data."""
    if node.type in NO_COMPUTE:
        return 0
    out = node.output("Output") or node.output("Out") or node.output("Y")
    if out is None:
        out = next(node.output_values(), None)
    count = _count(shapes.of(out)) if out is not None else 1
    if node.type in _CONVOLUTIONS or node.type in _TRANSPOSED:
        weight = node.input("Filter")
        shape = weight.shape if weight is not None else None
        if shape and None not in shape:
            kernel = prod(dim or 1 for dim in shape[1:])
            source = node.input("Input")
            if node.type in _TRANSPOSED and source is not None:
                return _count(shapes.of(source)) * kernel
            return count * kernel
    if node.type in _MATMULS:
        x = node.input("X") or node.input("Input")
        if x is not None:
            shape_x = shapes.of(x)
            last = -2 if node.flag("trans_x") or node.flag("transpose_X") else -1
            depth = shape_x[last] if len(shape_x) >= -last else 1
            return count * max(depth, 1)
    return max(count, 1)
