"""What the optimizer infers of an operator's outputs, against what the kernel made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from expected_values import Values

from lite.core.optimizer.graph import Block, Node, Value
from lite.core.optimizer.infer import infer_node
from lite.model.program import AttrType, DataType

_DTYPES = {
    "bool": DataType.BOOL,
    "int16": DataType.INT16,
    "int32": DataType.INT32,
    "int64": DataType.INT64,
    "float16": DataType.FP16,
    "float32": DataType.FP32,
    "float64": DataType.FP64,
    "uint8": DataType.UINT8,
    "int8": DataType.INT8,
    "complex64": DataType.COMPLEX64,
    "complex128": DataType.COMPLEX128,
}

_ATTRIBUTE_TYPES = {
    bool: AttrType.BOOLEAN,
    int: AttrType.INT,
    float: AttrType.FLOAT,
    str: AttrType.STRING,
    list: AttrType.INTS,
}
"""Near enough: the rules read the values."""


def _value(name: str, array: np.ndarray) -> Value:
    value = Value(name)
    value.dtype, value.shape = _DTYPES[str(array.dtype)], array.shape
    return value


def _node(op: str, inputs: Values, attrs: Mapping[str, Any], outputs: Values) -> Node:
    node = Node(op, cast(Block, None))  # in no program: inference looks at slots and attributes
    for slot, values in inputs.items():
        node.inputs[slot] = [_value(slot, array) for array, _ in values]
    for slot, values in outputs.items():
        node.outputs[slot] = [Value(slot, node) for _ in values]
    for name, given in attrs.items():
        given = list(given) if isinstance(given, tuple) else given
        node.set_attr(name, _ATTRIBUTE_TYPES.get(type(given), AttrType.INTS), given)
    return node


def check(op: str, inputs: Values, attrs: Mapping[str, Any], outputs: Values) -> None:
    """Fails where a type or a dimension that the optimizer believes to know is another."""
    node = _node(op, inputs, attrs, outputs)
    infer_node(node)
    for slot, values in outputs.items():
        for (array, _), value in zip(values, node.outputs[slot], strict=True):
            place = f"{op}: the optimizer infers of {slot}"
            if value.dtype is not None:
                real = _DTYPES[str(array.dtype)]
                assert value.dtype == real, f"{place} {value.dtype!r}, but it is {real!r}"
            if value.shape is not None:
                fits = len(value.shape) == array.ndim and all(
                    known in (None, dim)
                    for known, dim in zip(value.shape, array.shape, strict=True)
                )
                assert fits, f"{place} the shape {value.shape}, but it is {array.shape}"
