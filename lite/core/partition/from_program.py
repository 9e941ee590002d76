"""The report of a program as it stands, perhaps partitioned before, as a `.nb` file holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lite.core.optimizer.build import sub_block, to_graph
from lite.core.partition.cost import Shapes, compute
from lite.core.partition.placement import Placement
from lite.model.program import BlockDesc, OpDesc, Program
from lite.model.text_printer import print_attr
from lite.report.places import DEVICE, Crossing, OperatorPlace, SubgraphInfo

HIDDEN_ATTRS = frozenset(
    """
__@kernel_type_attr@__ op_callstack op_device op_namescope op_role op_role_var with_quant_attr
""".split()
)
"""Attributes that say where a model was written or converted, not what it computes."""

_LONGEST = 200

_KEPT = "the program was optimised with it on the CPU"
_NO_DEVICE = "no device was asked for"


def placement_of_program(program: Program, devices: Sequence[str]) -> Placement:
    """Operators as they stand in the program; why they were chosen is not in it."""
    placement = Placement(list(devices))
    everything = [op for block in program.blocks for op in block.ops]
    inside = {op.attr("sub_block") for op in everything if op.type == "subgraph"}
    reason = _KEPT if inside else _NO_DEVICE
    for number, block in enumerate(program.blocks):
        if number in inside:
            continue
        for index, op in enumerate(block.ops):
            if op.type == "subgraph":
                _add_subgraph(placement, program, number, op)
            else:
                placement.operators.append(_place(number, index, op, reason))
    return placement


def describe(placement: Placement, program: Program, shapes: Mapping[str, Sequence[int]]) -> None:
    """Adds the tensors' types and shapes and what operators compute; ``shapes`` are of inputs.

    The report is one of ``placement_of_program(program)``. Raises ModelFormatError for blocks that
    nest in a circle.
    """
    graph = to_graph(program)
    known = Shapes(graph, shapes)
    places = {(op.block, op.index): op for op in placement.operators}
    for value in graph.params.values():
        placement.tensors[value.name] = known.crossing(value).type_text
    for block in graph.blocks:
        for index, node in enumerate(block):
            place = places.get((block.index, index))
            if place is None:
                continue
            if not place.is_io and sub_block(node) is None and node.type != "subgraph":
                place.compute = compute(node, known)
            if node.type != "fetch":
                for value in node.output_values():
                    found = known.crossing(value)
                    declared = block.desc.vars.get(value.name)
                    if found.dtype == "?" and declared is not None and declared.dtype is not None:
                        found.dtype = declared.dtype.name.lower()
                    placement.tensors[value.name] = found.type_text


def attribute_texts(op: OpDesc) -> dict[str, str]:
    """An operator's attributes as texts, long ones cut off."""
    return {
        name: print_attr(attr)[:_LONGEST]
        for name, attr in op.attrs.items()
        if name not in HIDDEN_ATTRS
    }


def _place(block: int, index: int, op: OpDesc, reason: str) -> OperatorPlace:
    attributes = attribute_texts(op)
    return OperatorPlace(block, index, op.type, op.inputs, op.outputs, attributes, reason=reason)


def _add_subgraph(placement: Placement, program: Program, number: int, op: OpDesc) -> None:
    sub_block = int(op.attr("sub_block"))
    first = len(placement.operators)
    identity = len(placement.subgraphs)
    for index, inner in enumerate(program.blocks[sub_block].ops):
        place = _place(sub_block, index, inner, "")
        place.place, place.subgraph = DEVICE, identity
        placement.operators.append(place)
    block = program.blocks[number]
    info = SubgraphInfo(
        identity,
        number,
        list(range(first, len(placement.operators))),
        [_crossing(block, name) for name in op.attr("input_data_names")],
        [_crossing(block, name) for name in op.attr("output_data_names")],
        sub_block=sub_block,
    )
    placement.subgraphs.append(info)


def _crossing(block: BlockDesc, name: str) -> Crossing:
    var = block.vars.get(name)
    return Crossing(name, "", list(var.shape) if var is not None and var.shape else [], 0)
