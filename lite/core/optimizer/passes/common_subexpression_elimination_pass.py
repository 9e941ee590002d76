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
    """What the results follow from; None where that is more than inputs and attributes."""
    if any(value.array is None and len(value.uses) < 2 for value in node.input_values()):
        return None  # nobody else reads it: the quick way out
    known = declared(node.type)
    if known is None or not known.pure or node.type in having("stays", "updates"):
        return None
    inputs = [(slot, *map(_operand, values)) for slot, values in node.inputs.items() if values]
    # As text: True is no 1 there, and 0.0 no -0.0.
    attrs = [(n, a.type, repr(a.value)) for n, a in node.attrs.items() if n not in DEBUG_ATTRS]
    return node.type, frozenset(inputs), frozenset(attrs)


def _pairs(node: Node, earlier: Node) -> list[tuple[Value, Value]] | None:
    """Results that are read, each with what the earlier operator has for it; None where it has
    none."""
    pairs = []
    for slot, values in node.outputs.items():
        for at, out in enumerate(values):
            same = earlier.output(slot, at)
            if out.dead:
                continue
            if same is None or same is out:
                return None
            pairs.append((out, same))
    return pairs


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        seen: dict[Hashable, Node] = {}
        for node in block:
            key = _key(node)
            earlier = node if key is None else seen.setdefault(key, node)
            pairs = _pairs(node, earlier) if earlier is not node else None
            if pairs is None or not all(graph.can_forward(*pair) for pair in pairs):
                continue
            line = print_op(node.desc()) if context.trace is not None else ""
            for out, same in pairs:
                graph.forward(out, same)
            graph.remove(node)
            context.record(block.index, (line,), ())


register(Pass("common_subexpression_elimination_pass", run=_run))
