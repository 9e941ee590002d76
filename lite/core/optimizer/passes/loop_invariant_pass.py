"""Products that are the same in every step of a loop are computed once, in front of it.

Attention in a decoder's loop projects the encoder's result again for each token. What is made of
such a product alone goes with it: its transposes, the arithmetic on its shape. Other operators
stay: where a loop takes no step, nobody has to be able to compute them.
"""

from __future__ import annotations

from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.traits import having
from lite.model.declared import declared
from lite.model.text import print_op

_PRODUCTS = frozenset({"conv2d", "depthwise_conv2d", "fc", "matmul", "matmul_v2", "mul"})


class _Loop:
    """One loop, and the results of operators of its body that stand in front of it by now."""

    def __init__(self, graph: Graph, node: Node, body: Block) -> None:
        self.graph = graph
        self.node = node
        self.body = body
        self.outside = {value.name: value for value in (*node.hidden_reads, *node.input_values())}
        self.moved: set[Value] = set()

    def _unchanged(self, value: Value) -> bool:
        """Whether the body reads what stands outside, and nothing in the body writes it."""
        name = value.name
        return value.stable and self.body.entry.get(name) is value and name in self.outside

    def can_move(self, node: Node) -> bool:
        """Whether it may be computed in front of the loop, and is worth it."""
        known = declared(node.type)
        if known is None or not known.pure or node.type in having("stays", "updates"):
            return False
        inputs = [value for value in node.input_values() if not value.is_param]
        if not inputs or not all(self._unchanged(value) for value in inputs):
            return False
        if any(not v.stable or v.pinned or v.hidden_uses for v in node.output_values()):
            return False
        weighted = any(value.is_param for value in node.input_values())
        return (node.type in _PRODUCTS and weighted) or not self.moved.isdisjoint(inputs)

    def move(self, node: Node) -> Node:
        """Puts the operator in front of the loop, whose body reads its results from there."""
        inputs = {
            slot: [value if value.is_param else self.outside[value.name] for value in values]
            for slot, values in node.inputs.items()
        }
        outputs = {
            slot: [self._in_front(value) for value in values]
            for slot, values in node.outputs.items()
        }
        self.graph.remove(node)
        return self.graph.insert(self.node, node.type, inputs, outputs, node.attrs)

    def _in_front(self, result: Value) -> Value:
        made = Value(self.graph.fresh_name(result.name))
        made.dtype, made.shape = result.dtype, result.shape
        if result.dead:
            return made
        made.pinned = True
        made.uses[self.node] = 1
        self.node.inputs.setdefault("X", []).append(made)
        entry = self.body.entry[made.name] = Value(made.name)
        entry.dtype, entry.shape, entry.pinned = made.dtype, made.shape, True
        self.graph.forward(result, entry)
        self.outside[made.name] = made
        self.moved.add(entry)
        return made


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for node in block.of_type("while"):
            child = sub_block(node)
            if child is None:
                continue
            loop = _Loop(graph, node, graph.blocks[child])
            for inner in loop.body:
                if loop.can_move(inner):
                    before = (print_op(inner.desc()),) if context.trace is not None else ()
                    made = loop.move(inner)
                    after = (print_op(made.desc()),) if context.trace is not None else ()
                    context.record(child, before, after)


register(Pass("loop_invariant_pass", run=_run))
