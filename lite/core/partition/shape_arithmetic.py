"""Finds what is computed from shapes alone: small tensors that a CPU has at no cost."""

from __future__ import annotations

from math import prod

from lite.core.optimizer.graph import Block, Node, Value
from lite.core.optimizer.traits import having

_SHAPE_SLOTS = frozenset(
    """
Shape ShapeTensor ShapeTensorList OutSize SizeTensor StartsTensor StartsTensorList EndsTensor
EndsTensorList StridesTensor StridesTensorList ExpandTimes RepeatTimes expand_times_tensor
expand_shapes_tensor repeat_times_tensor AxisTensor SectionsTensorList
""".split()
)
"""Input slots that take dimensions rather than data."""

_SMALL = 64


def _is_small(value: Value) -> bool:
    if value.shape is None or None in value.shape:
        return False
    return prod(dim or 1 for dim in value.shape) <= _SMALL


def find_shape_arithmetic(block: Block) -> set[Node]:
    """The operators that read a shape, that compute with nothing else, or that feed only those."""
    found: set[Node] = set()
    for node in block:
        computes = node.type in having("counts") and _computes_with(node, found)
        if computes or node.type in having("measures"):
            found.add(node)
    constants = [node for node in block.of_type("fill_constant") if node not in found]
    for node in constants:
        readers = [(v, reader) for v in node.output_values() for reader in v.uses]
        if readers and all(_is_dimension(v, reader, found) for v, reader in readers):
            found.add(node)
    return found


def _computes_with(node: Node, found: set[Node]) -> bool:
    values = [value for value in node.input_values() if not value.is_param]
    return (
        bool(values)
        and not node.hidden_reads
        and all(value.producer in found for value in values)
        and all(_is_small(value) for value in node.input_values() if value.is_param)
        and all(map(_is_small, node.output_values()))
    )


def _is_dimension(value: Value, reader: Node, found: set[Node]) -> bool:
    if reader in found:
        return True
    slots = [slot for slot, values in reader.inputs.items() if value in values]
    return bool(slots) and all(slot in _SHAPE_SLOTS for slot in slots)
