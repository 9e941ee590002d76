"""Nodes of a graph to operators of a block, as the table says."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

import numpy as np

from lite.errors import LiteError, ModelFormatError
from lite.model.onnx.elements import HELD, type_text
from lite.model.onnx.reader import table
from lite.model.onnx.reader.builder import Builder
from lite.model.onnx.reader.document import (
    Function,
    Model,
    Node,
    attribute_value,
    function_of,
    in_order,
    nodes_of,
)
from lite.model.onnx.reader.rounding import MOVES, numbers_of
from lite.model.onnx.reader.tensors import Tensors, element_of
from lite.model.onnx.reader.values import (
    MOST,
    MOST_AXES,
    CannotRead,
    Refused,
    Tensor,
    TensorList,
    Value,
)
from lite.model.program import DataType
from lite.model.statement import evaluate, parse, parse_expression

Adapter = Callable[..., Any]

MOST_TURNS = 128
"""So many turns of loops over constants are computed as a model is read."""

_SMALL = (DataType.INT8, DataType.UINT8, DataType.INT16)

_LEGACY = "consumed_inputs"
"""An attribute of the first operator sets that said what a runtime might overwrite."""

ADAPTERS: dict[str, Adapter] = {}
"""By name. An adapter takes the builder, the call, and inputs and attributes by their names; it
returns a tensor, or a list of them for several outputs."""


Entered = TypeVar("Entered", bound=Adapter)


def adapter(function: Entered) -> Entered:
    """Enters a function under its name, which rows of the table give behind ``@``."""
    name = function.__name__.rstrip("_")
    assert name not in ADAPTERS, name
    ADAPTERS[name] = function
    return function


@cache
def adapters() -> dict[str, Adapter]:
    """All adapters of the folder `operators`."""
    package = importlib.import_module("lite.model.onnx.reader.operators")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return ADAPTERS


_DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    TypeError,
    ValueError,
)
"""What an adapter raises for inputs or attributes that no sound model has."""


@dataclass
class Refusals:
    """What could not be read, and why, by operator."""

    reasons: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, type: str, reason: str) -> None:
        """One more operator that is not read."""
        known = self.reasons.setdefault(type, {})
        known[reason] = known.get(reason, 0) + 1

    def text(self) -> str:
        """One line with every operator."""
        parts = []
        for type, reasons in sorted(self.reasons.items()):
            count = sum(reasons.values())
            times = f" x{count}" if count > 1 else ""
            why = "; ".join(reason for reason in reasons if reason)
            parts.append(f"{type}{times}" + (f" ({why})" if why else ""))
        return f"{len(parts)} operator(s) of this ONNX model are not read: {', '.join(parts)}"


class Scope:
    """Values by name: those of a graph or function, and of the graphs around it."""

    def __init__(
        self, opsets: Mapping[str, int], outer: Scope | None = None, main: bool = False
    ) -> None:
        self.values: dict[str, Value] = {}
        self.opsets = opsets
        self.outer = outer
        self.main = main
        self.references: Mapping[str, Any] = outer.references if outer is not None else {}

    def find(self, name: str) -> Value | None:
        """The value of a name here or around."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        return None

    def get(self, name: str) -> Value:
        """The same. Raises ModelFormatError where there is none."""
        found = self.find(name)
        if found is None:
            raise ModelFormatError(f"{name!r} is read, but nothing writes it")
        return found


@dataclass
class Call:
    """One node while it is translated. ``outputs`` are the names wanted, "" for none."""

    reader: Translator
    scope: Scope
    node: Node
    version: int
    outputs: list[str]

    def wants(self, index: int) -> bool:
        """Whether an output is there."""
        return index < len(self.outputs) and bool(self.outputs[index])


class Translator:
    """Translates graphs of one model into one Program."""

    def __init__(self, model: Model, tensors: Tensors) -> None:
        self.model = model
        self.tensors = tensors
        self.builder = Builder()
        self.refusals = Refusals()
        self.turns_left = MOST_TURNS

    # -- Graphs.

    def constants(self, graph: Any, scope: Scope, skipped: frozenset[str] = frozenset()) -> None:
        """Defines a graph's initialisers."""
        for tensor in graph.initializer:
            if tensor.name in scope.values or tensor.name in skipped:
                if tensor.name not in skipped:
                    raise ModelFormatError(f"the initialiser {tensor.name!r} is there twice")
                continue
            scope.values[tensor.name] = self._initialiser(self.constant, tensor, tensor.name)
        for sparse in graph.sparse_initializer:
            name = sparse.values.name
            scope.values[name] = self._initialiser(self.dense, sparse, name)

    def _initialiser(self, read: Callable[[Any, str], Tensor], tensor: Any, name: str) -> Value:
        try:
            return read(tensor, name)
        except CannotRead as reason:
            self.refusals.add("initializer", str(reason))
            return Refused()

    def constant(self, tensor: Any, name: str) -> Tensor:
        """A TensorProto as a constant."""
        array, element = self.tensors.array(tensor, f"the tensor {name!r}")
        return _constant(array, HELD[element], name, element.name)

    def dense(self, sparse: Any, name: str) -> Tensor:
        """A SparseTensorProto as a constant."""
        values = self.constant(sparse.values, name)
        indices, _ = self.tensors.array(sparse.indices, f"the indices of {name!r}")
        dims = [int(dim) for dim in sparse.dims]
        total = int(np.prod(dims, dtype=object)) if dims else 1
        assert values.array is not None
        if min(dims, default=0) < 0 or total > MOST:
            raise ModelFormatError(f"the sparse tensor {name!r} has the shape {dims[:8]}")
        whole = np.zeros(dims, values.array.dtype)
        try:
            if indices.ndim == 1:
                whole.reshape(-1)[indices] = values.array
            else:
                whole[tuple(indices.T)] = values.array
        except (IndexError, ValueError):
            raise ModelFormatError(f"the indices of {name!r} do not fit {dims[:8]}") from None
        return Tensor(name, values.dtype, whole.shape, whole)

    def nodes(self, nodes: Sequence[Node], scope: Scope) -> None:
        """Translates nodes that are in order."""
        for node in nodes:
            try:
                self._node(node, scope)
            except LiteError as error:
                text = f"{node.where} ({node.type})"
                if str(error).startswith(node.where):
                    raise
                raise type(error)(f"{text}: {error}") from None

    def attempt(self, run: Callable[[], list[Value] | None]) -> list[Value] | None:
        """What ``run`` makes without an operator; None, and nothing is left of it, otherwise."""
        reasons = {type: dict(known) for type, known in self.refusals.reasons.items()}
        forget = self.builder.blocks_from_here()
        with self.builder.inner_block() as block:
            try:
                made = run()
            except CannotRead:
                made = None
        forget()
        if made is None or block.ops:
            self.refusals.reasons = reasons
            return None
        return made

    def graph(self, graph: Any, scope: Scope, where: str) -> list[Value]:
        """A graph that another node runs: its values of its outputs."""
        self.constants(graph, scope)
        names = [info.name for info in graph.output]
        self.nodes(in_order(nodes_of(graph, where), set(names)), scope)
        return [scope.get(name) for name in names]

    # -- Nodes.

    def _node(self, node: Node, scope: Scope) -> None:
        inputs: list[Value | None] = [scope.get(n) if n else None for n in node.inputs]
        place = self.builder.place
        try:
            if any(isinstance(value, Refused) for value in inputs):
                raise CannotRead("its input is not read")
            function = function_of(self.model, node)
            if function is not None:
                made = self._inlined(node, function, inputs, scope)
            else:
                made = self._operator(node, inputs, scope)
        except (CannotRead, *_DAMAGE) as reason:
            if isinstance(reason, LiteError):
                raise
            type = f"{node.domain}.{node.type}" if node.domain else node.type
            text = str(reason)
            if not isinstance(reason, CannotRead):
                text = f"its inputs or attributes do not fit: {' '.join(text.split())[:120]}"
            if text != "its input is not read" or not self.refusals.reasons:
                self.refusals.add(type, text)
            made = [Refused() for _ in node.outputs]
        for name, value in zip(node.outputs, made, strict=False):
            if not name or value is None:
                continue
            if name in scope.values:
                raise ModelFormatError(f"{name!r} is written twice")
            if isinstance(value, Tensor):
                self._name(value, name, place, scope.main, made)
            scope.values[name] = value
        for name in node.outputs[len(made) :]:
            if name:
                raise ModelFormatError(f"the operator has no output for {name!r}")

    def _name(
        self, value: Tensor, name: str, place: int, main: bool, made: Sequence[Value | None]
    ) -> None:
        """Names what operators since a place made, wherever ``made`` has it."""
        before = value.name
        self.builder.rename(value, name, place, main)
        for other in made:
            if isinstance(other, Tensor) and other.name == before and not other.known:
                other.name = value.name

    def _inlined(
        self, node: Node, function: Function, inputs: Sequence[Value | None], scope: Scope
    ) -> list[Value | None]:
        inner = Scope(function.opsets)
        if len(inputs) > len(function.inputs):
            raise ModelFormatError(f"{len(inputs)} inputs, expected {len(function.inputs)}")
        for name, value in zip(function.inputs, inputs, strict=False):
            if value is not None:
                inner.values[name] = value
        given = {name: self._resolved(item, scope) for name, item in node.attributes.items()}
        given = {name: item for name, item in given.items() if item is not None}
        inner.references = {**function.defaults, **given}
        self.nodes(in_order(function.nodes, set(function.outputs)), inner)
        return [inner.find(name) for name in function.outputs]

    def _resolved(self, attribute: Any, scope: Scope) -> Any:
        """An attribute's message; within a function it may stand for one of the caller's."""
        reference = attribute.ref_attr_name
        return scope.references.get(reference) if reference else attribute

    def _operator(self, node: Node, inputs: list[Value | None], scope: Scope) -> list[Value | None]:
        version = scope.opsets.get(node.domain)
        if version is None:
            if node.domain == "":
                raise ModelFormatError("the model names no operator set of the default domain")
            version = 1
        if node.domain == "" and version > table.NEWEST:
            raise CannotRead(f"operator set {version} is newer than {table.NEWEST}")
        row = table.find(node.domain, node.type, version)
        if row is None:
            raise CannotRead(_why_unknown(node, version))
        call = Call(self, scope, node, version, node.outputs)
        names = {**self._bind(row, inputs), **self._attributes(row, node, scope)}
        for test, reason in row.conditions:
            if not evaluate(parse_expression(test), {**names, **self._helpers()}):
                raise CannotRead(reason)
        if row.adapter:
            made = adapters()[row.adapter](self.builder, call, **names)
            made = made if isinstance(made, list) else [made]
        else:
            made = [self._statements(row, names)]
        self._keep_rounding(node, inputs, made, scope)
        return made

    def _keep_rounding(
        self, node: Node, inputs: list[Value | None], made: list[Value | None], scope: Scope
    ) -> None:
        """Integers that were moved stand for the numbers moved."""
        source = inputs[0] if inputs and node.type in MOVES else None
        if not isinstance(source, Tensor) or source.rounded is None or not self.builder.in_main:
            return
        numbers = numbers_of(self.builder, source.rounded, source)
        moved = self._operator(node, [numbers, *inputs[1:]], scope)[0]
        if isinstance(moved, Tensor) and isinstance(made[0], Tensor):
            made[0].rounded = replace(source.rounded, x=moved, numbers=None)

    def _bind(self, row: table.Row, inputs: list[Value | None]) -> dict[str, Any]:
        bound: dict[str, Any] = {}
        given = list(inputs)
        while given and given[-1] is None:
            given.pop()
        for item in row.inputs:
            if item.repeated:
                bound[item.name] = given
                given = []
                continue
            value = given.pop(0) if given else None
            if value is None and not item.optional:
                raise ModelFormatError(f"the input {item.name!r} is missing")
            bound[item.name] = value
        if given:
            raise ModelFormatError(f"{len(inputs)} inputs, expected at most {len(row.inputs)}")
        return bound

    def _attributes(self, row: table.Row, node: Node, scope: Scope) -> dict[str, Any]:
        found = {}
        for name, message in node.attributes.items():
            resolved = self._resolved(message, scope)
            if resolved is None:
                continue
            if name not in row.attributes:
                raise CannotRead(f"the attribute {name!r} is not known in this version")
            value = _typed(attribute_value(resolved, node.type), row.attributes[name], name)
            if name == "axis" and isinstance(value, int) and abs(value) > MOST_AXES:
                raise CannotRead(f"axis {value}")
            found[name] = value
        found.pop(_LEGACY, None)
        for name, default in row.attributes.items():
            if name not in found and name != _LEGACY:
                if default is table.REQUIRED:
                    raise ModelFormatError(f"the attribute {name!r} is missing")
                found[name] = default
        return found

    def _statements(self, row: table.Row, names: dict[str, Any]) -> Tensor:
        scope = {**names, **self._helpers()}
        made: Tensor | None = None
        for text in row.statements:
            statement = parse(text)
            inputs: dict[str, Any] = {}
            attrs: dict[str, Any] = {}
            for key, expression in statement.arguments:
                value = evaluate(expression, scope)
                isvalue = isinstance(value, (Tensor, TensorList)) or (
                    isinstance(value, list) and value and isinstance(value[0], Tensor)
                )
                (inputs if isvalue else attrs)[key] = value
            made = self._emit(statement.type, inputs, attrs)
            if statement.result:
                scope[statement.result] = made
        assert made is not None
        return made

    def _emit(self, type: str, inputs: dict[str, Any], attrs: dict[str, Any]) -> Tensor:
        """An operator of a row; small integers take the way over int32."""
        b, first = self.builder, next(iter(inputs.values()), None)
        if not isinstance(first, Tensor) or first.dtype not in _SMALL:
            return b.emit(type, inputs, **attrs)
        wide = {
            slot: b.cast(value, DataType.INT32) if isinstance(value, Tensor) else value
            for slot, value in inputs.items()
        }
        made = b.emit(type, wide, **attrs)
        return b.cast(made, first.dtype) if made.dtype is DataType.INT32 else made

    def _helpers(self) -> dict[str, Any]:
        """What statements and conditions may call."""
        return {
            "rank": lambda x: x.rank,
            "like": self.builder.like,
            "float": lambda x: x.dtype in (DataType.FP32, DataType.FP64),
        }


def _typed(value: Any, default: Any, name: str) -> Any:
    """An attribute's value, checked against the type that its default shows."""
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if default is None or default is table.REQUIRED or type(value) is type(default):
        return value
    raise ModelFormatError(f"the attribute {name!r} is {str(value)[:40]!r}, not like {default!r}")


_DOMAINS = {
    "": "",
    "com.microsoft": "",
    "com.microsoft.nchwc": "a layout that ONNX Runtime chose for one machine; let it optimise the "
    "model with ORT_ENABLE_EXTENDED at most",
}
"""Why no operator of a domain is read that the table does not have."""


def _why_unknown(node: Node, version: int) -> str:
    same = table.rows().get((node.domain, node.type))
    if not same:
        return _DOMAINS.get(node.domain, f"domain {node.domain}")
    spans = ", ".join(f"{row.first} to {row.last}" for row in same)
    return f"operator set {version}; known are {spans}"


def _constant(array: np.ndarray[Any, Any], dtype: DataType, name: str, element: str) -> Tensor:
    return Tensor(name, dtype, array.shape, array, _bits(element))


def _bits(element: str) -> int:
    """The bits of elements that are held in a type of more."""
    narrow = element in ("UINT16", "UINT32", "UINT64", "UINT4", "INT4", "UINT2", "INT2")
    return int(element.lstrip("UINT")) if narrow else 0


def held_type(number: int, what: str) -> tuple[DataType, int]:
    """What holds an ONNX element type here, and its bits where it is unsigned and held in a wider
    one. Raises CannotRead for those that are not read."""
    element = element_of(number, what)
    if element not in HELD:
        raise CannotRead(f"{what} holds {type_text(element)}")
    return HELD[element], _bits(element.name)
