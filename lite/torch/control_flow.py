"""torch.cond and while_loop as conditional_block, select_input and while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch.fx import GraphModule, Node

from lite.model.program import Attr, AttrType
from lite.torch.values import Meta, NotTranslatableError, Tensor, is_symbolic, metas

if TYPE_CHECKING:
    from lite.torch.builder import Builder


class Translator(Protocol):
    """What translates the graph in which an operator stands."""

    builder: Builder

    def value(self, argument: Any) -> Any:
        """An argument of a node with nodes replaced by what they became."""

    def inner(self, module: Any, arguments: Sequence[Any]) -> list[Any]:
        """Appends the operators of an inner graph; what its outputs became."""


def find(target: Any) -> Callable[[Translator, Node], list[Tensor | None]] | None:
    """What translates a higher-order operator; its results are a list."""
    operators = torch.ops.higher_order
    return {operators.cond: _cond, operators.while_loop: _while_loop}.get(target)


def attribute(node: Node) -> Any:
    """What a get_attr node stands for: a graph, or a tensor."""
    module = node.graph.owning_module
    for name in str(node.target).split("."):
        module = getattr(module, name)
    return module


def inner_nodes(node: Node) -> int:
    """How many operators stand in the graphs of a higher-order operator."""
    count = 0
    for source in node.all_input_nodes:
        graph = attribute(source) if source.op == "get_attr" else None
        if isinstance(graph, GraphModule):
            count += len(graph.graph.find_nodes(op="call_function"))
    return count


def _assign(b: Builder, value: Tensor, target: Tensor) -> None:
    b.emit_all("assign", {"X": value}, {}, {"Out": [target]})


def _copy(b: Builder, value: Tensor) -> Tensor:
    made = b.variable(value.dtype, value.shape)
    _assign(b, value, made)
    return made


def _as_declared(b: Builder, values: Sequence[Any], metas: Sequence[Meta | None]) -> list[Tensor]:
    """Results as tensors in the types that torch expects."""
    made = []
    for value, meta in zip(values, metas, strict=True):
        if meta is None or not isinstance(value, Tensor):
            raise NotTranslatableError("a result of a block that is no tensor")
        made.append(b.cast(value, meta.dtype))
    return made


# -- torch.cond.


def _cond(t: Translator, node: Node) -> list[Tensor | None]:
    """A block for each branch, and `select_input` for each result."""
    b = t.builder
    source, taken, other, operands = node.args
    condition = _condition(t, source)
    expected = metas(node)
    values = t.value(operands)
    opposite = b.emit("logical_not", {"X": condition})
    sides = [
        _branch(t, chosen, t.value(graph), values, expected)
        for chosen, graph in ((condition, taken), (opposite, other))
    ]
    mask = b.cast(condition, torch.int32)
    made: list[Tensor | None] = []
    for yes, no, meta in zip(*sides, expected, strict=True):
        assert meta is not None
        made.append(
            b.emit("select_input", {"X": [no, yes], "Mask": mask}, dtype=meta.dtype,
                   shape=meta.shape)
        )  # fmt: skip
    return made


def _condition(t: Translator, source: Any) -> Tensor:
    """The condition as a bool [1]."""
    b = t.builder
    value = source.meta["val"] if isinstance(source, Node) else source
    if isinstance(value, torch.SymBool):
        return b.truth(value)
    if isinstance(value, bool):
        return b.full((1,), value, torch.bool)
    condition = t.value(source)
    if condition.dtype is not torch.bool:
        condition = b.cast(condition, torch.bool)
    return b.reshape(condition, (1,))


def _branch(
    t: Translator, chosen: Tensor, graph: Any, values: Any, metas: Sequence[Meta | None]
) -> list[Tensor]:
    """Runs a graph where `chosen` is true; its results are variables of this block."""
    b = t.builder
    results = [b.variable(meta.dtype, meta.shape) for meta in metas if meta is not None]
    with b.inner_block() as block:
        made = _as_declared(b, t.inner(graph, values), metas)
        for value, result in zip(made, results, strict=True):
            _assign(b, value, result)
    reads, writes = block.outside()
    b.add_block(
        "conditional_block",
        block,
        {"Cond": [chosen.name], "Input": reads},
        {"Out": writes},
        {"is_scalar_condition": Attr(AttrType.BOOLEAN, True)},
    )
    return results


# -- while_loop.


def _while_loop(t: Translator, node: Node) -> list[Tensor | None]:
    """Carried values are variables of this block that the loop's block assigns."""
    b = t.builder
    test, body, carried, more = node.args
    first, fixed = t.value(carried), t.value(more)
    if not all(isinstance(value, Tensor) for value in first):
        raise NotTranslatableError("a loop that carries what is no tensor")
    expected = metas(node)
    variables = [_loop_variable(b, *pair) for pair in zip(first, expected, strict=True)]
    values = [*variables, *fixed]
    goes_on = _copy(b, _tested(t, test, values))
    with b.inner_block() as block:
        made = _as_declared(b, t.inner(t.value(body), values), expected)
        # All are read before the first is written.
        for value, variable in zip([_copy(b, v) for v in made], variables, strict=True):
            _assign(b, value, variable)
        with b.own_sizes():
            _assign(b, _tested(t, test, values), goes_on)
    reads, writes = block.outside()
    b.add_block(
        "while",
        block,
        {"X": [name for name in reads if name != goes_on.name], "Condition": [goes_on.name]},
        {"Out": writes},
        {"is_test": Attr(AttrType.BOOLEAN, True)},
    )
    return list(variables)


def _loop_variable(b: Builder, value: Tensor, meta: Meta | None) -> Tensor:
    if meta is None or meta.dtype != value.dtype:
        raise NotTranslatableError("a loop that changes the type of what it carries")
    for before, after in zip(value.shape, meta.shape, strict=True):
        if is_symbolic(after) != is_symbolic(before):
            raise NotTranslatableError("a loop that changes the shape of what it carries")
    return _copy(b, value)


def _tested(t: Translator, graph: Any, values: Sequence[Any]) -> Tensor:
    (result,) = t.inner(t.value(graph), values)
    if not isinstance(result, Tensor):
        raise NotTranslatableError("a loop whose condition is no tensor")
    return t.builder.reshape(t.builder.cast(result, torch.bool), (1,))
