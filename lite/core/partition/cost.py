"""What operators cost and what tensors weigh, as far as shapes are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isqrt, prod

from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Graph, Node, Shape, Value
from lite.core.optimizer.traits import having
from lite.core.partition.estimate import estimate_node
from lite.model.program import DataType
from lite.report.places import Crossing

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
    DataType.COMPLEX64: 8,
    DataType.COMPLEX128: 16,
}

_CONVOLUTIONS = frozenset(
    {"conv2d", "depthwise_conv2d", "dynamic_quantize_conv2d", "conv3d", "deformable_conv"}
)
_TRANSPOSED = frozenset({"conv2d_transpose", "depthwise_conv2d_transpose"})
_PRODUCTS = frozenset({"matmul", "matmul_v2", "mul", "fc", "bmm"})
_ATTENTIONS = frozenset({"flash_attn", "memory_efficient_attention"})
_REDUCTIONS = ("max_pool", "mean", "pool", "reduce_")
_RECURRENT = frozenset({"gru", "lstm"})


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


def _count(shape: Sequence[int]) -> int:
    return prod(dim for dim in shape if dim >= 0)


def compute(node: Node, shapes: Shapes) -> int:
    """Multiply-adds of an operator as far as its shapes are known: 0 for those that only move data,
    for others than products one for each element of the result, or of what is reduced to it."""
    if node.type in having("moves"):
        return 0
    out = node.output("Output") or node.output("Out") or node.output("Y")
    if out is None:
        out = next(node.output_values(), None)

    def shape_of(slot: str) -> list[list[int]]:
        return [shapes.of(value) for value in node.inputs.get(slot, ())]

    return multiply_adds(node.type, shape_of, shapes.of(out) if out is not None else ())


def multiply_adds(
    kind: str, inputs: Callable[[str], Sequence[Sequence[int]]], out: Sequence[int]
) -> int:
    """The same from the shapes of the inputs in a slot and that of the output."""
    if kind in having("moves"):
        return 0
    count = max(_count(out), 1)

    def first(*slots: str) -> Sequence[int]:
        return next((shapes[0] for slot in slots if (shapes := inputs(slot))), ())

    if kind in _CONVOLUTIONS or kind in _TRANSPOSED:
        window = _count(first("Filter")[1:])
        return (_count(first("Input")) if kind in _TRANSPOSED else count) * window
    if kind in _PRODUCTS:
        x, y = first("X", "Input"), first("Y", "W")
        return count * _depth(kind, x, y, out)
    if kind in _ATTENTIONS:
        q, k = first("q", "query"), first("k", "key")
        return 2 * _count(q) * (k[1] if len(k) == 4 else 1)
    if kind in ("matmul_nbits", "expert_matmul", "dynamic_quantize_matmul"):
        return count * _count(first("X")[-1:])
    if kind == "multihead_matmul":
        rows, width = _count(first("Input")[1:2]), _count(out[2:])
        return (
            _count(first("Input")) * _count(first("W")[1:]) + 2 * count * rows if width else count
        )
    if kind == "rnn":
        weights = sum(_count(shape) for shape in inputs("WeightList") if len(shape) == 2)
        return _count(first("Input")[:2]) * weights
    if kind in _RECURRENT:
        return _count(first("Input")[:1]) * _count(first("Weight"))
    if kind.startswith(_REDUCTIONS):
        return max(count, _count(first("X")))
    return count


def _depth(kind: str, x: Sequence[int], y: Sequence[int], out: Sequence[int]) -> int:
    """How many products make one element."""
    if kind in ("fc", "mul") and len(y) == 2 and y[0] > 0:
        return y[0]
    known = all(dim > 0 for shape in (x, y, out) for dim in shape)
    if known and x and y:  # m k * k n / m n, whichever of them are transposed
        size = _count(x[-2:]) * _count(y[-2:])
        rows = out[-2:] if len(x) > 1 and len(y) > 1 else out[-1:] if len(x) + len(y) > 2 else ()
        return isqrt(size // _count(rows))
    return max(x[-1], 1) if x else 1
