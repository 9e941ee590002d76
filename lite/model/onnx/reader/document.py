"""A ModelProto: parsed, checked, its nodes and attributes as Python values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lite.errors import ModelFormatError
from lite.model.onnx.messages import message_class

MAX_DEPTH = 64
"""Graphs in graphs, and functions in functions."""

MAX_NODES = 1 << 20
"""Nodes of a model with its functions inlined."""

_FIELDS = {
    1: "f",
    2: "i",
    3: "s",
    4: "t",
    5: "g",
    6: "floats",
    7: "ints",
    8: "strings",
    9: "tensors",
    10: "graphs",
    11: "sparse_tensor",
    13: "tp",
}
"""The field that holds an attribute's value, by its type."""

_LISTS = frozenset({"floats", "ints", "strings", "tensors", "graphs"})

Key = tuple[str, str, str]
"""A function's domain, name and overload."""


def domain_of(text: str) -> str:
    """A domain's name; the default one has two."""
    return "" if text == "ai.onnx" else text


@dataclass(slots=True)
class Node:
    """One node. ``attributes`` are its messages; ``where`` is what errors call it."""

    type: str
    domain: str
    inputs: list[str]
    outputs: list[str]
    attributes: dict[str, Any]
    overload: str
    where: str

    def graphs(self) -> Iterator[Any]:
        """The graphs that it runs."""
        for attribute in self.attributes.values():
            if attribute.HasField("g"):
                yield attribute.g
            yield from attribute.graphs


@dataclass(slots=True)
class Function:
    """A local function of the model."""

    inputs: list[str]
    outputs: list[str]
    attributes: list[str]
    defaults: dict[str, Any]
    nodes: list[Node]
    opsets: dict[str, int]
    where: str


@dataclass(slots=True)
class Model:
    """A model's main graph and what belongs to it."""

    graph: Any
    ir_version: int
    opsets: dict[str, int]
    functions: dict[Key, Function] = field(default_factory=dict)
    proto: Any = None


def parse_model(data: bytes) -> Model:
    """The model in a file's bytes. Raises ModelFormatError."""
    proto = message_class("ModelProto")()
    try:
        proto.ParseFromString(data)
    except Exception as error:  # DecodeError's class depends on protobuf's release
        text = " ".join(str(error).split())[:120]
        raise ModelFormatError(f"this is not a whole ONNX model: {text}") from None
    if not proto.HasField("graph"):
        raise ModelFormatError("the ONNX model has no graph")
    graph = proto.graph
    sparse = [tensor.values for tensor in graph.sparse_initializer]
    for message in (*graph.input, *graph.output, *graph.initializer, *sparse):
        if isinstance(message.name, bytes):
            raise ModelFormatError(f"the name {message.name[:40]!r} is not UTF-8")
    opsets = _opsets(proto.opset_import)
    if not opsets.get("") and not proto.functions:
        opsets.setdefault("", 1)  # models before IR version 3 name none
    model = Model(proto.graph, proto.ir_version, opsets, proto=proto)
    for message in proto.functions:
        key = (domain_of(message.domain), message.name, message.overload)
        if key in model.functions:
            raise ModelFormatError(f"the function {message.name!r} is there twice")
        model.functions[key] = _function(message, opsets)
    _check_size(model)
    return model


def _opsets(imports: Any) -> dict[str, int]:
    return {domain_of(entry.domain): int(entry.version) for entry in imports}


def _function(message: Any, opsets: Mapping[str, int]) -> Function:
    where = f"function {message.name!r}"
    return Function(
        list(message.input),
        list(message.output),
        list(message.attribute),
        {attribute.name: attribute for attribute in message.attribute_proto},
        nodes_of(message, where),
        {**opsets, **_opsets(message.opset_import)},
        where,
    )


def _check_texts(*messages: Any) -> None:
    """Raises ModelFormatError where a text is not UTF-8: protobuf gives it as bytes, or raises."""
    for message in messages:
        for name in _TEXTS:
            value = getattr(message, name, "")
            for item in [value] if isinstance(value, str | bytes) else value:
                if isinstance(item, bytes):
                    raise ModelFormatError(f"the name {item[:40]!r} is not UTF-8")


_TEXTS = ("name", "op_type", "domain", "overload", "input", "output", "ref_attr_name")


def nodes_of(graph: Any, where: str = "") -> list[Node]:
    """The nodes of a graph or function."""
    found = []
    for index, message in enumerate(graph.node):
        _check_texts(message, *message.attribute)
        text = f"node {index}" + (f" {message.name!r}" if message.name else "")
        here = f"{where}, {text}" if where else text
        attributes = {attribute.name: attribute for attribute in message.attribute}
        if len(attributes) != len(message.attribute):
            raise ModelFormatError(f"{here} ({message.op_type}): an attribute stands there twice")
        found.append(
            Node(
                message.op_type,
                domain_of(message.domain),
                list(message.input),
                list(message.output),
                attributes,
                message.overload,
                here,
            )
        )
    return found


def function_of(model: Model, node: Node) -> Function | None:
    """The local function that a node calls."""
    return model.functions.get((node.domain, node.type, node.overload))


def _check_size(model: Model) -> None:
    """Refuses functions that call themselves, and what would be too much once they are inlined."""
    sizes: dict[int, int] = {}
    active: set[int] = set()

    def size(nodes: list[Node], depth: int) -> int:
        if depth > MAX_DEPTH:
            raise ModelFormatError(f"graphs or functions are nested deeper than {MAX_DEPTH}")
        total = 0
        for node in nodes:
            total += 1
            for graph in node.graphs():
                total += size(nodes_of(graph, node.where), depth + 1)
            function = function_of(model, node)
            if function is not None:
                total += called(function, depth + 1)
            if total > MAX_NODES:
                raise ModelFormatError(f"the model has more than {MAX_NODES} nodes once inlined")
        return total

    def called(function: Function, depth: int) -> int:
        key = id(function)
        if key in active:
            raise ModelFormatError(f"{function.where} calls itself")
        if key not in sizes:
            active.add(key)
            sizes[key] = size(function.nodes, depth)
            active.discard(key)
        return sizes[key]

    size(nodes_of(model.graph), 0)


def attribute_value(attribute: Any, where: str) -> Any:
    """An attribute's value: a number, text, list, or a message. Raises ModelFormatError."""
    name = _FIELDS.get(attribute.type) or _present(attribute)
    if name is None:
        raise ModelFormatError(f"{where}: attribute {attribute.name!r} has type {attribute.type}")
    value = getattr(attribute, name)
    if name == "s":
        return value.decode("utf-8", "surrogateescape")
    if name == "strings":
        return [item.decode("utf-8", "surrogateescape") for item in value]
    return list(value) if name in _LISTS else value


def _present(attribute: Any) -> str | None:
    """Files of IR versions 1 and 2 do not say which field is meant."""
    for name in _FIELDS.values():
        there = len(getattr(attribute, name)) if name in _LISTS else attribute.HasField(name)
        if there:
            return name
    return None


def in_order(nodes: list[Node], wanted: set[str]) -> list[Node]:
    """The nodes that the wanted names need, each behind what it reads.

    Raises ModelFormatError where two write one name, or where they read each other in a circle.
    """
    makers: dict[str, int] = {}
    for index, node in enumerate(nodes):
        for name in filter(None, node.outputs):
            if makers.setdefault(name, index) != index:
                raise ModelFormatError(f"{node.where} writes {name!r}, which another node wrote")
    state = [0] * len(nodes)  # 1: what it reads is looked at; 2: done
    order: list[Node] = []
    stack = sorted({makers[n] for n in wanted if n in makers}, reverse=True)
    while stack:
        index = stack[-1]
        if state[index] == 2:
            stack.pop()
            continue
        before = sorted({makers[n] for n in reads_of(nodes[index]) if n in makers}, reverse=True)
        if state[index] == 1:
            stack.pop()
            if any(state[other] != 2 for other in before):
                raise ModelFormatError(f"{nodes[index].where} ({nodes[index].type}) is in a circle")
            state[index] = 2
            order.append(nodes[index])
            continue
        state[index] = 1
        stack.extend(other for other in before if state[other] == 0)
    return order


def reads_of(node: Node) -> set[str]:
    """The names that a node reads, with those that its graphs take from around them."""
    found = {name for name in node.inputs if name}
    for graph in node.graphs():
        found |= outer_reads(graph)
    return found


def outer_reads(graph: Any) -> set[str]:
    """The names that a graph takes from around it."""
    own = {info.name for info in graph.input} | {tensor.name for tensor in graph.initializer}
    own |= {tensor.values.name for tensor in graph.sparse_initializer}
    reads: set[str] = {info.name for info in graph.output}
    for node in nodes_of(graph):
        own.update(node.outputs)
        reads |= reads_of(node)
    return reads - own
