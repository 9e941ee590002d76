"""What `.nb` files cannot hold, as what they can."""

from __future__ import annotations

import math
import struct
from typing import Any

from lite.errors import LiteError
from lite.model.program import Attr, AttrType, DataType, VarDesc, VarType

DROPPED_ATTRS = frozenset(
    {"op_callstack", "op_namescope", "op_role", "op_role_var", "workspace_size_MB"}
)
"""Attributes that mean nothing at run time; real Paddle Lite drops them too."""

_INT32 = range(-(1 << 31), 1 << 31)
_LAST_VAR_TYPE = VarType.TUPLE


def _is_float32(value: float) -> bool:
    if not math.isfinite(value):
        return True
    try:
        return bool(struct.unpack("<f", struct.pack("<f", value))[0] == value)
    except OverflowError:
        return False


def _numbers(values: list[Any]) -> tuple[AttrType, list[Any]]:
    """The narrowest list type that holds all scalars exactly."""
    if any(isinstance(value, complex) for value in values):
        raise LiteError("complex numbers are not supported in attributes")
    if values and all(isinstance(value, bool) for value in values):
        return AttrType.BOOLEANS, values
    if any(isinstance(value, float) for value in values):
        floats = [float(value) for value in values]
        exact = all(map(_is_float32, floats))
        return (AttrType.FLOATS if exact else AttrType.FLOAT64S), floats
    integers = [int(value) for value in values]
    narrow = all(value in _INT32 for value in integers)
    return (AttrType.INTS if narrow else AttrType.LONGS), integers


_ONE_OF = {
    AttrType.BOOLEANS: AttrType.BOOLEAN,
    AttrType.FLOATS: AttrType.FLOAT,
    AttrType.FLOAT64S: AttrType.FLOAT64,
    AttrType.INTS: AttrType.INT,
    AttrType.LONGS: AttrType.LONG,
}
_RENAMED = {
    AttrType.BLOCK: AttrType.INT,
    AttrType.VAR: AttrType.STRING,
    AttrType.VARS: AttrType.STRINGS,
}


def translate_attr(attr: Attr) -> tuple[AttrType, Any]:
    """Type and value in a `.nb` file.

    BLOCK becomes INT, VAR a string; a SCALAR becomes the narrowest number type that holds it
    exactly. Raises LiteError for complex numbers.
    """
    if attr.type in _RENAMED:
        return _RENAMED[attr.type], attr.value
    if attr.type is AttrType.SCALARS:
        return _numbers(attr.value)
    if attr.type is AttrType.SCALAR:
        type, values = _numbers([attr.value])
        return _ONE_OF[type], values[0]
    return attr.type, attr.value


def translate_dtype(var: VarDesc) -> int:
    """A variable's element type in a `.nb` file; bf16 is float32 there, none is 0."""
    if var.dtype is None:
        return 0
    if var.dtype is DataType.BF16:
        return int(DataType.FP32)
    return int(var.dtype)


def translate_var_type(var: VarDesc) -> int:
    """A variable's type in a `.nb` file."""
    if var.type > _LAST_VAR_TYPE:
        raise LiteError(f"variable {var.name!r} is a {var.type.name}, which a .nb file cannot hold")
    return int(var.type)
