"""ONNX's messages; the onnx package is not needed.

Numbers and types of the fields are those of the public onnx.proto, IR version 13.
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
    4 * float float_data
    5 * int32 int32_data
    6 * bytes string_data
    7 * int64 int64_data
    8 ? string name
    9 ? bytes raw_data
    10 * double double_data
    11 * uint64 uint64_data
    13 * StringEntry external_data
    14 ? int32 data_location
SparseTensorProto
    1 ? TensorProto values
    2 ? TensorProto indices
    3 * int64 dims
AttributeProto
    1 ? string name
    2 ? float f
    3 ? int64 i
    4 ? bytes s
    5 ? TensorProto t
    6 ? GraphProto g
    7 * float floats
    8 * int64 ints
    9 * bytes strings
    10 * TensorProto tensors
    11 * GraphProto graphs
    14 ? TypeProto tp
    20 ? int32 type
    21 ? string ref_attr_name
    22 ? SparseTensorProto sparse_tensor
NodeProto
    1 * string input
    2 * string output
    3 ? string name
    4 ? string op_type
    5 * AttributeProto attribute
    7 ? string domain
    8 ? string overload
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
MapType
    1 ? int32 key_type
OptionalType
    1 ? TypeProto elem_type
TypeProto
    1 ? TensorType tensor_type
    4 ? SequenceType sequence_type
    5 ? MapType map_type
    8 ? TensorType sparse_tensor_type
    9 ? OptionalType optional_type
ValueInfoProto
    1 ? string name
    2 ? TypeProto type
GraphProto
    1 * NodeProto node
    2 ? string name
    5 * TensorProto initializer
    11 * ValueInfoProto input
    12 * ValueInfoProto output
    15 * SparseTensorProto sparse_initializer
OperatorSetIdProto
    1 ? string domain
    2 ? int64 version
FunctionProto
    1 ? string name
    4 * string input
    5 * string output
    6 * string attribute
    7 * NodeProto node
    9 * OperatorSetIdProto opset_import
    10 ? string domain
    11 * AttributeProto attribute_proto
    13 ? string overload
ModelProto
    1 ? int64 ir_version
    2 ? string producer_name
    3 ? string producer_version
    4 ? string domain
    5 ? int64 model_version
    6 ? string doc_string
    7 ? GraphProto graph
    8 * OperatorSetIdProto opset_import
    14 * StringEntry metadata_props
    25 * FunctionProto functions
""",
).message_class
