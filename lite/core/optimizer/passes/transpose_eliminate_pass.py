"""Transposes around operators that work in any order of dimensions go.

tf2onnx and jax2onnx turn each convolution to NCHW and back, and leave what stands between them in
NHWC: additions, activations, padding, means. Connected operators of that kind are turned together
where that leaves fewer transposes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.infer import infer_node
from lite.core.optimizer.registry import Context, Pass, register
from lite.core.optimizer.reordered import Axes, Reordered, inverse, reordered
from lite.model.program import Attr, AttrType
from lite.model.text import print_op

_TRANSPOSES = ("transpose2", "transpose")


def _axes(node: Node | None) -> Axes | None:
    """The axes of a transpose, or of a reshape that does the same; None where it is none."""
    if node is None or node.hidden_writes or _is_read(node.output("XShape")):
        return None
    x, out = node.input("X"), node.output("Out")
    if x is None or out is None or not x.stable or not out.stable:
        return None
    if node.type in _TRANSPOSES:
        axes = tuple(node.integers("axis"))
        return axes if sorted(axes) == list(range(len(axes))) else None
    return _reshape_axes(node, x) if node.type == "reshape2" else None


def _reshape_axes(node: Node, x: Value) -> Axes | None:
    """tf2onnx turns single pixels by a reshape."""
    shape = node.integers("shape")
    if x.shape is None or len(x.shape) != len(shape) or len(node.inputs) != 1:
        return None
    if len(shape) < 3 or sorted(dim or 0 for dim in x.shape[1:])[:-1] != [1] * (len(shape) - 2):
        return None
    for axes in _channel_orders(len(shape)):
        if shape[0] in (-1, 0) and shape[1:] == [x.shape[axis] for axis in axes[1:]]:
            return axes
    return None


def _is_read(value: Value | None) -> bool:
    return value is not None and not value.dead


def _channel_orders(rank: int) -> tuple[Axes, Axes]:
    """From NCHW to NHWC and back, of any number of dimensions."""
    return (0, *range(2, rank), 1), (0, rank - 1, *range(1, rank - 1))


class _Region:
    """Operators that are connected by tensors whose order may change: ``axes`` lead back to theirs.

    A value outside is read in the new order where a transpose by ``axes`` made it, and is turned
    where not; the same of values that are read outside.
    """

    def __init__(self, block: Block, axes: Axes) -> None:
        self.block = block
        self.axes = axes
        self.back = inverse(axes)
        self.nodes: dict[Node, Reordered] = {}
        self._refused: set[Node] = set()
        self._turned: dict[Value, Value] = {}

    def grow(self, start: Node) -> None:
        """Takes in an operator and all that are connected with it."""
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node in self.nodes or node in self._refused or node.block is not self.block:
                continue
            form = reordered(node, self.axes)
            if form is None or not _reads_only(node, form):
                self._refused.add(node)
                continue
            self.nodes[node] = form
            waiting += (v.producer for v in self._read(node) if v.producer is not None)
            waiting += (user for value in self._written(node) for user in value.uses)

    def _read(self, node: Node) -> Iterator[Value]:
        for slot, index in self.nodes[node].reads:
            value = node.inputs[slot][index]
            if not value.is_param:
                yield value

    def _written(self, node: Node) -> Iterator[Value]:
        if self.nodes[node].writes:
            yield from node.output_values()

    def _is_inside(self, value: Value) -> bool:
        form = None if value.producer is None else self.nodes.get(value.producer)
        return form is not None and form.writes

    def saved(self) -> int:
        """How many transposes fewer there are after ``turn``."""
        entries = {v for node in self.nodes for v in self._read(node) if not self._is_inside(v)}
        saved = 0
        for value in entries:
            if _axes(value.producer) != self.axes:
                saved -= 1
            elif not value.pinned and all(user in self.nodes for user in value.uses):
                saved += 1
        for value in (value for node in self.nodes for value in self._written(node)):
            outside = [user for user in value.uses if user not in self.nodes]
            undone = sum(_axes(user) == self.back for user in outside)
            saved += undone - (value.pinned or undone < len(outside))
        return saved

    def turn(self, graph: Graph, nodes: list[Node]) -> None:
        """Rewrites the operators, which are given in their order."""
        written = []
        for node in nodes:
            form = self.nodes[node]
            for slot, index in form.reads:
                old = node.inputs[slot][index]
                graph.replace_input(node, slot, index, self._in_new_order(graph, old, node))
                self._clean(graph, old)
            node.attrs.update(form.attrs)
            if form.writes:
                written += [(value, node) for value in node.output_values() if not value.dead]
                self._write(graph, node)
            infer_node(node)
        for value, node in written:
            self._leave(graph, value, node)

    def _in_new_order(self, graph: Graph, value: Value, node: Node) -> Value:
        if value in self._turned:
            return self._turned[value]
        producer = value.producer
        if value.array is not None:
            shape = aligned_shape(value.array.shape, len(self.axes), node.integer("axis", -1))
            array = value.array.reshape(shape or value.array.shape).transpose(self.back)
            return graph.add_param(value.name, np.ascontiguousarray(array))
        if producer is not None and _axes(producer) == self.axes:
            found = producer.inputs["X"][0]
        else:
            found = _transpose(graph, value, self.back, node)
        self._turned[value] = found
        return found

    def _clean(self, graph: Graph, value: Value) -> None:
        if value.is_param:
            graph.drop_param(value)
        elif value.producer is not None and _axes(value.producer) is not None:
            graph.remove_dead(value.producer)

    def _write(self, graph: Graph, node: Node) -> None:
        for values in node.outputs.values():
            for index, value in enumerate(values):
                new = Value(graph.fresh_name(f"{value.name}.turned"), node)
                value.producer = None
                values[index] = self._turned[value] = new

    def _leave(self, graph: Graph, value: Value, node: Node) -> None:
        """Gives a value to its readers outside."""
        new = self._turned[value]
        for user in list(value.uses):
            out = user.output("Out")
            if _axes(user) == self.back and out is not None and graph.can_forward(out, new):
                graph.forward(out, new)
                graph.remove(user)
        if not value.dead:
            _transpose(graph, new, self.axes, node, value)


def _reads_only(node: Node, form: Reordered) -> bool:
    """Whether the operator reads its reordered arguments nowhere else."""
    reads = [node.inputs[slot][index] for slot, index in form.reads]
    return all(value.is_param or reads.count(value) == value.uses[node] for value in reads)


def _transpose(
    graph: Graph, value: Value, axes: Axes, node: Node, out: Value | None = None
) -> Value:
    """Inserts a transpose in front of an operator; behind it where that makes the value."""
    out = out or Value(graph.fresh_name(f"{value.name}.turned"))
    attrs = {"axis": Attr(AttrType.INTS, list(axes))}
    made = graph.insert(node, "transpose2", {"X": [value]}, {"Out": [out]}, attrs)
    if value.producer is node:
        node.block.unlink(made)
        node.block.link(made, node.next)
    infer_node(made)
    return out


def _starts(seed: Node) -> Iterator[tuple[Node, Axes]]:
    """The operators on either side of a transpose, each with the order in which it may work."""
    axes = _axes(seed)
    if axes is None or len(axes) < 3 or axes not in _channel_orders(len(axes)):
        return
    for user in seed.outputs["Out"][0].uses:
        yield user, axes
    producer = seed.inputs["X"][0].producer
    if producer is not None:
        yield producer, inverse(axes)


def _turn_regions(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        tried: set[tuple[Node, Axes]] = set()
        for start in [start for seed in block.of_type(*_TRANSPOSES) for start in _starts(seed)]:
            if start in tried:
                continue
            node, axes = start
            region = _Region(block, axes)
            region.grow(node)
            tried |= {(node, axes) for node in region.nodes}
            if region.saved() > 0:
                nodes = [node for node in block if node in region.nodes]
                before = [print_op(node.desc()) for node in nodes] if context.trace else []
                region.turn(graph, nodes)
                after = [print_op(node.desc()) for node in nodes] if context.trace else []
                context.record(block.index, before, after)


def _compose(graph: Graph, context: Context) -> None:
    """Two transposes, one behind the other, are one or none."""
    for block in graph.blocks:
        for node in block.of_type(*_TRANSPOSES, "reshape2"):
            axes, x = _axes(node), node.input("X")
            first = None if x is None else x.producer
            before = _axes(first)
            if axes is None or before is None or first is None or len(axes) != len(before):
                continue
            lines = [print_op(first.desc()), print_op(node.desc())] if context.trace else []
            source, out = first.inputs["X"][0], node.outputs["Out"][0]
            both = [before[axis] for axis in axes]
            if both != sorted(both) and node.type in _TRANSPOSES:
                graph.replace_input(node, "X", 0, source)
                node.set_attr("axis", AttrType.INTS, both)
            elif both == sorted(both) and graph.can_forward(out, source):
                graph.forward(out, source)
                graph.remove(node)
            else:
                continue
            graph.remove_dead(first)
            after = [print_op(node.desc())] if context.trace and both != sorted(both) else []
            context.record(block.index, lines, after)


def _run(graph: Graph, context: Context) -> None:
    _compose(graph, context)
    _turn_regions(graph, context)


register(Pass("transpose_eliminate_pass", run=_run))
