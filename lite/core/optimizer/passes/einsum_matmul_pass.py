"""An einsum of two operands that is a product of matrices becomes one, with what turns it.

flax and Keras write attention and layers so: `bqhd,bkhd->bhqk`, `abc,cde->abde`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lite.core.optimizer.graph import Graph, Node, Shape, Value
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.declared import declared
from lite.model.program import DataType
from lite.model.text import print_op


def _terms(equation: str, ranks: list[int]) -> list[str] | None:
    """A letter for each dimension of both operands and of the result; None for other equations."""
    operands, arrow, result = equation.replace(" ", "").partition("->")
    terms = [*operands.split(","), result]
    if not arrow or len(terms) != 3:
        return None
    counts = {rank - len(t) + 3 for t, rank in zip(terms, ranks, strict=False) if "..." in t}
    if len(counts) > 1 or any(not 0 <= count <= 8 for count in counts):
        return None
    more = "01234567"[: counts.pop() if counts else 0]
    terms = [term.replace("...", more) for term in terms]
    fits = all(len(term) == rank for term, rank in zip(terms, ranks, strict=False))
    return terms if fits and all(len(set(term)) == len(term) for term in terms) else None


@dataclass(frozen=True)
class _Product:
    """Letters of both operands and the result, of both operands, and of one and the result."""

    batch: str
    summed: str
    left: str
    right: str

    @property
    def result(self) -> str:
        return self.batch + self.left + self.right


def _product(x: str, y: str, out: str) -> _Product | None:
    both = {c for c in x if c in y}
    found = _Product(
        "".join(c for c in out if c in both),
        "".join(c for c in x if c in both and c not in out),
        "".join(c for c in out if c in x and c not in both),
        "".join(c for c in out if c in y and c not in both),
    )
    known = found.batch + found.summed
    whole = set(x) == set(known + found.left) and set(y) == set(known + found.right)
    return found if whole and len(found.result) == len(out) and found.summed else None


class _Writer:
    """Puts operators in front of an einsum."""

    def __init__(self, graph: Graph, node: Node, sizes: dict[str, int | None]) -> None:
        self.graph = graph
        self.node = node
        self.sizes = sizes
        self.made: list[Node] = []

    def add(
        self, type: str, inputs: dict[str, Value], labels: str | None, last: bool, **attrs: object
    ) -> Value:
        """An operator and its result, the einsum's own for the last one."""
        known, out = declared(type), self.node.outputs["Out"][0]
        assert known is not None
        made = out if last else Value(self.graph.fresh_name(f"{out.name}.part"))
        made.dtype = DataType.FP32
        if labels is not None and not last:
            made.shape = self.shape(labels)
        slots = {slot: [value] for slot, value in inputs.items()}
        written = {name: known.attr(name, value) for name, value in attrs.items()}
        self.made.append(self.graph.insert(self.node, type, slots, {"Out": [made]}, written))
        return made

    def shape(self, labels: str) -> Shape:
        return tuple(self.sizes[c] for c in labels)

    def ordered(self, value: Value, labels: str, wanted: str, last: bool = False) -> Value:
        """The dimensions in another order."""
        axes = [labels.index(c) for c in wanted]
        if labels == wanted and not last:
            return value
        if value.array is not None:
            array = np.ascontiguousarray(value.array.transpose(axes))
            return self.graph.add_param(f"{value.name}.turned", array)
        return self.add("transpose2", {"X": value}, wanted, last, axis=axes)

    def matrices(self, p: _Product, x: Value, y: Value, terms: list[str]) -> None:
        """A product of two computed operands, with one dimension of each kind."""
        x = self.ordered(x, terms[0], p.batch + p.left + p.summed)
        turned = terms[1] != p.batch + p.summed + p.right
        y = self.ordered(
            y, terms[1], p.batch + (p.right + p.summed if turned else p.summed + p.right)
        )
        straight = p.result == terms[2]
        made = self.add(
            "matmul_v2", {"X": x, "Y": y}, p.result, straight, trans_x=False, trans_y=turned
        )
        if not straight:
            self.ordered(made, p.result, terms[2], last=True)

    def weights(self, p: _Product, x: Value, y: Value, terms: list[str]) -> None:
        """Rows times a constant, whatever dimensions are put together to the sides of a matrix."""
        assert y.array is not None
        array = y.array.transpose([terms[1].index(c) for c in p.summed + p.right])
        depth = int(np.prod([array.shape[i] for i in range(len(p.summed))], dtype=np.int64))
        weight = y
        if terms[1] != p.summed + p.right or array.ndim != 2:
            matrix = np.ascontiguousarray(array).reshape(depth, -1)
            weight = self.graph.add_param(f"{y.name}.matrix", matrix)
        x = self.ordered(x, terms[0], p.left + p.summed)
        rows = [0] * len(p.left) or [1]
        if len(p.summed) > 1 or not p.left:
            x = self.add("reshape2", {"X": x}, None, False, shape=[*rows, depth])
            x.shape = (*(self.shape(p.left) or (1,)), depth)
        joined = len(p.right) != 1 or not p.left
        straight = p.result == terms[2]
        made = self.add(
            "matmul_v2",
            {"X": x, "Y": weight},
            None,
            straight and not joined,
            trans_x=False,
            trans_y=False,
        )
        made.shape = (*(self.shape(p.left) or (1,)), array.size // depth)
        if joined:
            sizes = [0] * len(p.left) + [int(y.array.shape[terms[1].index(c)]) for c in p.right]
            made = self.add("reshape2", {"X": made}, p.result, straight, shape=sizes)
        if not straight:
            self.ordered(made, p.result, terms[2], last=True)


def _fuse(graph: Graph, node: Node) -> list[Node] | None:
    operands = node.inputs.get("Operands", [])
    if len(operands) != 2 or any(v.rank is None or v.dtype != DataType.FP32 for v in operands):
        return None
    shapes = [value.shape or () for value in operands]
    terms = _terms(node.string("equation"), [len(shape) for shape in shapes])
    if terms is None:
        return None
    x, y = operands
    if x.is_param or (not y.is_param and _goes_first(terms)):
        x, y, terms, shapes = y, x, [terms[1], terms[0], terms[2]], shapes[::-1]
    p = _product(*terms)
    if p is None or not p.result or x.is_param or (y.array is not None and y.array.size == 0):
        return None
    if any(_unlike(shapes, terms, letter) for letter in p.batch + p.summed):
        return None
    sizes: dict[str, int | None] = {}
    for term, shape in zip(terms, shapes, strict=False):
        for letter, size in zip(term, shape, strict=True):
            sizes[letter] = sizes.get(letter) if size is None else size
    writer = _Writer(graph, node, sizes)
    if y.is_param and not p.batch:
        writer.weights(p, x, y, terms)
    elif len(p.left) == len(p.right) == len(p.summed) == 1:
        writer.matrices(p, x, y, terms)
    else:
        return None
    graph.remove(node)
    return writer.made


def _goes_first(terms: list[str]) -> bool:
    """Whether the result begins with what the second operand alone has."""
    own = [c for c in terms[2] if (c in terms[0]) != (c in terms[1])]
    return bool(own) and own[0] in terms[1]


def _unlike(shapes: list[Shape], terms: list[str], letter: str) -> bool:
    """Whether sizes differ, or one is 1 and the other not known: it might broadcast."""
    found = {shape[term.index(letter)] for shape, term in zip(shapes, terms, strict=False)}
    return len(found) > 1 and (1 in found or None not in found)


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for node in block.of_type("einsum"):
            before = (print_op(node.desc()),) if context.trace is not None else ()
            made = _fuse(graph, node)
            if made is not None:
                after = [print_op(one.desc()) for one in made] if context.trace is not None else []
                context.record(block.index, before, after)


register(Pass("einsum_matmul_pass", run=_run))
