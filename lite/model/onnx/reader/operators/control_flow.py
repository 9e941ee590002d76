"""Branches and loops: blocks of the Program, as Paddle's exporters write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lite.errors import ModelFormatError
from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.document import outer_reads
from lite.model.onnx.reader.translate import Call, Scope, adapter
from lite.model.onnx.reader.values import CannotRead, Refused, Tensor, TensorList, Value
from lite.model.program import BlockDesc, DataType

Known = Tensor | TensorList


def _checked(values: list[Value]) -> list[Known]:
    found: list[Known] = []
    for value in values:
        if isinstance(value, Refused):
            raise CannotRead("its input is not read")
        found.append(value)
    return found


@adapter
def if_(b: Builder, call: Call, cond: Tensor, then_branch: Any, else_branch: Any) -> list[Known]:
    """One of two graphs; the one that a known condition names stands in the other's place."""
    if cond.array is not None and cond.array.size == 1:
        graph = then_branch if cond.array.reshape(-1)[0] else else_branch
        scope = Scope(call.scope.opsets, call.scope)
        return _checked(call.reader.graph(graph, scope, call.node.where))
    sides: list[tuple[BlockDesc, list[Known]]] = []
    for graph in (then_branch, else_branch):
        with b.inner_block() as block:
            scope = Scope(call.scope.opsets, call.scope)
            made = _checked(call.reader.graph(graph, scope, call.node.where))
            results = [b.listed(v) if isinstance(v, TensorList) else v for v in made]
            for value in results:
                b.use(value)
        b.hand_out(block, [value.name for value in results])
        sides.append((block, results))
    if len(sides[0][1]) != len(sides[1][1]):
        raise ModelFormatError("the branches have different numbers of outputs")
    for (block, _), way in zip(sides, ("", "logical_not"), strict=True):
        if block.ops:
            b.run_block("conditional_block", block, b.emit(way, {"X": cond}) if way else cond)
    mask = b.cast(b.reshape(cond, [1]), DataType.INT32)
    return [_selected(b, mask, x, y) for x, y in zip(sides[1][1], sides[0][1], strict=True)]


def _selected(b: Builder, mask: Tensor, other: Known, taken: Known) -> Known:
    made: Known
    if isinstance(taken, TensorList) or isinstance(other, TensorList):
        made = b.tensor_list(taken.dtype)
    else:
        if taken.dtype is not other.dtype:
            raise CannotRead("the branches have results of different element types")
        shapes = taken.shape, other.shape
        same = None not in shapes and len(shapes[0] or ()) == len(shapes[1] or ())
        made = b.variable(taken.dtype, (None,) * len(shapes[0] or ()) if same else None)
        made.bits = taken.bits
    inputs = {"X": [b.use(other), b.use(taken)], "Mask": [b.use(mask)]}
    b.append("select_input", inputs, {"Out": [made.name]})
    return made


class _Loop:
    """A `while` with a counter, values that each turn hands to the next, and lists of results.

    Values that are handed on ``unchanged`` are what they were before, constants among them.
    """

    def __init__(
        self, b: Builder, carried: list[Known], unchanged: frozenset[int] = frozenset()
    ) -> None:
        self.b = b
        self.counter = self.variable(b.constant(np.asarray(0, np.int64)))
        self.unchanged = unchanged
        self.carried = [
            value if i in unchanged else self.variable(value) for i, value in enumerate(carried)
        ]
        self.lists: list[TensorList] = []

    def variable(self, value: Known) -> Known:
        """A variable that begins as a value; its sizes may change."""
        made = self.b.copy(value)
        if isinstance(made, Tensor) and made.shape is not None:
            made.shape = (None,) * len(made.shape)
        return made

    @property
    def index(self) -> Tensor:
        """The number of the turn."""
        assert isinstance(self.counter, Tensor)
        return self.counter

    def limit(self, count: Tensor | None, going: Tensor | None) -> Tensor:
        """Whether there is another turn."""
        b = self.b
        found = going
        if count is not None:
            below = b.binary("less_than", self.index, b.reshape(b.cast(count, DataType.INT64), []))
            found = below if going is None else b.binary("logical_and", below, b.reshape(going, []))
        return b.constant(True) if found is None else found

    def translate(
        self,
        turn: Callable[[], list[Known]],
        handed_on: int,
        limit: Callable[[list[Known]], Tensor],
        condition: Tensor,
    ) -> list[Known]:
        """Appends the loop and returns what a turn makes: values that it hands on from
        ``handed_on``, then results. ``limit`` says of that whether there is another turn."""
        b, end = self.b, handed_on + len(self.carried)
        while True:
            forget = b.blocks_from_here()
            with b.inner_block() as block:
                made = turn()
                again = self._follow(made[handed_on:end])
                if not again:
                    self._collect(made[end:])
                    self._count_on()
                    self._advance(condition, limit(made), made[handed_on:end])
            if not again:
                break
            forget()
        b.hand_out(block, [items.name for items in self.lists])
        b.run_block("while", block, condition)
        return made

    def _follow(self, values: list[Known]) -> bool:
        """Forgets the number of dimensions of those that get another one, as what stands for
        nothing before the first turn; whether there were any."""
        found = False
        for old, new in zip(self.carried, values, strict=True):
            if isinstance(old, TensorList) or isinstance(new, TensorList) or old.shape is None:
                continue
            if new.shape is None or new.rank != old.rank:
                old.shape, found = None, True
        if found:
            self.b.count_retry()
        return found

    def _advance(self, condition: Tensor, following: Tensor, values: list[Known]) -> None:
        """The end of a turn: variables take what it made, through copies that nobody overwrites."""
        b = self.b
        pairs: list[tuple[Known, Known]] = [(condition, following)]
        for i, (old, new) in enumerate(zip(self.carried, values, strict=True)):
            if old.dtype is not new.dtype:
                raise CannotRead("a value changes its element type from turn to turn")
            if i not in self.unchanged:
                pairs.append((old, b.copy(new)))
        for target, source in pairs:
            b.append("assign", {"X": [b.use(source)]}, {"Out": [target.name]})

    def _count_on(self) -> None:
        """One more turn."""
        b = self.b
        following = b.binary("elementwise_add", self.index, b.constant(np.asarray(1, np.int64)))
        b.append("assign", {"X": [b.use(following)]}, {"Out": [self.index.name]})

    def _collect(self, values: list[Known]) -> None:
        """Puts a turn's results behind those of the turns before."""
        b = self.b
        for value in values:
            if not isinstance(value, Tensor):
                raise CannotRead("a sequence for each turn")
            items = b.tensor_list(value.dtype)
            self.lists.append(items)
            inputs = {"X": [b.use(value)], "I": [self.index.name]}
            b.append("write_to_array", inputs, {"Out": [items.name]})


def _body_scope(call: Call, graph: Any, values: list[Known]) -> Scope:
    scope = Scope(call.scope.opsets, call.scope)
    if len(graph.input) != len(values):
        raise ModelFormatError(f"the body has {len(graph.input)} inputs, expected {len(values)}")
    for info, value in zip(graph.input, values, strict=True):
        scope.values[info.name] = value
    return scope


@adapter
def loop(
    b: Builder, call: Call, M: Tensor | None, cond: Tensor | None, v_initial: list[Any], body: Any
) -> list[Known]:
    """A body that runs a number of times, or as long as it says."""
    count = len(v_initial)
    results = len(body.output) - 1 - count
    if results < 0:
        raise ModelFormatError("the body has fewer outputs than values that it hands on")
    known = _computed(b, call, M, cond, v_initial, body)
    if known is not None:
        return known
    turns = _Loop(b, list(v_initial), _unchanged(body, v_initial))
    condition = b.copy(b.reshape(turns.limit(M, cond), []))
    assert isinstance(condition, Tensor)

    def turn() -> list[Known]:
        index = b.copy(turns.index)
        assert isinstance(index, Tensor)
        scope = _body_scope(call, body, [*_heads(b, body, index, condition), *turns.carried])
        return _checked(call.reader.graph(body, scope, call.node.where))

    def limit(made: list[Known]) -> Tensor:
        assert isinstance(made[0], Tensor)
        return b.reshape(turns.limit(M, made[0]), [])

    made = turns.translate(turn, 1, limit, condition)
    pairs = zip(turns.lists, made[1 + count :], strict=True)
    return [*turns.carried, *(_stacked(b, items, _rank(one), 0) for items, one in pairs)]


def _heads(b: Builder, body: Any, *heads: Tensor) -> list[Known]:
    """The turn's number and condition, of as many dimensions as the body declares, as in ONNX
    Runtime."""
    infos = zip(heads, body.input, strict=False)
    return [b.reshape(x, [1]) if len(i.type.tensor_type.shape.dim) == 1 else x for x, i in infos]


def _computed(
    b: Builder, call: Call, most: Tensor | None, cond: Tensor | None, given: list[Any], body: Any
) -> list[Known] | None:
    """What a loop makes that reads nothing but constants, as torch writes the places that
    as_strided reads; None for others."""
    around = [call.scope.find(name) for name in outer_reads(body)]
    inputs = [*given, *around, *(x for x in (most, cond) if x is not None)]
    if not all(isinstance(x, (Tensor, TensorList)) and x.known for x in inputs):
        return None

    limit = None if most is None else int(np.asarray(most.array).reshape(()))
    end = 1 + len(given)

    def run() -> list[Value] | None:
        going, values = _flag(cond), list(given)
        results: list[list[Tensor]] = []  # of each turn
        while going and (limit is None or len(results) < limit):
            call.reader.turns_left -= 1
            if call.reader.turns_left < 0:
                return None
            heads = b.constant(np.asarray(len(results), np.int64)), b.constant(np.asarray(True))
            scope = _body_scope(call, body, [*_heads(b, body, *heads), *values])
            made = _checked(call.reader.graph(body, scope, call.node.where))
            again, values, rest = made[0], made[1:end], made[end:]
            results.append([x for x in rest if isinstance(x, Tensor)])
            whole = isinstance(again, Tensor) and len(results[-1]) == len(rest)
            if not whole or not all(x.known for x in made):
                return None
            going = _flag(again)
        if len(body.output) > end and not results:
            return None
        stacked = [b.emit("stack", {"X": list(x)}, axis=0) for x in zip(*results, strict=True)]
        return [*values, *stacked]

    made = call.reader.attempt(run)
    return None if made is None else _checked(made)


def _flag(condition: Known | None) -> bool:
    return not isinstance(condition, Tensor) or bool(np.asarray(condition.array).reshape(()))


def _unchanged(body: Any, values: list[Any]) -> frozenset[int]:
    """Tensors that a body hands on as they came, which exporters do with weights."""
    copies = {n.output[0]: n.input[0] for n in body.node if n.op_type == "Identity" and n.input}
    found = set()
    for i, (given, made) in enumerate(zip(body.input[2:], body.output[1:], strict=False)):
        name = made.name
        for _ in range(len(copies)):
            name = copies.get(name, name)
        if i < len(values) and name == given.name and isinstance(values[i], Tensor):
            found.add(i)
    return frozenset(found)


def _rank(value: Known) -> int | None:
    return value.rank if isinstance(value, Tensor) and value.shape is not None else None


def _stacked(b: Builder, items: TensorList, rank: int | None, axis: int) -> Tensor:
    made = b.variable(items.dtype, None if rank is None else (None,) * (rank + 1))
    index = b.variable(DataType.INT32, (None,))
    outputs = {"Out": [made.name], "OutIndex": [index.name]}
    attrs = {"axis": axis, "use_stack": True}
    b.append("tensor_array_to_tensor", {"X": [items.name]}, outputs, attrs)
    return made


@adapter
def scan(b: Builder, call: Call, values: list[Any], body: Any, **attrs: Any) -> list[Known]:
    """A body over the slices of its inputs."""
    inputs = attrs["num_scan_inputs"]
    count = len(values) - inputs
    results = len(body.output) - count
    if count < 0 or results < 0:
        raise ModelFormatError("inputs and outputs of the body do not fit")
    states, sources = list(values[:count]), list(values[count:])
    given = _each(attrs, "scan_input_axes", inputs)
    axes = [axis % x.rank for axis, x in zip(given, sources, strict=True)]
    back = _each(attrs, "scan_input_directions", inputs)
    turns = _Loop(b, states)
    length = b.slice(b.shape_of(sources[0]), 0, axes[0], axes[0] + 1, drop=True)
    condition = b.copy(turns.limit(length, None))
    assert isinstance(condition, Tensor)

    def turn() -> list[Known]:
        parts: list[Known] = []
        for x, axis, reverse in zip(sources, axes, back, strict=True):
            place = turns.index
            if reverse:
                last = b.binary("elementwise_sub", length, b.constant(np.asarray(1, np.int64)))
                place = b.binary("elementwise_sub", last, place)
            part = b.emit("gather", {"X": x, "Index": b.reshape(place, [1])}, axis=axis)
            part.shape = tuple(1 if i == axis else None for i in range(x.rank))
            parts.append(b.squeeze(part, [axis]))
        scope = _body_scope(call, body, [*turns.carried, *parts])
        return _checked(call.reader.graph(body, scope, call.node.where))

    made = turns.translate(turn, 0, lambda _: turns.limit(length, None), condition)
    stacked = []
    ends = zip(
        turns.lists,
        made[count:],
        _each(attrs, "scan_output_axes", results),
        _each(attrs, "scan_output_directions", results),
        strict=True,
    )
    for items, one, axis, reverse in ends:
        rank = _rank(one)
        if axis and rank is None:
            raise CannotRead("the number of dimensions of a result is not known")
        axis = axis % (rank + 1) if rank is not None else 0
        whole = _stacked(b, items, rank, axis)
        stacked.append(b.emit("flip", {"X": whole}, axis=[axis]) if reverse else whole)
    return [*turns.carried, *stacked]


def _each(attrs: dict[str, Any], name: str, count: int) -> list[int]:
    found = attrs[name]
    if found is not None and len(found) != count:
        raise ModelFormatError(f"{name} has {len(found)} numbers, expected {count}")
    return [0] * count if found is None else list(found)


@adapter
def scan_of_batches(b: Builder, call: Call, **attrs: Any) -> None:
    """Operator set 8's form, which nothing writes any more."""
    raise CannotRead("the form of operator set 8")
