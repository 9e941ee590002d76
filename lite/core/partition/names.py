"""Names and order: variables that are written more than once, and what must stand before what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.traits import having
from lite.model.check import EMPTY_NAMES

_ORDERED = having("stays") - {"feed", "fetch", "subgraph"}
"""Operators that keep their order among themselves, whatever they read and write."""


def block_values(block: Block) -> dict[str, list[Value]]:
    """The versions of each name in a block, in the order in which they come to be."""
    found: dict[str, list[Value]] = {name: [value] for name, value in block.entry.items()}
    for node in block:
        for value in (*node.output_values(), *node.hidden_writes):
            versions = found.setdefault(value.name, [])
            if value not in versions[-1:]:
                versions.append(value)
    return found


def name_versions(graph: Graph) -> None:
    """Gives each version of a variable that only its block knows a name of its own.

    The last version keeps the name, and so does one that is fetched.
    """
    for block in graph.blocks:
        for name, versions in block_values(block).items():
            if len(versions) < 2 or name in EMPTY_NAMES:
                continue
            free = [value for value in versions[:-1] if _is_free(value)]
            for value in free:
                value.name = graph.fresh_name(f"{name}@{versions.index(value) + 1}")
                value.stable = True
            if len(free) == len(versions) - 1:
                versions[-1].stable = True


def _is_free(value: Value) -> bool:
    if value.producer is None or value.pinned or value.hidden_uses:
        return False
    return not any(node.type == "fetch" for node in value.uses)


def data_inputs(node: Node) -> Iterator[Value]:
    """What an operator reads besides parameters and absent arguments."""
    for value in node.input_values():
        if not value.is_param and value.name not in EMPTY_NAMES:
            yield value


def dependencies(block: Block) -> tuple[list[Node], list[list[int]]]:
    """The block's operators in order, and for each the positions that must stand before it."""
    nodes = list(block)
    position = {node: at for at, node in enumerate(nodes)}
    before: list[set[int]] = [set() for _ in nodes]
    last_effect = -1
    for at, node in enumerate(nodes):
        for value in (*data_inputs(node), *node.hidden_reads):
            if value.producer is not None:
                before[at].add(position[value.producer])
        if node.type in _ORDERED:
            if last_effect >= 0:
                before[at].add(last_effect)
            last_effect = at
    for name, versions in block_values(block).items():
        if len(versions) < 2 or name in EMPTY_NAMES:
            continue
        for old, new in pairwise(versions):
            if new.producer is None:
                continue
            at = position[new.producer]
            if old.producer is not None:
                before[at].add(position[old.producer])
            before[at].update(position[reader] for reader in old.uses if reader in position)
    return nodes, [sorted(other for other in some if other != at) for at, some in enumerate(before)]
