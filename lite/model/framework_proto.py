"""ProgramDesc's messages.

Field numbers and types are those of paddlepaddle's descriptor (paddle.framework.proto, 2.6.2 and
3.3.1). Strings are read as bytes, since models hold paths in any encoding, and enums as int32, so
that a number from a newer Paddle is seen and named instead of lost.
"""

from __future__ import annotations

from lite.model.proto import Messages

_MESSAGES = Messages(
    "lite.model.framework",
    """
Version
    1 ? int64 version
Complex
    1 ! double r
    2 ! double i
Scalar
    1 ! int32 type
    2 ? bool b
    3 ? int64 i
    4 ? double r
    5 ? Complex c
Attr
    1 ! bytes name
    2 ! int32 type
    3 ? int32 i
    4 ? float f
    5 ? bytes s
    6 * int32 ints
    7 * float floats
    8 * bytes strings
    10 ? bool b
    11 * bool bools
    12 ? int32 block_idx
    13 ? int64 l
    14 * int32 blocks_idx
    15 * int64 longs
    16 * double float64s
    17 ? bytes var_name
    18 * bytes vars_name
    19 ? double float64
    20 ? Scalar scalar
    21 * Scalar scalars
Slot
    1 ! bytes parameter
    2 * bytes arguments
OpDesc
    1 * Slot inputs
    2 * Slot outputs
    3 ! bytes type
    4 * Attr attrs
    5 ? bool is_target
TensorDesc
    1 ! int32 data_type
    2 * int64 dims
LoDTensorDesc
    1 ! TensorDesc tensor
    2 ? int32 lod_level
ReaderDesc
    1 * LoDTensorDesc lod_tensor
Tuple
    1 * int32 element_type
VarType
    1 ! int32 type
    2 ? TensorDesc selected_rows
    3 ? LoDTensorDesc lod_tensor
    4 ? LoDTensorDesc tensor_array
    5 ? ReaderDesc reader
    7 ? Tuple tuple
    8 ? TensorDesc string
    9 ? TensorDesc strings
    10 ? TensorDesc vocab
    11 ? TensorDesc sparse_coo
    12 ? TensorDesc sparse_csr
VarDesc
    1 ! bytes name
    2 ! VarType type
    3 ? bool persistable
    4 ? bool need_check_feed
    5 ? bool is_parameter
    6 ? bool stop_gradient
BlockDesc
    1 ! int32 idx
    2 ! int32 parent_idx
    3 * VarDesc vars
    4 * OpDesc ops
    5 ? int32 forward_block_idx -1
OpVersion
    1 ! int32 version
OpVersionPair
    1 ! bytes op_name
    2 ! OpVersion op_version
OpVersionMap
    1 * OpVersionPair pair
ProgramDesc
    1 * BlockDesc blocks
    4 ? Version version
    5 ? OpVersionMap op_version_map
""",
)
message_class = _MESSAGES.message_class
required_fields = _MESSAGES.required_fields
