"""ONNX models put together from nodes, constants and descriptions of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lite.model.onnx.elements import ELEMENTS
from lite.model.onnx.messages import message_class

_FLOAT, _INT, _STRING, _GRAPH, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 5, 6, 7, 8

SHARED_BYTES = 64
"""Constants up to this size stand once, however often they are asked for."""


def element_type(dtype: Any) -> int:
    """ONNX's number of an element type."""
    return int(ELEMENTS[np.dtype(dtype).name])


def has_element_type(dtype: Any) -> bool:
    """Whether ONNX has an element type."""
    return np.dtype(dtype).name in ELEMENTS


def new_model(opset: int, ir_version: int, name: str) -> Any:
    """An empty ModelProto whose graph has a name."""
    proto = message_class("ModelProto")(ir_version=ir_version, producer_name="lite")
    proto.opset_import.add(domain="", version=opset)
    proto.graph.name = name
    return proto


def new_graph(name: str) -> Any:
    """An empty GraphProto, for a loop or a branch."""
    return message_class("GraphProto")(name=name)


def describe(info: Any, dtype: Any, shape: Sequence[int | None] | None) -> None:
    """Sets a ValueInfoProto's tensor type; a free dimension (None) gets a name of its own.

    A ``shape`` of None leaves even the number of dimensions open.
    """
    _describe_tensor(info.type.tensor_type, info.name, dtype, shape)


def describe_sequence(info: Any, dtype: Any) -> None:
    """Sets a ValueInfoProto's type: a sequence of tensors of any shape."""
    info.type.sequence_type.elem_type.tensor_type.elem_type = element_type(dtype)


def _describe_tensor(
    tensor: Any, name: str, dtype: Any, shape: Sequence[int | None] | None
) -> None:
    tensor.elem_type = element_type(dtype)
    if shape is None:
        return
    tensor.shape.SetInParent()
    for axis, dim in enumerate(shape):
        entry = tensor.shape.dim.add()
        if dim is None:
            entry.dim_param = f"{name}_{axis}"
        else:
            entry.dim_value = dim


def _set_attribute(attribute: Any, name: str, value: Any) -> None:
    attribute.name = name
    if isinstance(value, str):
        attribute.s, attribute.type = value.encode(), _STRING
    elif isinstance(value, float):
        attribute.f, attribute.type = value, _FLOAT
    elif isinstance(value, int):
        attribute.i, attribute.type = int(value), _INT
    elif hasattr(value, "DESCRIPTOR"):
        attribute.g.CopyFrom(value)
        attribute.type = _GRAPH
    elif value and isinstance(value[0], str):
        attribute.strings.extend(text.encode() for text in value)
        attribute.type = _STRINGS
    elif value and isinstance(value[0], float):
        attribute.floats.extend(value)
        attribute.type = _FLOATS
    else:
        attribute.ints.extend(int(v) for v in value)
        attribute.type = _INTS


class Names:
    """The value names of one model; its subgraphs share them, for ONNX wants each but once."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self._count = 0

    def fresh(self, base: str = "v") -> str:
        """A name that nothing has yet."""
        while True:
            self._count += 1
            name = f"{base}{self._count}"
            if name not in self.taken:
                self.taken.add(name)
                return name


class GraphWriter:
    """A GraphProto that grows. Constants of an inner graph stand in the outermost one."""

    def __init__(self, graph: Any, names: Names, outer: GraphWriter | None = None) -> None:
        self.graph = graph
        self.names = names
        self._root: GraphWriter = self if outer is None else outer._root
        self._shared: dict[tuple[Any, ...], str] = {}
        self.domains: set[str] = set()

    def node(
        self,
        type: str,
        inputs: Sequence[str | None],
        outputs: int = 1,
        domain: str = "",
        **attributes: Any,
    ) -> Any:
        """Adds a node; the name of its output, or a list of several. None is left out.

        A ``domain`` is for the model to import: ``domains`` of the outermost graph's writer.
        """
        if domain:
            self._root.domains.add(domain)
        names = [self.names.fresh() for _ in range(outputs)]
        node = self.graph.node.add(op_type=type, output=names, domain=domain or None)
        while inputs and inputs[-1] is None:
            inputs = inputs[:-1]
        node.input.extend(name or "" for name in inputs)
        for name, value in attributes.items():
            if value is not None:
                _set_attribute(node.attribute.add(), name, value)
        return names[0] if outputs == 1 else names

    def constant(self, value: Any, dtype: Any = None, name: str | None = None) -> str:
        """Adds a constant; Python's numbers become int64 or float32."""
        array = np.asarray(value, dtype)
        if dtype is None and array.dtype == np.float64:
            array = array.astype(np.float32)
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        key = (array.dtype.str, array.shape, data) if len(data) <= SHARED_BYTES else None
        shared = self._root._shared
        if name is None and key is not None and key in shared:
            return shared[key]
        if name is None:
            name = self.names.fresh("c")
            if key is not None:
                shared[key] = name
        tensor = self._root.graph.initializer.add(name=name, data_type=element_type(array.dtype))
        tensor.dims.extend(array.shape)
        tensor.raw_data = data
        return name
