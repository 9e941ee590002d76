"""The tables of `.nb` files: fields by slot, their types and defaults.

Facts of the public format (Paddle Lite 2.13 and 2.14). A field's position in its tuple is its
slot. ``[T]`` is a vector; a name with a capital letter is a table.
"""

from __future__ import annotations

from dataclasses import dataclass

SIZES = {"bool": 1, "u8": 1, "i8": 1, "i32": 4, "f32": 4, "i64": 8, "f64": 8}
CODES = {"bool": "?", "u8": "B", "i8": "b", "i32": "i", "f32": "f", "i64": "q", "f64": "d"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table's name, and the name and type of each of its slots."""

    name: str
    fields: tuple[tuple[str, str], ...]


def _table(name: str, fields: str) -> Table:
    pairs = [field.split(":") for field in fields.split()]
    return Table(name, tuple((field, type) for field, type in pairs))


PROGRAM = _table("ProgramDesc", "blocks:[BlockDesc] version:Version op_version_map:OpVersionMap")
VERSION = _table("Version", "version:i64")
OP_VERSION_MAP = _table("OpVersionMap", "pair:[OpVersionPair]")
OP_VERSION_PAIR = _table("OpVersionPair", "op_name:string op_version:OpVersion")
OP_VERSION = _table("OpVersion", "version:i32")
BLOCK = _table(
    "BlockDesc", "idx:i32 parent_idx:i32 vars:[VarDesc] ops:[OpDesc] forward_block_idx:i32"
)
VAR = _table("VarDesc", "name:string type:VarType persistable:bool need_check_feed:bool")
VAR_TYPE = _table(
    "VarType",
    "type:i32 selected_rows:TensorDesc lod_tensor:LoDTensorDesc tensor_array:LoDTensorDesc "
    "reader:ReaderDesc tuple:Tuple",
)
TENSOR = _table("TensorDesc", "data_type:i32 dims:[i64]")
LOD_TENSOR = _table("LoDTensorDesc", "tensor:TensorDesc lod_level:i32")
OP = _table("OpDesc", "type:string inputs:[OpVar] outputs:[OpVar] attrs:[Attr] is_target:bool")
OP_VAR = _table("OpVar", "parameter:string arguments:[string]")
ATTR = _table(
    "Attr",
    "name:string type:i32 i:i32 f:f32 s:string ints:[i32] floats:[f32] strings:[string] b:bool "
    "bools:[bool] block_idx:i32 l:i64 blocks_idx:[i32] longs:[i64] float64:f64 float64s:[f64]",
)
PARAM = _table("ParamDesc", "version:VersionDesc name:string tag:u8 value:ParamTensor")
PARAM_TENSOR = _table("ParamTensor", "lod_level:i32 lod:[i64] dim:[i64] data_type:i32 data:[i8]")
COMBINED_PARAMS = _table("CombinedParamsDesc", "params:[ParamDesc]")

NO_FORWARD_BLOCK = -1
"""The default of ``BlockDesc.forward_block_idx``; every other default is zero."""

PARAM_TENSOR_TAG = 1
"""The union tag of ``ParamDesc.value``."""
