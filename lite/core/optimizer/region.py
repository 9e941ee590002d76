"""Connected operators that work in any order of dimensions, and turning them together.

A view is a transpose, or a reshape of one pixel that does the same, or a squeeze or unsqueeze of
one dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lite.core.optimizer.broadcasting import aligned_shape
from lite.core.optimizer.graph import Block, Graph, Node, Value
from lite.core.optimizer.infer import infer_node
from lite.core.optimizer.registry import Context
from lite.core.optimizer.reordered import Axes, Order, Reordered, reordered
from lite.model.program import Attr, AttrType
from lite.model.text import print_op

TRANSPOSES = ("transpose2", "transpose")


def channel_orders(rank: int) -> tuple[Axes, Axes]:
    """The axes of transposes from NCHW to NHWC and back, of any number of dimensions."""
    return (0, *range(2, rank), 1), (0, rank - 1, *range(1, rank - 1))


def transpose_axes(node: Node | None) -> Axes | None:
    """The axes of a transpose, or of a reshape that does the same; None where it is none."""
    if node is None or not _is_view(node):
        return None
    if node.type in TRANSPOSES:
        axes = tuple(node.integers("axis"))
        return axes if sorted(axes) == list(range(len(axes))) else None
    return _pixel_axes(node) if node.type == "reshape2" else None


def _is_view(node: Node) -> bool:
    x, out, shape = node.input("X"), node.output("Out"), node.output("XShape")
    if node.hidden_writes or x is None or out is None or len(node.inputs) != 1:
        return False
    return x.stable and out.stable and (shape is None or shape.dead)


def _pixel_axes(node: Node) -> Axes | None:
    shape, given = node.integers("shape"), node.inputs["X"][0].shape
    if given is None or len(given) != len(shape) or len(shape) < 3:
        return None
    if sorted(dim or 0 for dim in given[1:])[:-1] != [1] * (len(shape) - 2):
        return None
    for axes in channel_orders(len(shape)):
        if shape[0] in (-1, 0) and shape[1:] == [given[axis] for axis in axes[1:]]:
            return axes
    return None


def order_before(node: Node | None) -> Order | None:
    """The order of a view's input, as seen from its output; None where the operator is none."""
    axes = transpose_axes(node)
    if axes is not None:
        return Order(axes, len(axes))
    if node is None or node.type != "squeeze2" or not _is_view(node):
        return None
    x = node.inputs["X"][0]
    gone = _dimension(node, x.rank)
    if gone is None or x.shape is None or x.shape[gone] != 1:
        return None
    return _without(gone, len(x.shape))


def order_after(node: Node | None) -> Order | None:
    """The order of a view's output, as seen from its input; None where the operator is none."""
    axes = transpose_axes(node)
    if axes is not None:
        return Order(Order(axes, len(axes)).old, len(axes))
    if node is None or node.type != "unsqueeze2" or not _is_view(node):
        return None
    rank = node.inputs["X"][0].rank
    new = None if rank is None else _dimension(node, rank + 1)
    return None if new is None or rank is None else _without(new, rank + 1)


def _dimension(node: Node, rank: int | None) -> int | None:
    axes = None if rank is None else node.axes("axes", rank)
    return axes[0] if axes is not None and len(axes) == 1 else None


def _without(new: int, rank: int) -> Order:
    return Order(tuple(axis for axis in range(rank) if axis != new), rank)


def cancel(graph: Graph, context: Context, node: Node) -> bool:
    """Takes away a view that undoes the one in front of it; says whether it did."""
    x, out = node.input("X"), node.output("Out")
    first = None if x is None else x.producer
    if first is None or out is None or first.block is not node.block:
        return False
    ways = (order_before(first), order_after(node)), (order_after(first), order_before(node))
    if not any(there is not None and there == back for there, back in ways):
        return False
    source = first.inputs["X"][0]
    if not graph.can_forward(out, source):
        return False
    lines = [print_op(first.desc()), print_op(node.desc())] if context.trace else []
    graph.forward(out, source)
    graph.remove(node)
    graph.remove_dead(first)
    context.record(node.block.index, lines, ())
    return True


class Region:
    """Operators that are connected by tensors that may be in another order.

    A value outside is read in that order where a view from there made it, and is turned where not;
    the same of values that are read outside.
    """

    def __init__(self, block: Block, order: Order) -> None:
        self.block = block
        self.order = order
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
            form = reordered(node, self.order)
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
        """How many views fewer there are after ``turn``."""
        entries = {v for node in self.nodes for v in self._read(node) if not self._is_inside(v)}
        saved = 0
        for value in entries:
            if order_before(value.producer) != self.order:
                saved -= 1
            elif not value.pinned and all(user in self.nodes for user in value.uses):
                saved += 1
        for value in (value for node in self.nodes for value in self._written(node)):
            outside = [user for user in value.uses if user not in self.nodes]
            undone = sum(order_after(user) == self.order for user in outside)
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
            rank = len(self.order.axes)
            shape = aligned_shape(value.array.shape, rank, node.integer("axis", -1))
            array = value.array.reshape(shape or value.array.shape)
            return graph.add_param(value.name, self.order.apply(array))
        if producer is not None and order_before(producer) == self.order:
            found = producer.inputs["X"][0]
        else:
            found = Value(graph.fresh_name(f"{value.name}.turned"))
            infer_node(self._view(graph, node, value, found))
        self._turned[value] = found
        return found

    def _clean(self, graph: Graph, value: Value) -> None:
        if value.is_param:
            graph.drop_param(value)
        elif value.producer is not None and order_before(value.producer) is not None:
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
            if order_after(user) == self.order and out is not None and graph.can_forward(out, new):
                graph.forward(out, new)
                graph.remove(user)
        if not value.dead:
            made = self._view(graph, node, new, value, back=True)
            node.block.unlink(made)
            node.block.link(made, node.next)

    def _view(self, graph: Graph, node: Node, x: Value, out: Value, back: bool = False) -> Node:
        """Turns a value in front of an operator, into the new order or back."""
        order, name = self.order, "axes"
        if not order.new:
            type, name, axes = "transpose2", "axis", order.axes if back else order.old
        else:
            type, axes = "squeeze2" if back else "unsqueeze2", order.new
        attrs = {name: Attr(AttrType.INTS, list(axes))}
        return graph.insert(node, type, {"X": [x]}, {"Out": [out]}, attrs)


Start = tuple[Node, Order, int]
"""Where a region begins, the order, and how many views it has to save."""


def turn_regions(graph: Graph, context: Context, block: Block, starts: Iterable[Start]) -> None:
    """Turns the regions that save enough, and records them."""
    tried: set[tuple[Node, Order]] = set()
    for start, order, least in starts:
        if (start, order) in tried:
            continue
        region = Region(block, order)
        region.grow(start)
        tried |= {(node, order) for node in region.nodes}
        if not region.nodes or region.saved() < least:
            continue
        nodes = [node for node in block if node in region.nodes]
        before = [print_op(node.desc()) for node in nodes] if context.trace else []
        region.turn(graph, nodes)
        after = [print_op(node.desc()) for node in nodes] if context.trace else []
        context.record(block.index, before, after)


def _reads_only(node: Node, form: Reordered) -> bool:
    """Whether the operator reads its reordered arguments nowhere else."""
    reads = [node.inputs[slot][index] for slot, index in form.reads]
    return all(value.is_param or reads.count(value) == value.uses[node] for value in reads)
