"""Operators that compute what an earlier one has computed go, as in PIR's pass of that name."""

from __future__ import annotations

from collections.abc import Hashable

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.traits import having
from lite.model.declared import declared
from lite.model.pdmodel import DEBUG_ATTRS
from lite.model.text import print_op

_SMALL = 4096
"""Bytes of parameters that are compared; larger ones are the same only where they are one."""


def _operand(value: Value) -> Hashable:
    array = value.array
    if array is None or array.nbytes > _SMALL:
        return value
    return array.dtype.str, array.shape, array.tobytes()


def _key(node: Node) -> Hashable | None:
    """What the results of a pure operator follow from; None where nobody else has the inputs."""
    if any(value.array is None and len(value.uses) < 2 for value in node.input_values()):
        return None
    inputs = [(slot, *map(_operand, values)) for slot, values in node.inputs.items() if values]
    # As text: True is no 1 there, and 0.0 no -0.0.
    attrs = [(n, a.type, repr(a.value)) for n, a in node.attrs.items() if n not in DEBUG_ATTRS]
    return node.type, frozenset(inputs), frozenset(attrs)


def _is_pure(node: Node) -> bool:
    known = declared(node.type)
    return known is not None and known.pure and node.type not in having("stays", "updates")


def _pairs(node: Node, earlier: Node) -> list[tuple[Value, Value | None]]:
    """Results that are read, each with what the earlier operator has for it."""
    return [
        (out, earlier.output(slot, at))
        for slot, values in node.outputs.items()
        for at, out in enumerate(values)
        if not out.dead
    ]


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        seen: dict[Hashable, Node] = {}
        for node in block:
            key = _key(node)
            earlier = node if key is None else seen.setdefault(key, node)
            if earlier is node or not _is_pure(node):
                continue
            pairs = _pairs(node, earlier)
            if not all(same is not None and graph.can_forward(out, same) for out, same in pairs):
                continue
            line = print_op(node.desc()) if context.trace is not None else ""
            for out, same in pairs:
                assert same is not None
                graph.forward(out, same)
            graph.remove(node)
            context.record(block.index, (line,), ())


register(Pass("common_subexpression_elimination_pass", run=_run))
