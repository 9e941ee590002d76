"""What an operator becomes where its tensors have their dimensions in another order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.graph import Node, Value
from lite.model.declared import declared
from lite.model.program import Attr

Axes = tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Dimension ``i`` of a tensor is dimension ``axes[i]`` of the reordered one, which has ``rank``
    dimensions; those that no other became are 1."""

    axes: Axes
    rank: int

    @property
    def new(self) -> Axes:
        """The dimensions of one that the reordered tensor has more."""
        return tuple(axis for axis in range(self.rank) if axis not in self.axes)

    @property
    def old(self) -> Axes:
        """The tensor's dimensions as they stand in the reordered one."""
        return tuple(sorted(range(len(self.axes)), key=self.axes.__getitem__))

    def apply(self, array: np.ndarray) -> np.ndarray:
        """An array in the new order."""
        return np.ascontiguousarray(np.expand_dims(array.transpose(self.old), self.new))


@dataclass(frozen=True)
class Reordered:
    """``reads``: slot and index of the arguments that come in the new order, others stay as they
    are; ``writes``: whether results are in the new order, too; ``attrs``: attributes that change.
    """

    reads: tuple[tuple[str, int], ...]
    writes: bool = True
    attrs: dict[str, Attr] = field(default_factory=dict)


_Rule = Callable[[Node, Order], "Reordered | None"]


def reordered(node: Node, order: Order) -> Reordered | None:
    """The operator in the other order; None where it has no such form, or nothing is certain."""
    known = declared(node.type)
    if known is None or node.hidden_reads or node.hidden_writes:
        return None
    if not all(value.stable for value in (*node.input_values(), *node.output_values())):
        return None
    others = (values for slot, values in node.outputs.items() if slot not in ("Out", "Y"))
    if not all(value.dead for values in others for value in values):
        return None
    rule = _RULES.get(node.type)
    if rule is None and known.elementwise:
        rule = _unary if known.elementwise == 1 else _binary
    return None if rule is None else rule(node, order)


def _all(node: Node, slot: str, order: Order) -> tuple[tuple[str, int], ...]:
    """Every argument of a slot; none where one has another number of dimensions."""
    values = node.inputs.get(slot, [])
    if any(value.rank != len(order.axes) for value in values):
        return ()
    return tuple((slot, index) for index in range(len(values)))


def _unary(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "X", order)
    return Reordered(reads) if reads else None


def _binary(node: Node, order: Order) -> Reordered | None:
    reads, rank = [], len(order.axes)
    for slot in ("X", "Y"):
        value = node.input(slot)
        if value is None or value.shape is None:
            return None
        if value.rank == rank or _is_spread(value, rank, node.integer("axis", -1)):
            reads.append((slot, 0))
        elif any(dim != 1 for dim in value.shape):
            return None
    whole = any(node.inputs[slot][0].rank == rank for slot, _ in reads)
    return Reordered(tuple(reads)) if whole else None


def _is_spread(value: Value, rank: int, axis: int) -> bool:
    """Whether a smaller operand is a parameter, which can be laid in any order now."""
    array = value.array
    return (
        array is not None and array.size > 1 and aligned_shape(array.shape, rank, axis) is not None
    )


def _attr(node: Node, name: str, value: object) -> dict[str, Attr]:
    known = declared(node.type)
    assert known is not None
    return {name: known.attr(name, value)}


def _along_axis(node: Node, order: Order, default: int = 0) -> Reordered | None:
    """With an attribute ``axis``."""
    reads = _all(node, "X", order)
    axes = _axes(node, "axis", order, default)
    if not reads or not axes or not _only(node, "X"):
        return None
    return Reordered(reads, True, _attr(node, "axis", axes[0]))


def _axes(node: Node, name: str, order: Order, default: int = 0) -> list[int] | None:
    """The axes of an attribute in the new order; None where one is none."""
    axes = node.axes(name, len(order.axes), (default,))
    return None if axes is None else [order.axes[axis] for axis in axes]


def _softmax(node: Node, order: Order) -> Reordered | None:
    return _along_axis(node, order, -1)


def _only(node: Node, slot: str) -> bool:
    return all(name == slot or not values for name, values in node.inputs.items())


def _pad(node: Node, order: Order) -> Reordered | None:
    reads, given = _all(node, "X", order), node.integers("paddings")
    if not reads or "Paddings" in node.inputs or len(given) != 2 * len(order.axes):
        return None
    at = {new: given[2 * old : 2 * old + 2] for old, new in enumerate(order.axes)}
    pads = [number for axis in range(order.rank) for number in at.get(axis, (0, 0))]
    return Reordered(reads, True, _attr(node, "paddings", pads))


def _slice(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "Input", order)
    along = _axes(node, "axes", order)
    if not reads or along is None or node.integers("decrease_axis"):
        return None
    return Reordered(reads, True, _attr(node, "axes", along))


def _reduce(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "X", order)
    gone = _axes(node, "dim", order)
    if not reads or not gone or not _only(node, "X") or node.flag("reduce_all"):
        return None
    if node.flag("keep_dim"):
        return Reordered(reads, True, _attr(node, "dim", gone))
    gone += order.new
    return Reordered(reads, False, _attr(node, "dim", gone)) if _in_order(order, gone) else None


def _arg_extreme(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "X", order)
    gone = _axes(node, "axis", order)
    if not reads or not gone or node.flag("flatten") or not _only(node, "X"):
        return None
    attr = _attr(node, "axis", gone[0])
    if node.flag("keepdims"):
        return Reordered(reads, True, attr)
    left = _in_order(order, gone) and not order.new
    return Reordered(reads, False, attr) if left else None


def _in_order(order: Order, gone: list[int]) -> bool:
    """Whether the dimensions that are left stand one behind the other as they did."""
    left = [axis for axis in order.axes if axis not in gone]
    return left == sorted(left)


def _per_channel(node: Node, order: Order) -> Reordered | None:
    """Of images of any number of dimensions, channels first."""
    behind = node.string("data_layout", "NCHW") == "NHWC" or node.string("mode") == "element"
    return None if behind or order.axes[:2] != (0, 1) or not order.new else _unary(node, order)


def _quantize(node: Node, order: Order) -> Reordered | None:
    """With one scale for the whole tensor."""
    scale = node.input("Scale")
    if scale is None or scale.array is None or scale.array.size != 1:
        return None
    return _unary(node, order)


_UNARY = """
assign cast ceil cos floor log logical_not mish pow round selu sign sin softplus softsign
""".split()

_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_UNARY, _unary),
    "concat": _along_axis,
    "split": _along_axis,
    "softmax": _softmax,
    "log_softmax": _softmax,
    "pad": _pad,
    "slice": _slice,
    "strided_slice": _slice,
    "arg_max": _arg_extreme,
    "arg_min": _arg_extreme,
    **dict.fromkeys(("batch_norm", "group_norm", "instance_norm", "prelu"), _per_channel),
    "quantize_linear": _quantize,
    "dequantize_linear": _quantize,
    **dict.fromkeys((f"reduce_{name}" for name in ("mean", "sum", "max", "min", "prod")), _reduce),
}
"""Beside the elementwise operators, which are declared as such."""
