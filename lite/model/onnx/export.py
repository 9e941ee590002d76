"""A whole Program to an ONNX model: blocks become graphs, values get names, errors are gathered."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from lite.core.optimizer.build import to_graph
from lite.core.optimizer.constants import fold_constants
from lite.core.optimizer.graph import Block, Graph, Node, Shape, Value
from lite.core.optimizer.infer import infer_node
from lite.core.optimizer.quantization.fuse import Fuser
from lite.core.optimizer.quantization.scales import WEIGHT_BITS
from lite.core.optimizer.quantization.simulation import Simulator
from lite.core.optimizer.registry import Context, find_pass, run_pass
from lite.errors import ConfigError, LiteError, UnsupportedOperatorError
from lite.model.check import EMPTY_NAMES
from lite.model.onnx.operator import FUNCTIONS, CannotExport, NeedsOpset, Op, numpy_type
from lite.model.onnx.writer import GraphWriter, Names, describe, has_element_type, new_model
from lite.model.program import DataType, Program, VarDesc

DEFAULT_OPSET = 17
OPSETS = range(12, 26)

_IR_VERSIONS = dict(zip(OPSETS, (7, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10, 11, 12, 13), strict=True))


@cache
def exporters() -> dict[str, Any]:
    """The exporter's functions by operator type."""
    package = importlib.import_module("lite.model.onnx.operators")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return FUNCTIONS


def export_model(program: Program, opset: int = DEFAULT_OPSET) -> Any:
    """The program as ONNX's ModelProto, with an operator set of at least ``opset``.

    Inputs and outputs keep names, order and element types; a free dimension stays free. The
    program is not changed. Raises UnsupportedOperatorError, with one line that names every operator
    that ONNX cannot hold, and ConfigError for an ``opset`` that is not in ``OPSETS``.
    """
    if opset not in OPSETS:
        raise ConfigError(
            f"opset is {opset!r}; expected {OPSETS.start} to {OPSETS.stop - 1}, "
            f"{DEFAULT_OPSET} unless there is a reason"
        )
    while True:
        try:
            return _Export(program, opset).run()
        except NeedsOpset as more:
            opset = more.opset


class Scope:
    """One block on its way into one GraphProto."""

    def __init__(self, export: _Export, writer: GraphWriter, outer: Scope | None = None) -> None:
        self.export = export
        self.writer = writer
        self.outer = outer
        self.opset = export.opset
        self.names: dict[Value, str] = {}
        self.current: dict[str, Value] = {}

    def name_of(self, value: Value) -> str:
        """The ONNX name of a value; a parameter is written when it is first used."""
        found = self.find(value)
        if found is None and value.is_param:
            found = self.export.parameter(value)
        if found is None:
            found = self.entry(value)
        if found is None:
            raise CannotExport(f"{value.name} has no value here")
        return found

    def find(self, value: Value) -> str | None:
        """The name that a value has in this block, or one around it."""
        scope: Scope | None = self
        while scope is not None:
            if value in scope.names:
                return scope.names[value]
            scope = scope.outer
        return None

    def entry(self, value: Value) -> str | None:
        """The name of what a block reads from around it: the latest version of the name there."""
        source = self.outer.latest(value.name) if self.outer is not None else None
        if source is not None and self.outer is not None:
            value.dtype, value.shape = source.dtype, value.shape or source.shape
            found = self.names[value] = self.outer.name_of(source)
            return found
        array = self.export.graph.written_params.get(value.name)
        if array is not None:
            found = self.names[value] = self.writer.constant(array, array.dtype)
            return found
        return None

    def latest(self, name: str) -> Value | None:
        """The version of a name that is current now, here or around."""
        if name in self.current:
            return self.current[name]
        return self.outer.latest(name) if self.outer is not None else None

    def define(self, value: Value, name: str) -> None:
        """Gives a value the ONNX name that holds it."""
        self.names[value] = name
        self.current[value.name] = value

    def block(self, block: Block) -> None:
        """Writes a block's operators."""
        for name, value in block.entry.items():
            if name not in self.current:
                self.current[name] = value
                self.prepare_entry(value)
        for node in block:
            if node.type not in ("feed", "fetch"):
                self.operator(node)

    def prepare_entry(self, value: Value) -> None:
        """What is known of a value from outside."""
        source = self.outer.latest(value.name) if self.outer is not None else None
        desc = self.export.declared(value.name)
        if source is not None:
            value.dtype = source.dtype
            value.shape = source.shape if source.stable and value.stable else None
        elif desc is not None:
            value.dtype = desc.dtype
        if value.shape is None and desc is not None and (desc.shape or self.export.has_scalars):
            value.shape = _declared_shape(desc)

    def operator(self, node: Node) -> None:
        """Writes one operator, or notes why it cannot be written."""
        self.infer(node)
        function = exporters().get(node.type)
        try:
            if function is None:
                raise CannotExport("")
            found = {v.dtype for v in (*node.input_values(), *node.output_values())}
            if found & _COMPLEX:
                raise CannotExport("complex numbers")
            if found & _NARROW and self.opset < 14 and node.type not in _OF_STEPS:
                raise NeedsOpset(14)
            self.assign(node, function(Op(self, node)))
        except CannotExport as reason:
            self.export.refuse(node.type, str(reason))
        except _DAMAGE as error:
            self.export.refuse(node.type, f"its attributes do not fit: {_one_line(error)}")
        else:
            return
        for value in (*node.output_values(), *node.hidden_writes):
            self.define(value, "")

    def infer(self, node: Node) -> None:
        """Element types and shapes of an operator's outputs: computed, else as declared."""
        if not node.hidden_writes and "sub_block" not in node.attrs:
            infer_node(node)
        for value in (*node.output_values(), *node.hidden_writes):
            desc = self.export.declared(value.name)
            if desc is None:
                continue
            if value.dtype is None:
                value.dtype = desc.dtype
            shape = _declared_shape(desc)
            if value.shape is None and (shape or self.export.has_scalars):
                value.shape = shape
            elif value.shape is not None and len(value.shape) == len(shape):
                pairs = zip(value.shape, shape, strict=True)
                value.shape = tuple(b if a is None else a for a, b in pairs)

    def assign(self, node: Node, result: Any) -> None:
        """Takes what an operator's function returned."""
        if result is None:  # the function has defined its outputs itself
            return
        if not isinstance(result, dict):
            result = {_main_slot(node): result}
        for slot, values in node.outputs.items():
            made = result.get(slot)
            names = made if isinstance(made, list) else [made] * bool(made)
            if len(names) < len(values) and not all(v.dead for v in values[len(names) :]):
                raise CannotExport(f"output {slot}")
            for value, name in zip(values, names, strict=False):
                self.define(value, self.export.keep_name(self.writer, value, name))


_COMPLEX = frozenset({DataType.COMPLEX64, DataType.COMPLEX128})

_NARROW = frozenset({DataType.INT8, DataType.UINT8, DataType.INT16})
"""Integers that ONNX's arithmetic has from operator set 14 on."""

_OF_STEPS = frozenset({"cast", "dequantize_linear"})

_DAMAGE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, LiteError)
"""What a function raises for attributes or shapes that no sound program has."""


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _main_slot(node: Node) -> str:
    for slot in ("Out", "Output", "Y"):
        if node.output(slot) is not None:
            return slot
    return next(iter(node.outputs), "Out")


def _declares_scalars(program: Program) -> bool:
    """Whether a declared shape without dimensions means a number, and not that it is unknown.

    Before Paddle 2.5 there were none, and a program may come without shapes.
    """
    outer = {*program.feed_names(), *program.fetch_names()}
    inner = [
        var.shape
        for block in program.blocks
        for var in block.vars.values()
        if not var.persistable and var.name not in outer
    ]
    if program.version < 2005000 or not inner:
        return program.version >= 2005000
    return any(inner) or any(
        block.vars[name].shape for block in program.blocks for name in outer if name in block.vars
    )


def _declared_shape(desc: VarDesc) -> Shape:
    return tuple(dim if dim >= 0 else None for dim in desc.shape)


_INTEGERS = ("lite_conv_elementwise_fuse_pass", "post_quant_dynamic_pass")
"""Weights that came in integers go out so. ONNX Runtime multiplies in integers only where a
convolution has its bias itself."""


class _Export:
    """One attempt, for one operator set."""

    def __init__(self, program: Program, opset: int) -> None:
        self.program = program
        self.opset = opset
        self.has_scalars = _declares_scalars(program)
        self.graph: Graph = to_graph(program)
        context = Context(("x86",), None)
        Fuser(self.graph, context).run()
        fold_constants(self.graph, context)
        if any(node.integer(WEIGHT_BITS, 0) for node in self.graph.nodes()):
            for name in _INTEGERS:
                run_pass(find_pass(name), self.graph, context)
        simulator = Simulator(self.graph, as_steps=True)
        for node in self.graph.nodes():
            simulator.change(node)
        simulator.weights.finish()
        self.refused: dict[str, dict[str, int]] = {}
        self.params: dict[Value, str] = {}
        self.fed: list[tuple[Any, str, Value]] = []
        self.renamed: set[str] = set()  # variables' names that values have by now
        self.proto = new_model(opset, _IR_VERSIONS[opset], "paddle")
        self.names = Names()
        self.feeds = program.feed_names()
        self.fetches = program.fetch_names()
        self.names.taken = {*self.feeds, *self.fetches}
        self.root = Scope(self, GraphWriter(self.proto.graph, self.names))

    def run(self) -> Any:
        """The model."""
        self.inputs()
        self.root.block(self.graph.root)
        if self.refused:
            raise UnsupportedOperatorError(self.refusal())
        for info, name, value in self.fed:
            describe(info, _element(name, value.dtype), value.shape)
        self.outputs()
        for domain in sorted(self.root.writer.domains):
            self.proto.opset_import.add(domain=domain, version=1)
        _drop_unused(self.proto.graph)
        return self.proto

    def declared(self, name: str) -> VarDesc | None:
        """A variable's declaration in whichever block has it."""
        found = (block.vars[name] for block in self.program.blocks if name in block.vars)
        return next(found, None)

    def refuse(self, type: str, reason: str) -> None:
        """Notes an operator that cannot be written."""
        if reason.endswith(" has no value here"):  # made by an operator that is refused already
            reason = "its input was refused" if self.refused else reason
        reasons = self.refused.setdefault(type, {})
        reasons[reason] = reasons.get(reason, 0) + 1

    def refusal(self) -> str:
        """One line with every operator that cannot be written."""
        texts = []
        for type, reasons in sorted(self.refused.items()):
            count = sum(reasons.values())
            times = f" x{count}" if count > 1 else ""
            why = "; ".join(reason for reason in reasons if reason)
            texts.append(f"{type}{times}" + (f" ({why})" if why else ""))
        return f"ONNX cannot hold {len(texts)} operator(s) of this program: {', '.join(texts)}"

    def inputs(self) -> None:
        """The graph's inputs, as they are declared."""
        feeds = {
            v.name: v for node in self.graph.root.of_type("feed") for v in node.output_values()
        }
        for name in self.feeds:
            value, desc = feeds[name], self.declared(name)
            if desc is None or desc.dtype is None:
                raise LiteError(f"input {name!r} is not declared: its element type is unknown")
            value.dtype = desc.dtype
            value.shape = _declared_shape(desc) if desc.shape or self.has_scalars else None
            self.fed.append((self.proto.graph.input.add(name=name), name, value))
            self.root.define(value, name)

    def outputs(self) -> None:
        """The graph's outputs, each with a node of its own that has its name."""
        fetched = self.graph.root.of_type("fetch")
        fetched.sort(key=lambda node: node.integer("col", 0))
        used: set[str] = set()
        for node in fetched:
            value = node.inputs["X"][0]
            name = value.name
            if name in used or name in self.feeds:
                name = self.names.fresh(f"{name}@")
            used.add(name)
            source = self.root.name_of(value)
            if source != name:
                self.root.writer.graph.node.add(
                    op_type="Identity", input=[source], output=[name], name=name
                )
            info = self.proto.graph.output.add(name=name)
            describe(info, _element(name, value.dtype), value.shape)

    def parameter(self, value: Value) -> str:
        """The name of a parameter's initialiser."""
        found = self.params.get(value)
        if found is None:
            array = value.array
            assert array is not None
            if not has_element_type(array.dtype):
                raise CannotExport(f"parameter {value.name} has {array.dtype}")
            name = None
            if value.name not in self.names.taken:
                self.names.taken.add(value.name)
                name = value.name
            found = self.params[value] = self.root.writer.constant(array, array.dtype, name)
        return found

    def keep_name(self, writer: GraphWriter, value: Value, name: str) -> str:
        """Gives a fresh result the variable's own name, where that is free and certain."""
        if value.name in EMPTY_NAMES:
            return name
        fetched = value.name in self.fetches and any(n.type == "fetch" for n in value.uses)
        if value.name in self.names.taken and (not fetched or writer is not self.root.writer):
            return name
        return self.rename(writer, name, value.name)

    def rename(self, writer: GraphWriter, name: str, wanted: str) -> str:
        """Renames what the latest node made and nobody has read."""
        nodes = writer.graph.node
        if not nodes or any(wanted in node.output for node in nodes[-1:]):
            return name
        last = nodes[-1]
        if name not in last.output or wanted in self.renamed or wanted in self.feeds:
            return name
        last.output[list(last.output).index(name)] = wanted
        self.names.taken.add(wanted)
        self.renamed.add(wanted)
        return wanted


def _element(name: str, number: DataType | None) -> np.dtype[Any]:
    if number is None:
        raise LiteError(f"the element type of {name!r} is unknown")
    try:
        return numpy_type(number)
    except CannotExport as reason:
        raise LiteError(f"{name!r}: ONNX has no {reason}") from None


def _reads(graph: Any) -> Iterable[str]:
    for node in graph.node:
        yield from node.input
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _reads(attribute.g)
                yield from (info.name for info in attribute.g.output)


def _drop_unused(graph: Any) -> None:
    """Removes nodes, then constants, that no output needs."""
    needed = {info.name for info in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed.isdisjoint(node.output):
            continue
        kept.append(node)
        needed.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                needed.update(_reads(attribute.g))
                needed.update(info.name for info in attribute.g.output)
    nodes = [type(node)() for node in kept]
    for copy, node in zip(nodes, reversed(kept), strict=True):
        copy.CopyFrom(node)
    del graph.node[:]
    graph.node.extend(nodes)
    unused = [i for i, tensor in enumerate(graph.initializer) if tensor.name not in needed]
    for index in reversed(unused):
        del graph.initializer[index]
