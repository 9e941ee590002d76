"""What an operator becomes where its tensors have their dimensions in another order.

The order is given as the axes of the transpose that leads back: dimension ``i`` of a tensor is
dimension ``axes[i]`` of the reordered one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.graph import Node, Value
from lite.model.declared import declared
from lite.model.program import Attr

Axes = tuple[int, ...]


@dataclass(frozen=True)
class Reordered:
    """``reads``: slot and index of the arguments that come in the new order, others stay as they
    are; ``writes``: whether results are in the new order, too; ``attrs``: attributes that change.
    """

    reads: tuple[tuple[str, int], ...]
    writes: bool = True
    attrs: dict[str, Attr] = field(default_factory=dict)


_Rule = Callable[[Node, Axes], "Reordered | None"]


def inverse(axes: Axes) -> Axes:
    """The axes of the transpose that undoes the one of ``axes``."""
    return tuple(sorted(range(len(axes)), key=axes.__getitem__))


def reordered(node: Node, axes: Axes) -> Reordered | None:
    """The operator in the other order; None where it has no such form, or nothing is certain."""
    known = declared(node.type)
    if known is None or node.hidden_reads or node.hidden_writes or node.echoes:
        return None
    if not all(value.stable for value in (*node.input_values(), *node.output_values())):
        return None
    others = (values for slot, values in node.outputs.items() if slot not in ("Out", "Y"))
    if not all(value.dead for values in others for value in values):
        return None
    rule = _RULES.get(node.type)
    if rule is None and known.elementwise:
        rule = _unary if known.elementwise == 1 else _binary
    return None if rule is None else rule(node, axes)


def _all(node: Node, slot: str, axes: Axes) -> tuple[tuple[str, int], ...]:
    """Every argument of a slot; none where one has another number of dimensions."""
    values = node.inputs.get(slot, [])
    if any(value.rank != len(axes) for value in values):
        return ()
    return tuple((slot, index) for index in range(len(values)))


def _unary(node: Node, axes: Axes) -> Reordered | None:
    reads = _all(node, "X", axes)
    return Reordered(reads) if reads else None


def _binary(node: Node, axes: Axes) -> Reordered | None:
    operands = [(slot, node.input(slot)) for slot in ("X", "Y")]
    if all(value is None or value.rank != len(axes) for _, value in operands):
        return None
    reads = []
    for slot, value in operands:
        if value is None or value.shape is None:
            return None
        if value.rank == len(axes) or _is_spread(value, len(axes), node.integer("axis", -1)):
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


def _along_axis(node: Node, axes: Axes, default: int = 0) -> Reordered | None:
    """With an attribute ``axis``."""
    reads = _all(node, "X", axes)
    axis = _within(node.integer("axis", default), axes)
    if not reads or axis is None or not _only(node, "X"):
        return None
    return Reordered(reads, True, _attr(node, "axis", axes[axis]))


def _softmax(node: Node, axes: Axes) -> Reordered | None:
    return _along_axis(node, axes, -1)


def _within(axis: int, axes: Axes) -> int | None:
    """An axis counted from the front; None where there is none."""
    axis += len(axes) if axis < 0 else 0
    return axis if 0 <= axis < len(axes) else None


def _only(node: Node, slot: str) -> bool:
    return all(name == slot or not values for name, values in node.inputs.items())


def _pad(node: Node, axes: Axes) -> Reordered | None:
    reads, given = _all(node, "X", axes), node.integers("paddings")
    if not reads or "Paddings" in node.inputs or len(given) != 2 * len(axes):
        return None
    pads = [given[2 * i + side] for i in inverse(axes) for side in (0, 1)]
    return Reordered(reads, True, _attr(node, "paddings", pads))


def _slice(node: Node, axes: Axes) -> Reordered | None:
    reads = _all(node, "Input", axes)
    along = [_within(axis, axes) for axis in node.integers("axes")]
    if not reads or node.integers("decrease_axis"):
        return None
    found = [axes[axis] for axis in along if axis is not None]
    if len(found) != len(along):
        return None
    return Reordered(reads, True, _attr(node, "axes", found))


def _reduce(node: Node, axes: Axes) -> Reordered | None:
    reads = _all(node, "X", axes)
    along = [_within(axis, axes) for axis in node.integers("dim", (0,))]
    gone = [axes[axis] for axis in along if axis is not None]
    if not reads or not gone or len(gone) != len(along) or not _only(node, "X"):
        return None
    if node.flag("reduce_all"):
        return None
    return _without(reads, axes, gone, node.flag("keep_dim"), _attr(node, "dim", gone))


def _arg_extreme(node: Node, axes: Axes) -> Reordered | None:
    reads = _all(node, "X", axes)
    axis = _within(node.integer("axis", 0), axes)
    if not reads or axis is None or node.flag("flatten") or not _only(node, "X"):
        return None
    gone, kept = axes[axis], node.flag("keepdims")
    return _without(reads, axes, [gone], kept, _attr(node, "axis", gone))


def _without(
    reads: tuple[tuple[str, int], ...],
    axes: Axes,
    gone: list[int],
    kept: bool,
    attrs: dict[str, Attr],
) -> Reordered | None:
    """A result that lacks dimensions, ones in their place where they are ``kept``; those left must
    be in the order in which they were."""
    left = [axis for axis in axes if axis not in gone]
    if kept:
        return Reordered(reads, True, attrs)
    return Reordered(reads, False, attrs) if left == sorted(left) else None


def _quantize(node: Node, axes: Axes) -> Reordered | None:
    """With one scale for the whole tensor."""
    scale = node.input("Scale")
    if scale is None or scale.array is None or scale.array.size != 1:
        return None
    return _unary(node, axes)


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
    "quantize_linear": _quantize,
    "dequantize_linear": _quantize,
    **dict.fromkeys((f"reduce_{name}" for name in ("mean", "sum", "max", "min", "prod")), _reduce),
}
"""Beside the elementwise operators, which are declared as such."""
