"""An ONNX file to a Program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lite.core.optimizer.graph import Shape
from lite.errors import LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.find import Found
from lite.model.onnx.elements import ELEMENTS, Element, type_text
from lite.model.onnx.reader.document import Model, in_order, nodes_of, parse_model
from lite.model.onnx.reader.tensors import Tensors
from lite.model.onnx.reader.translate import Scope, Translator, held_type
from lite.model.onnx.reader.values import CannotRead, Refused, Tensor
from lite.model.program import DataType, Origin, Port, Program
from lite.model.source import Buffer


@dataclass(frozen=True)
class Given:
    """What stands in for parts of the files, by name: constants' elements, and files' bytes."""

    initializers: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    files: Mapping[str, Buffer] = field(default_factory=dict)


def read_onnx(found: Found, fed: Iterable[str] = (), given: Given | None = None) -> Program:
    """The program of an ONNX model, with its parameters.

    Inputs and outputs have ONNX's names, order and element types, but that bfloat16 is float32 and
    unsigned integers of 16 bits and more are held in the next signed type. ``fed`` names
    initialisers that are inputs instead. Raises ModelFormatError for a damaged file and
    UnsupportedOperatorError, in one line, for all that is not read.
    """
    given = given or Given()
    tensors = Tensors(found.folder, given.files)
    try:
        model = parse_model(found.read())
        _replace(model.graph, given.initializers)
        try:
            return _Reading(model, tensors, frozenset(fed)).run()
        except UnsupportedOperatorError:
            return _Reading(model, tensors, frozenset(fed), sizes=True).run()
    except LiteError as error:
        raise type(error)(f"{found.name}: {error}") from None
    except UnicodeDecodeError:
        raise ModelFormatError(f"{found.name}: a text in it is not UTF-8") from None


def _replace(graph: Any, given: Mapping[str, np.ndarray[Any, Any]]) -> None:
    constants = {tensor.name: tensor for tensor in graph.initializer if tensor.name in given}
    for name, array in given.items():
        if name not in constants:
            raise ModelFormatError(f"the model has no initialiser {name!r} to be replaced")
        tensor = constants[name]
        element, dims = ELEMENTS.get(array.dtype.name), list(array.shape)
        if element != tensor.data_type or dims != list(tensor.dims):
            raise ModelFormatError(
                f"the initialiser {name!r} is {type_text(tensor.data_type)} of the shape "
                f"{list(tensor.dims)}, it is replaced by {array.dtype.name} of {dims}"
            )
        tensor.Clear()
        tensor.name, tensor.data_type = name, element
        tensor.dims.extend(dims)
        tensor.raw_data = array.tobytes()


def _origin(model: Model) -> Origin:
    proto, graph = model.proto, model.graph
    constants = {tensor.name for tensor in graph.initializer}
    constants |= {sparse.values.name for sparse in graph.sparse_initializer}
    return Origin(
        inputs=tuple(_port(info) for info in graph.input if info.name not in constants),
        outputs=tuple(map(_port, graph.output)),
        overridable=tuple(_port(info) for info in graph.input if info.name in constants),
        metadata={entry.key: entry.value for entry in proto.metadata_props},
        producer=proto.producer_name,
        graph=graph.name,
        domain=proto.domain,
        description=proto.doc_string,
        version=proto.model_version,
    )


def _port(info: Any) -> Port:
    tensor = info.type.tensor_type
    shape = None
    if tensor.HasField("shape"):
        shape = tuple(
            dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None
            for dim in tensor.shape.dim
        )
    return Port(info.name, type_text(tensor.elem_type), shape)


class _Reading:
    """One attempt. ``sizes``: the inputs' declared sizes are believed, and checked at each run; by
    default a program takes any, whatever its model was exported with."""

    def __init__(
        self, model: Model, tensors: Tensors, fed: frozenset[str], sizes: bool = False
    ) -> None:
        self.model = model
        self.sizes = sizes
        self.fed = fed
        self.translator = Translator(model, tensors)
        self.builder = self.translator.builder
        self.scope = Scope(model.opsets, main=True)

    def run(self) -> Program:
        graph = self.model.graph
        outputs = [info.name for info in graph.output]
        halves = [
            info.name for info in graph.output if info.type.tensor_type.elem_type == Element.FLOAT16
        ]
        self.builder.reserve([*outputs, *(info.name for info in graph.input)], halves)
        self._inputs(graph)
        self.translator.constants(graph, self.scope, self.fed)
        self.translator.nodes(in_order(nodes_of(graph), set(outputs)), self.scope)
        # A name may be there twice: jax2onnx writes a cell's output and its state so.
        infos = {info.name: info for info in graph.output}
        made = {name: self._output(info) for name, info in infos.items()}
        if self.translator.refusals.reasons:
            raise UnsupportedOperatorError(self.translator.refusals.text())
        for name in outputs:
            self.builder.fetch(made[name])
        program = self.builder.program
        program.origin = _origin(self.model)
        return program

    def _inputs(self, graph: Any) -> None:
        constants = {tensor.name for tensor in graph.initializer} - self.fed
        constants |= {sparse.values.name for sparse in graph.sparse_initializer}
        for info in graph.input:
            if info.name in constants:
                continue
            if info.name in self.scope.values or not info.name:
                raise ModelFormatError(f"the input {info.name!r} is there twice, or has no name")
            try:
                made = self._input(info)
                if made.dtype is DataType.FP16:
                    made = self.builder.cast(made, DataType.FP32)
                self.scope.values[info.name] = made
            except CannotRead as reason:
                self.translator.refusals.add("input", str(reason))
                self.scope.values[info.name] = Refused()

    def _input(self, info: Any) -> Tensor:
        what = f"the input {info.name!r}"
        kind = _tensor_type(info, what)
        dtype, bits = held_type(kind.elem_type, what)
        shape = _shape(kind)
        if kind.elem_type == Element.FLOAT16:
            dtype = DataType.FP16
        made = self.builder.feed(info.name, dtype, shape)
        made.bits = bits
        if shape is not None and self.sizes:
            self.builder.require_sizes(made, shape)
        elif shape is not None:
            made.shape = (None,) * len(shape)
        return made

    def _output(self, info: Any) -> Tensor:
        """The output under its own name and in its own element type."""
        value = self.scope.get(info.name)
        if isinstance(value, Refused):
            return self.builder.variable(DataType.FP32, None)
        if not isinstance(value, Tensor):
            self.translator.refusals.add("output", f"{info.name!r} is a sequence")
            return self.builder.variable(DataType.FP32, None)
        builder = self.builder
        place = builder.place
        if value.bits in (2, 4):
            self.translator.refusals.add("output", f"{info.name!r} holds {value.bits} bits")
        if info.type.tensor_type.elem_type == Element.FLOAT16 and value.dtype is DataType.FP32:
            value = builder.cast(_used(builder, value), DataType.FP16)
        elif value.known or value.name != info.name:
            value = builder.emit("assign", {"X": _used(builder, value)})
        builder.rename(value, info.name, place, last=True)
        return value


def _used(builder: Any, value: Tensor) -> Tensor:
    """A constant as a variable that nothing computes with."""
    return Tensor(builder.use(value), value.dtype, value.shape)


def _tensor_type(info: Any, what: str) -> Any:
    if not info.type.HasField("tensor_type"):
        kinds = ("sequence_type", "map_type", "optional_type", "sparse_tensor_type")
        found = next((kind for kind in kinds if info.type.HasField(kind)), "type unknown")
        raise CannotRead(f"{what} is no tensor but a {found.removesuffix('_type')}")
    return info.type.tensor_type


def _shape(kind: Any) -> Shape | None:
    if not kind.HasField("shape"):
        return None
    dims = ((dim.dim_value if dim.HasField("dim_value") else -1) for dim in kind.shape.dim)
    return tuple(dim if dim >= 0 else None for dim in dims)
