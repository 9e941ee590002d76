"""A torch.fx graph of aten operators as a Program."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from lite.errors import LiteError
from lite.model.program import Program
from lite.torch import control_flow
from lite.torch.builder import Builder
from lite.torch.engine import as_array
from lite.torch.translate import bind, find_row, translate
from lite.torch.values import Meta, NotTranslatableError, Tensor, data_type, is_symbolic, metas

NOTHING = (
    "aten::_assert_tensor_metadata",
    "aten::_assert_scalar",
    "aten::_assert_async",
    "aten::sym_constrain_range",
    "aten::sym_constrain_range_for_size",
)
"""Operators that only check what is so."""


def name_of(node: Node) -> str:
    """How users know a node's operator: ``aten.add.Tensor``, ``operator.mul``."""
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        return str(target).removesuffix(".default")
    if isinstance(target, torch._ops.HigherOrderOperator):
        return f"higher_order.{target.name()}"
    if isinstance(target, str):
        return target
    module = getattr(target, "__module__", "").removeprefix("_")
    return f"{module}.{getattr(target, '__name__', target)}"


def is_size(node: Node) -> bool:
    """Whether a node is arithmetic on sizes, which the values' own expressions say."""
    return isinstance(node.meta.get("val"), (torch.SymInt, torch.SymBool, torch.SymFloat))


def is_check(node: Node) -> bool:
    """Whether a node only checks what is so."""
    target = node.target
    return isinstance(target, torch._ops.OpOverload) and target._schema.name in NOTHING


def operators(graph: GraphModule) -> list[Node]:
    """The nodes that compute on tensors."""
    return [
        node
        for node in graph.graph.nodes
        if node.op == "call_function"
        and isinstance(node.target, (torch._ops.OpOverload, torch._ops.HigherOrderOperator))
        and not is_size(node)
        and not is_check(node)
    ]


@dataclass
class GraphTranslator:
    """Nodes to operators, in order; ``values`` holds what each node became."""

    builder: Builder = field(default_factory=Builder)
    values: dict[Node, Any] = field(default_factory=dict)

    def value(self, argument: Any) -> Any:
        """An argument of a node with nodes replaced by what they became."""
        if isinstance(argument, Node):
            if is_size(argument):
                return self._size(argument.meta["val"])
            if argument not in self.values:
                raise NotTranslatableError(
                    f"{argument} comes from an operator that stays with torch"
                )
            return self.values[argument]
        if isinstance(argument, (list, tuple)):
            return [self.value(item) for item in argument]
        return argument

    @staticmethod
    def _size(value: Any) -> Any:
        if isinstance(value, torch.SymInt):
            return value if is_symbolic(value) else int(value)
        raise NotTranslatableError("a condition or fraction that is computed from sizes")

    def call(self, node: Node) -> None:
        """Appends what a call_function node means. Raises NotTranslatableError."""
        if is_size(node) or is_check(node):
            return
        if node.target is operator.getitem:
            source, index = node.args
            assert isinstance(source, Node)
            items = self.value(source)
            if not isinstance(items, list) or items[index] is None:
                raise NotTranslatableError(
                    f"result {index} of {name_of(source)} is not computed here"
                )
            self.values[node] = items[index]
            return
        self.values[node] = self._operator(node)

    def inner(self, module: Any, arguments: Sequence[Any]) -> list[Any]:
        """Appends the operators of an inner graph; what its outputs became."""
        inner = GraphTranslator(self.builder)
        given = iter(arguments)
        for node in module.graph.nodes:
            if node.op == "placeholder":
                inner.values[node] = inner.given(node, next(given))
            elif node.op == "get_attr":
                inner.values[node] = inner.held(node)
            elif node.op == "call_function":
                inner.named_call(node)
        results = module.graph.output_node().args[0]
        listed = results if isinstance(results, (list, tuple)) else [results]
        return [inner.value(item) for item in listed]

    def given(self, node: Node, value: Any) -> Any:
        """What a placeholder of an inner graph stands for; its sizes have names of their own."""
        meta = node.meta.get("val")
        if isinstance(meta, torch.SymInt):
            self.builder.rename(meta, value)
        elif isinstance(meta, torch.Tensor) and isinstance(value, Tensor):
            inner = Tensor(value.name, value.dtype, tuple(meta.shape))
            self.builder.learn(inner)
            return inner
        return value

    def held(self, node: Node) -> Any:
        """A graph or a constant that a graph's module holds."""
        value = control_flow.attribute(node)
        if isinstance(value, torch.Tensor):
            return self.builder.parameter(as_array(value), value.dtype)
        return value

    def named_call(self, node: Node) -> None:
        """``call``, with the operator's name in what it raises."""
        try:
            self.call(node)
        except NotTranslatableError as error:
            raise NotTranslatableError(f"{name_of(node)}: {error}") from None

    def _operator(self, node: Node) -> Any:
        higher = control_flow.find(node.target)
        if higher is not None:
            return higher(self, node)
        overload = node.target
        if not isinstance(overload, torch._ops.OpOverload):
            raise NotTranslatableError("it is no operator of the dispatcher")
        row = find_row(overload)
        if row is None:
            raise NotTranslatableError("the table has no row for it")
        bound = bind(overload, self.value(list(node.args)), self._keywords(node))
        outs = metas(node)
        made = translate(self.builder, row, bound, outs)
        for tensor in made:
            if tensor is not None:
                self.builder.learn(tensor)
        if isinstance(node.meta.get("val"), (list, tuple)):
            return made
        return made[0]

    def _keywords(self, node: Node) -> dict[str, Any]:
        return {key: self.value(item) for key, item in node.kwargs.items()}


def unsupported(nodes: Iterable[Node]) -> dict[Node, str]:
    """Why each call that has no translation stays with torch; the check is the translation."""
    reasons: dict[Node, str] = {}
    for node in nodes:
        if node.op != "call_function" or is_size(node) or node.target is operator.getitem:
            continue
        if is_check(node):
            continue
        try:
            _check_tensors(node)
            _alone(node)
        except NotTranslatableError as error:
            reasons[node] = str(error)
        except LiteError as error:
            reasons[node] = f"its row is wrong: {error}"
    return reasons


def _check_tensors(node: Node) -> None:
    for value in (node, *node.all_input_nodes):
        tensor = value.meta.get("val")
        if isinstance(tensor, torch.Tensor):
            if tensor.device.type != "cpu":
                raise NotTranslatableError(f"its tensors are on {tensor.device.type}")
            data_type(tensor.dtype)


def _alone(node: Node) -> None:
    """Translates a node whose inputs are feeds."""
    translator = GraphTranslator(Builder(every_size=True))
    for source in node.all_input_nodes:
        translator.values[source] = _stand_in(translator.builder, source)
    translator.call(node)
    made = translator.values.get(node)
    items = made if isinstance(made, list) else [made]
    for user in node.users if isinstance(made, list) else ():
        if user.target is operator.getitem and items[user.args[1]] is None:
            raise NotTranslatableError(
                f"its result {user.args[1]} is used, which is not computed here"
            )


def _stand_in(builder: Builder, node: Node) -> Any:
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor):
        meta = Meta.of(value)
        made = builder.variable(meta.dtype, meta.shape)
        builder.learn(made)
        return made
    if node.op == "get_attr":
        held = control_flow.attribute(node)
        if isinstance(held, torch.Tensor):
            return builder.variable(held.dtype, tuple(held.shape))
        return held
    if isinstance(value, (list, tuple)):
        return [
            builder.variable(item.dtype, tuple(item.shape))
            if isinstance(item, torch.Tensor)
            else None
            for item in value
        ]
    return None


def translate_graph(
    graph: Graph,
    declare: Callable[[Builder, Node], Any],
    fetch: Callable[[Sequence[Any]], Sequence[Any]] = lambda results: results,
) -> tuple[Program, list[Tensor]]:
    """A graph as a Program; ``declare`` makes what a placeholder stands for.

    ``fetch`` chooses among the results. Returns the program and its outputs. Raises
    NotTranslatableError with the operator's name.
    """
    translator = GraphTranslator()
    outputs: list[Tensor] = []
    for node in graph.nodes:
        if node.op == "get_attr":
            translator.values[node] = translator.held(node)
        elif node.op == "placeholder":
            translator.values[node] = declare(translator.builder, node)
        elif node.op == "call_function":
            translator.named_call(node)
        elif node.op == "output":
            results = node.args[0]
            listed = list(results) if isinstance(results, (list, tuple)) else [results]
            outputs = [translator.value(item) for item in fetch(listed)]
        else:
            raise NotTranslatableError(f"{name_of(node)}: a call of {node.op}")
    return translator.builder.program, outputs
