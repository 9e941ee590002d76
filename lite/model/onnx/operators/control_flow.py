"""Loops, branches and lists of tensors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Value
from lite.model.onnx.export import Scope
from lite.model.onnx.operator import CannotExport, Op, numpy_type, operator
from lite.model.onnx.writer import (
    GraphWriter,
    describe,
    describe_sequence,
    element_type,
    new_graph,
)
from lite.model.program import VarType


def _scope(op: Op) -> Scope:
    """The operator's block with all that belongs to it."""
    assert isinstance(op.scope, Scope)
    return op.scope


class InnerGraph:
    """A graph inside of a node, with the scope of the operators that it gets."""

    def __init__(self, op: Op, name: str) -> None:
        self.graph = new_graph(name)
        outer = _scope(op).writer
        self.writer = GraphWriter(self.graph, outer.names, outer)
        self.scope = Scope(_scope(op).export, self.writer, _scope(op))

    def add_input(self, value: Value | None, dtype: Any, rank: int | None, is_list: bool) -> str:
        """An input of the graph; its dimensions may change from one round to the next."""
        name = self.writer.names.fresh()
        info = self.graph.input.add(name=name)
        _describe(info, dtype, rank, is_list)
        if value is not None:
            self.scope.define(value, name)
        return name

    def add_output(self, source: str, dtype: Any, rank: int | None, is_list: bool) -> None:
        """An output of the graph, with a node of its own."""
        info = self.graph.output.add(name=str(self.writer.node("Identity", [source])))
        _describe(info, dtype, rank, is_list)


def _describe(info: Any, dtype: Any, rank: int | None, is_list: bool) -> None:
    if is_list:
        describe_sequence(info, dtype)
    else:
        describe(info, dtype, None if rank is None else (None,) * rank)


def is_list(op: Op, name: str) -> bool:
    desc = _scope(op).export.declared(name)
    return desc is not None and desc.type is VarType.LOD_TENSOR_ARRAY


def _written(op: Op) -> dict[str, Value]:
    """What the operator's block writes and others may read, by name."""
    values: Iterable[Value] = (*op.source.output_values(), *op.source.hidden_writes)
    kept = {}
    for value in values:
        desc = _scope(op).export.declared(value.name)
        if desc is not None and desc.type in (VarType.LOD_TENSOR, VarType.LOD_TENSOR_ARRAY):
            kept[value.name] = value
    return kept


def _before(op: Op, name: str) -> str | None:
    """The ONNX name of what a variable holds in front of the operator."""
    source = _scope(op).latest(name)
    if source is None:
        return None
    try:
        return _scope(op).name_of(source)
    except CannotExport:
        return None


def _initial(op: Op, name: str, dtype: Any, rank: int | None) -> str:
    """What a variable holds in front of a loop; a value of another type is one nobody reads."""
    source, before = _scope(op).latest(name), _before(op, name)
    other = source is not None and source.dtype is not None and numpy_type(source.dtype) != dtype
    if before is None or (other and not is_list(op, name)):
        return _nothing(op, _scope(op).writer, name, dtype, rank)
    return before


def _nothing(op: Op, writer: GraphWriter, name: str, dtype: Any, rank: int | None) -> str:
    """Stands for a variable that has no value, which nobody reads then."""
    if is_list(op, name):
        return str(writer.node("SequenceEmpty", [], dtype=element_type(dtype)))
    return writer.constant(np.zeros([0] * (rank or 0), dtype), dtype)


def _type(op: Op, name: str, *values: Value | None) -> tuple[Any, int | None]:
    """Element type and number of dimensions of a variable, as far as they are known."""
    desc = _scope(op).export.declared(name)
    known = [v for v in values if v is not None]
    dtype = next((v.dtype for v in known if v.dtype is not None), desc and desc.dtype)
    if dtype is None:
        raise CannotExport(f"the element type of {name} is unknown")
    shape = next((v.shape for v in known if v.shape is not None), None)
    if shape is None and desc is not None and desc.shape:
        shape = desc.shape
    return numpy_type(dtype), None if shape is None else len(shape)


def _block(op: Op) -> Any:
    index = sub_block(op.source)
    if index is None:
        raise CannotExport("no sub_block")
    return _scope(op).export.graph.blocks[index]


def _finish(op: Op, written: dict[str, Value], inner: Scope, names: list[str]) -> None:
    """What is known of the results behind the operator."""
    for (name, value), made in zip(written.items(), names, strict=True):
        last = inner.current.get(name)
        if last is not None:
            value.dtype = last.dtype or value.dtype
            value.shape = None if last.shape is None else (None,) * len(last.shape)
        _scope(op).define(value, made)


@operator("while", opset=16)
def loop(op: Op) -> None:
    """A Loop that carries all that the block writes; the rest it sees from inside."""
    block, written = _block(op), _written(op)
    condition = op.value("Condition").name
    inner = InnerGraph(op, "body")
    inner.graph.input.add(name=_scope(op).writer.names.fresh())
    describe(inner.graph.input[0], np.int64, ())
    inner.graph.input.add(name=_scope(op).writer.names.fresh())
    describe(inner.graph.input[1], np.bool_, ())
    # First what the block reads; of the others the block says what they are.
    written = dict(sorted(written.items(), key=lambda item: item[0] not in block.entry))
    initial, types = [], {}
    for name, value in written.items():
        entry = block.entry.get(name)
        if entry is not None:
            source = _scope(op).latest(name)
            dtype, rank = types[name] = _type(op, name, source, value)
            entry.dtype = value.dtype if source is None else source.dtype
            entry.shape = None if rank is None else (None,) * rank
            inner.add_input(entry, dtype, rank, is_list(op, name))
            initial.append(_initial(op, name, dtype, rank))
    inner.scope.block(block)
    if _scope(op).export.refused:
        return _finish(op, written, inner.scope, [""] * len(written))
    for name, value in written.items():
        if name not in types:
            dtype, rank = types[name] = _type(op, name, inner.scope.current.get(name), value)
            inner.add_input(None, dtype, rank, is_list(op, name))
            initial.append(_initial(op, name, dtype, rank))
    last = inner.scope.latest(condition)
    if last is None:
        raise CannotExport("its condition never changes")
    scalar = inner.writer.constant(np.zeros(0, np.int64), np.int64)
    goes_on = inner.writer.node("Reshape", [inner.scope.name_of(last), scalar])
    inner.graph.output.add(name=goes_on)
    describe(inner.graph.output[0], np.bool_, ())
    for name in written:
        dtype, rank = types[name]
        made = inner.scope.name_of(inner.scope.current[name])
        inner.add_output(made, dtype, rank, is_list(op, name))
    start = op.reshape(op["Condition"], [])
    made = op.node("Loop", [None, start, *initial], outputs=len(written), body=inner.graph)
    return _finish(op, written, inner.scope, [made] if len(written) == 1 else made)


def branch(op: Op, condition: str, sides: list[InnerGraph], outputs: int) -> list[str]:
    """An If of two graphs."""
    made = op.node(
        "If",
        [condition],
        outputs=outputs,
        then_branch=sides[0].graph,
        else_branch=sides[1].graph,
    )
    return [made] if outputs == 1 else list(made)


@operator("conditional_block", "conditional_block_infer", opset=16)
def conditional(op: Op) -> None:
    """An If: where the block does not run, variables stay what they were."""
    block, written = _block(op), _written(op)
    taken, other = InnerGraph(op, "taken"), InnerGraph(op, "other")
    taken.scope.block(block)
    if _scope(op).export.refused or not written:
        return _finish(op, written, taken.scope, [""] * len(written))
    for name, value in written.items():
        last = taken.scope.current.get(name)
        if last is None:
            raise CannotExport(f"{name} is not written")
        dtype, rank = _type(op, name, last, value)
        listed = is_list(op, name)
        taken.add_output(taken.scope.name_of(last), dtype, rank, listed)
        before = _before(op, name)
        if before is None:
            before = _nothing(op, other.writer, name, dtype, rank)
        other.add_output(before, dtype, rank if _before(op, name) else None, listed)
    condition = op.reshape(op.cast(op["Cond"], np.bool_), [])
    return _finish(op, written, taken.scope, branch(op, condition, [taken, other], len(written)))


@operator("select_input", opset=16)
def select(op: Op) -> Any:
    """One of two, whose shapes may differ."""
    condition = op.reshape(op.cast(op["Mask"], np.bool_), [])
    listed = is_list(op, op.value("X").name)
    sides = []
    for index in (1, 0):
        side = InnerGraph(op, "one" if index else "zero")
        value = op.value("X", index)
        dtype, rank = _type(op, value.name, value)
        side.add_output(op.names("X")[index], dtype, rank, listed)
        sides.append(side)
    first, second = op.value("X"), op.value("X", 1)
    out = op.source.output("Out")
    if out is not None:
        out.dtype = first.dtype or second.dtype
        ranks = {v.rank for v in (first, second)}
        rank = ranks.pop() if len(ranks) == 1 else None
        out.shape = None if rank is None else (None,) * rank
    return branch(op, condition, sides, 1)[0]


def _index(op: Op) -> str:
    return op.reshape(op.cast(op["I"], np.int64), [])


@operator("write_to_array", opset=16)
def write_to_array(op: Op) -> Any:
    """At the end, or in the place of what is there."""
    name = op.source.outputs["Out"][0].name
    dtype = op.dtype("X")
    before = _before(op, name)
    if before is None:
        before = _nothing(op, _scope(op).writer, name, dtype, None)
    place = _index(op)
    inside = op.node("Less", [place, op.node("SequenceLength", [before])])
    sides = []
    for replaced in (True, False):
        side = InnerGraph(op, "replaced" if replaced else "appended")
        rest = side.writer.node("SequenceErase", [before, place]) if replaced else before
        # Beyond the end, where Paddle's list grows empty tensors, the place is an error.
        made = side.writer.node("SequenceInsert", [rest, op["X"], place])
        side.add_output(made, dtype, None, True)
        sides.append(side)
    out = op.source.outputs["Out"][0]
    out.dtype, out.shape = op.value("X").dtype, None
    return branch(op, inside, sides, 1)[0]


@operator("slice_of_list", opset=16)
def one_of_list(op: Op) -> Any:
    """One of the list, as its own tensor."""
    starts = op.numbers("starts", "StartsTensor", "StartsTensorList")
    if isinstance(starts, str) or not op.integers("decrease_axis"):
        raise CannotExport("a part of a list")
    return op.node("SequenceAt", [op["Input"], op.const(np.int64(starts[0]))])


@operator("read_from_array", opset=16)
def read_from_array(op: Op) -> Any:
    """One of the list."""
    return op.node("SequenceAt", [op["X"], _index(op)])


@operator("lod_array_length", opset=16)
def array_length(op: Op) -> Any:
    """How many there are."""
    return op.reshape(op.node("SequenceLength", [op["X"]]), [1])


@operator("tensor_array_to_tensor", opset=16)
def array_to_tensor(op: Op) -> Any:
    """The list as one tensor, along an axis or a new one."""
    if op.wants("OutIndex"):
        raise CannotExport("output OutIndex")
    return op.node(
        "ConcatFromSequence",
        [op["X"]],
        axis=int(op.attr("axis")),
        new_axis=int(op.flag("use_stack")),
    )
