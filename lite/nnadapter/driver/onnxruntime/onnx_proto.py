"""ONNX's messages, built at run time in a descriptor pool of our own (the onnx package is not
needed). Numbers and types of the fields are those of the public onnx.proto, IR version 9."""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_PACKAGE = "lite.nnadapter.onnx"

# message: number, label (? optional, * repeated), type, name
_SCHEMA = """
TensorProto
    1 * int64 dims
    2 ? int32 data_type
    8 ? string name
    9 ? bytes raw_data
AttributeProto
    1 ? string name
    2 ? float f
    3 ? int64 i
    4 ? bytes s
    7 * float floats
    8 * int64 ints
    20 ? int32 type
NodeProto
    1 * string input
    2 * string output
    4 ? string op_type
    5 * AttributeProto attribute
Dimension
    1 ? int64 dim_value
    2 ? string dim_param
TensorShapeProto
    1 * Dimension dim
TensorType
    1 ? int32 elem_type
    2 ? TensorShapeProto shape
TypeProto
    1 ? TensorType tensor_type
ValueInfoProto
    1 ? string name
    2 ? TypeProto type
GraphProto
    1 * NodeProto node
    2 ? string name
    5 * TensorProto initializer
    11 * ValueInfoProto input
    12 * ValueInfoProto output
OperatorSetIdProto
    1 ? string domain
    2 ? int64 version
ModelProto
    1 ? int64 ir_version
    2 ? string producer_name
    7 ? GraphProto graph
    8 * OperatorSetIdProto opset_import
"""

_SCALARS = {"float": 2, "int64": 3, "int32": 5, "string": 9, "bytes": 12}
_TYPE_MESSAGE = 11


@cache
def _pool() -> Any:
    file = descriptor_pb2.FileDescriptorProto(
        name="lite/nnadapter/onnx.proto", package=_PACKAGE, syntax="proto2"
    )
    message: Any = None
    for line in _SCHEMA.strip().splitlines():
        words = line.split()
        if len(words) == 1:
            message = file.message_type.add(name=words[0])
            continue
        number, label, type, name = words
        field = message.field.add(name=name, number=int(number), label=3 if label == "*" else 1)
        if type in _SCALARS:
            field.type = _SCALARS[type]
        else:
            field.type = _TYPE_MESSAGE
            field.type_name = f".{_PACKAGE}.{type}"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return pool


@cache
def message_class(name: str) -> Any:
    """The class of one message, for instance ``ModelProto``."""
    descriptor = _pool().FindMessageTypeByName(f"{_PACKAGE}.{name}")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    factory: Any = message_factory.MessageFactory(_pool())
    return factory.GetPrototype(descriptor)
