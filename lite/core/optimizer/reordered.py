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
    operands = [(slot, node.input(slot)) for slot in ("X", "Y")]
    if all(value is None or value.rank != len(order.axes) for _, value in operands):
        return None
    reads = []
    for slot, value in operands:
        if value is None or value.shape is None:
            return None
        if value.rank == len(order.axes) or _is_spread(
            value, len(order.axes), node.integer("axis", -1)
        ):
            reads.append((slot, 0))
        elif any(dim != 1 for dim in value.shape):
            return None
    return Reordered(tuple(reads))


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
    axis = _within(node.integer("axis", default), order)
    if not reads or axis is None or not _only(node, "X"):
        return None
    return Reordered(reads, True, _attr(node, "axis", order.axes[axis]))


def _softmax(node: Node, order: Order) -> Reordered | None:
    return _along_axis(node, order, -1)


def _within(axis: int, order: Order) -> int | None:
    """An axis counted from the front; None where there is none."""
    axis += len(order.axes) if axis < 0 else 0
    return axis if 0 <= axis < len(order.axes) else None


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
    along = [_within(axis, order) for axis in node.integers("axes")]
    if not reads or node.integers("decrease_axis"):
        return None
    found = [order.axes[axis] for axis in along if axis is not None]
    if len(found) != len(along):
        return None
    return Reordered(reads, True, _attr(node, "axes", found))


def _reduce(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "X", order)
    along = [_within(axis, order) for axis in node.integers("dim", (0,))]
    gone = [order.axes[axis] for axis in along if axis is not None]
    if not reads or not gone or len(gone) != len(along) or not _only(node, "X"):
        return None
    if node.flag("reduce_all"):
        return None
    if node.flag("keep_dim"):
        return Reordered(reads, True, _attr(node, "dim", gone))
    gone += order.new
    return Reordered(reads, False, _attr(node, "dim", gone)) if _in_order(order, gone) else None


def _arg_extreme(node: Node, order: Order) -> Reordered | None:
    reads = _all(node, "X", order)
    axis = _within(node.integer("axis", 0), order)
    if not reads or axis is None or node.flag("flatten") or not _only(node, "X"):
        return None
    attr = _attr(node, "axis", order.axes[axis])
    if node.flag("keepdims"):
        return Reordered(reads, True, attr)
    left = _in_order(order, [order.axes[axis]]) and not order.new
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
