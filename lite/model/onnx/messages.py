"""ONNX's messages; the onnx package is not needed.

Numbers and types of the fields are those of the public onnx.proto, IR version 10.
"""

from __future__ import annotations

from lite.model.proto import Messages

message_class = Messages(
    "lite.model.onnx",
    """
StringEntry
    1 ? string key
    2 ? string value
TensorProto
    1 * int64 dims
    2 ? int32 data_type
    8 ? string name
    9 ? bytes raw_data
    13 * StringEntry external_data
    14 ? int32 data_location
AttributeProto
    1 ? string name
    2 ? float f
    3 ? int64 i
    4 ? bytes s
    6 ? GraphProto g
    7 * float floats
    8 * int64 ints
    9 * bytes strings
    20 ? int32 type
NodeProto
    1 * string input
    2 * string output
    3 ? string name
    4 ? string op_type
    5 * AttributeProto attribute
    7 ? string domain
Dimension
    1 ? int64 dim_value
    2 ? string dim_param
TensorShapeProto
    1 * Dimension dim
TensorType
    1 ? int32 elem_type
    2 ? TensorShapeProto shape
SequenceType
    1 ? TypeProto elem_type
TypeProto
    1 ? TensorType tensor_type
    4 ? SequenceType sequence_type
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
    3 ? string producer_version
    7 ? GraphProto graph
    8 * OperatorSetIdProto opset_import
""",
).message_class
