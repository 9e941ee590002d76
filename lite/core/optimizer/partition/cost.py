"""What operators cost and what tensors weigh, as far as shapes are known."""

from __future__ import annotations

from math import prod

from lite.core.optimizer.graph import Node, Value
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


def dims(value: Value, node_block_vars: dict[str, tuple[int, ...]]) -> list[int]:
    """A tensor's dimensions: inferred, else as declared, else -1."""
    declared = node_block_vars.get(value.name, ())
    if value.shape is None:
        return [dim if dim >= 0 else -1 for dim in declared]
    fill = declared if len(declared) == len(value.shape) else (-1,) * len(value.shape)
    return [
        known if known is not None else guess if guess >= 0 else -1
        for known, guess in zip(value.shape, fill, strict=True)
    ]


def crossing(value: Value, declared: dict[str, tuple[int, ...]]) -> Crossing:
    """A tensor as it enters or leaves a subgraph."""
    shape = dims(value, declared)
    dtype = value.dtype
    size = ITEM_SIZES.get(dtype, 4) if dtype is not None else 4
    word = "?" if dtype is None else dtype.name.lower()
    return Crossing(value.name, word, shape, size * _count(shape))


def _count(shape: list[int]) -> int:
    return prod(dim for dim in shape if dim >= 0)


def compute(node: Node, declared: dict[str, tuple[int, ...]]) -> int:
    """Multiply-adds of an operator; 0 for those that only move data."""
    if node.type in NO_COMPUTE:
        return 0
    out = node.output("Output") or node.output("Out") or node.output("Y")
    if out is None:
        out = next(node.output_values(), None)
    count = _count(dims(out, declared)) if out is not None else 1
    if node.type in _CONVOLUTIONS or node.type in _TRANSPOSED:
        weight = node.input("Filter")
        shape = weight.shape if weight is not None else None
        if shape and None not in shape:
            kernel = prod(dim or 1 for dim in shape[1:])
            source = node.input("Input")
            if node.type in _TRANSPOSED and source is not None:
                return _count(dims(source, declared)) * kernel
            return count * kernel
    if node.type in _MATMULS:
        x = node.input("X") or node.input("Input")
        if x is not None:
            shape_x = dims(x, declared)
            last = -2 if node.flag("trans_x") or node.flag("transpose_X") else -1
            depth = shape_x[last] if len(shape_x) >= -last else 1
            return count * max(depth, 1)
    return max(count, 1)
