"""The `subgraph` operator: made of a cluster, kept whole through the passes, put into a Program.

While the other passes run, the operators of a subgraph are not in the graph, so that no fusion
sees them: the operator itself names all that they read and write. ``attach`` gives it its block
back, and follows the names that passes have changed meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace

from lite.core.optimizer.detached import Described, Detached
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.kernel_pick import KERNEL_ATTR
from lite.errors import ModelFormatError
from lite.model.check import EMPTY_NAMES
from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program

SUBGRAPH, INPUTS, OUTPUTS = "subgraph", "Inputs", "Outputs"
INPUT_NAMES, OUTPUT_NAMES = "input_data_names", "output_data_names"


def build(graph: Graph, cluster: list[Node], info: Described | None = None) -> list[Node]:
    """Takes a cluster out of its block and returns what stands for it, not yet in the block.

    That is the subgraph operator, and behind it an assign for each variable that the cluster both
    had in an earlier version and writes, and that others know by its name.
    """
    members = set(cluster)
    block = cluster[0].block
    read = _distinct(value for node in cluster for value in node.input_values())
    read = [v for v in read if v.producer not in members and v.name not in EMPTY_NAMES]
    written = _distinct(value for node in cluster for value in node.output_values())
    written = [value for value in written if value.name not in EMPTY_NAMES]
    exported = [v for v in written if is_needed(v, members)]
    assigns = _separate_names(graph, cluster, read, written, exported)
    read.sort(key=lambda value: value.name)
    written.sort(key=lambda value: value.name)
    detached = Detached(
        [_without_kernel(node.desc()) for node in cluster],
        [value.name for value in read],
        [value.name for value in written],
        sorted(value.name for value in exported),
        info=info,
    )
    for node in cluster:
        graph.remove(node)
    made = Node(SUBGRAPH, block)
    made.inputs[INPUTS], made.outputs[OUTPUTS] = read, written
    for value in read:
        value.uses[made] = 1
    for value in written:
        value.producer = made
    graph.subgraphs[made] = detached
    return [made, *(_assign(made, source, target) for source, target in assigns)]


def _distinct(values: Iterable[Value]) -> list[Value]:
    return list(dict.fromkeys(values))


def is_needed(value: Value, members: set[Node]) -> bool:
    """Whether a value of a cluster is known outside of it."""
    return value.pinned or any(node not in members for node in value.uses)


def _separate_names(
    graph: Graph,
    cluster: list[Node],
    read: list[Value],
    written: list[Value],
    exported: list[Value],
) -> list[tuple[Value, Value]]:
    """One name for each value of a cluster; the pairs (new value, value to be assigned from it).

    Only the last version of a name can be known outside: the others would have readers between.
    """
    last = {value.name: value for value in written}
    taken = {value.name for value in read}
    assigns = []
    for at, value in enumerate(written):
        name = value.name
        if last[name] is not value:
            if value in exported:
                exported.remove(value)
            value.name = graph.fresh_name(f"{name}@{at + 1}")
        elif name in taken:
            inner = Value(graph.fresh_name(f"{name}@{at + 1}"), value.producer)
            inner.dtype, inner.shape = value.dtype, value.shape
            for node in cluster:
                _replace(node, value, inner)
            written[at] = inner
            if value in exported:
                exported[exported.index(value)] = inner
                assigns.append((inner, value))
    return assigns


def _replace(node: Node, old: Value, new: Value) -> None:
    """Lets an operator read and write another value."""
    for slots in (node.inputs, node.outputs):
        for values in slots.values():
            values[:] = [new if value is old else value for value in values]
    count = old.uses.pop(node, 0)
    if count:
        new.uses[node] = count


def _assign(made: Node, source: Value, target: Value) -> Node:
    node = Node("assign", made.block)
    node.inputs["X"], node.outputs["Out"] = [source], [target]
    source.uses[node] = 1
    target.producer = node
    return node


def _without_kernel(op: OpDesc) -> OpDesc:
    op.attrs.pop(KERNEL_ATTR, None)
    return op


def detach(program: Program) -> tuple[Program, dict[int, Detached]]:
    """A program whose subgraphs have no blocks, and by the identity of its operator what they had.

    A subgraph whose block runs other blocks stays as it is. Raises ModelFormatError where a
    subgraph's attributes are damaged.
    """
    found: dict[int, Detached] = {}
    if not any(op.type == SUBGRAPH for block in program.blocks for op in block.ops):
        return program, found
    owners = Counter(
        op.attr("sub_block")
        for block in program.blocks
        for op in block.ops
        if isinstance(op.attr("sub_block"), int)
    )
    result = copy(program)
    result.blocks = [replace(block, ops=list(block.ops)) for block in program.blocks]
    for at, block in enumerate(program.blocks):
        for position, op in enumerate(block.ops):
            if op.type != SUBGRAPH:
                continue
            where = f"block {at}, operator {position} ({SUBGRAPH})"
            child = _child(op, at, len(program.blocks), owners, where)
            if any("sub_block" in inner.attrs for inner in program.blocks[child].ops):
                continue
            made, kept = _detached(program, op, child, where)
            result.blocks[at].ops[position] = made
            result.blocks[child].ops = []
            found[id(made)] = kept
    return result, found


def _child(op: OpDesc, at: int, count: int, owners: Mapping[int, int], where: str) -> int:
    child = op.attr("sub_block")
    if not isinstance(child, int) or not 0 < child < count or child == at or owners[child] != 1:
        raise ModelFormatError(
            f"{where}: sub_block is {child!r}, expected a block of its own, one of "
            f"1..{count - 1}; the program is damaged"
        )
    return child


def _detached(program: Program, op: OpDesc, child: int, where: str) -> tuple[OpDesc, Detached]:
    """A subgraph operator without its block, which names all that the block reads and writes."""
    exported = op.attr(OUTPUT_NAMES, [])
    if not isinstance(exported, list) or not all(isinstance(name, str) for name in exported):
        raise ModelFormatError(
            f"{where}: {OUTPUT_NAMES} is {str(exported)[:80]}, expected names; the program is "
            "damaged"
        )
    ops = program.blocks[child].ops
    # A batch_norm names its mean and variance as outputs, but does not write them.
    fixed = EMPTY_NAMES | program.params.keys()
    produced = {name for inner in ops for name in inner.output_names()} - fixed
    outer = {name for inner in ops for name in inner.input_names()} - produced
    inputs = sorted((set(op.inputs.get(INPUTS, ())) | outer) - EMPTY_NAMES)
    outputs = sorted((set(op.outputs.get(OUTPUTS, ())) | produced) - fixed)
    attrs = {
        name: attr
        for name, attr in op.attrs.items()
        if name not in ("sub_block", INPUT_NAMES, OUTPUT_NAMES)
    }
    made = OpDesc(SUBGRAPH, {INPUTS: inputs}, {OUTPUTS: outputs}, attrs)
    return made, Detached(list(ops), inputs, outputs, list(exported), child)


def attach(graph: Graph, program: Program, made: dict[Node, tuple[int, OpDesc]]) -> None:
    """Gives the subgraph operators of a program their blocks.

    ``made`` says which operator of the program stands for which node, and in which block it is.
    """
    for node, (owner, op) in made.items():
        detached = graph.subgraphs.get(node)
        if detached is None:
            continue
        renamed = _renamed(detached, node)
        index = detached.index
        if index is None:
            index = len(program.blocks)
            program.blocks.append(BlockDesc(index, owner))
        block = program.blocks[index]
        block.ops = [_with_names(inner, renamed) for inner in detached.ops]
        if detached.info is not None:
            detached.info.sub_block = index
        data = [value.name for value in node.inputs[INPUTS] if not value.is_param]
        op.attrs["sub_block"] = Attr(AttrType.INT, index)
        op.attrs[INPUT_NAMES] = Attr(AttrType.STRINGS, list(dict.fromkeys(data)))
        outputs = [renamed.get(name, name) for name in detached.data_outputs]
        op.attrs[OUTPUT_NAMES] = Attr(AttrType.STRINGS, outputs)


def _renamed(detached: Detached, node: Node) -> dict[str, str]:
    pairs = [
        *zip(detached.inputs, node.inputs[INPUTS], strict=True),
        *zip(detached.outputs, node.outputs[OUTPUTS], strict=True),
    ]
    return {old: value.name for old, value in pairs if old != value.name}


def _with_names(op: OpDesc, renamed: dict[str, str]) -> OpDesc:
    def names(slots: dict[str, list[str]]) -> dict[str, list[str]]:
        return {slot: [renamed.get(n, n) for n in listed] for slot, listed in slots.items()}

    return OpDesc(op.type, names(op.inputs), names(op.outputs), dict(op.attrs), op.is_target)
