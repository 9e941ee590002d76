"""The report of a program that was partitioned before, as a `.nb` file holds it."""

from __future__ import annotations

from collections.abc import Sequence

from lite.core.partition.placement import (
    DEVICE,
    Crossing,
    OperatorPlace,
    Placement,
    SubgraphInfo,
)
from lite.model.program import BlockDesc, OpDesc, Program

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


def _place(block: int, index: int, op: OpDesc, reason: str) -> OperatorPlace:
    return OperatorPlace(block, index, op.type, op.inputs, op.outputs, reason=reason)


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
