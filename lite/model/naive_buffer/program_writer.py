"""The program section of a `.nb` file, byte for byte as real Paddle Lite writes it."""

from __future__ import annotations

import struct
from typing import Any

from lite.errors import LiteError
from lite.model.naive_buffer import schema
from lite.model.naive_buffer.flat_builder import FlatBuilder, joined
from lite.model.naive_buffer.translate import (
    DROPPED_ATTRS,
    translate_attr,
    translate_dtype,
    translate_var_type,
)
from lite.model.program import Attr, AttrType, BlockDesc, OpDesc, Program, VarDesc, VarType

_ATTR_SLOTS = {name: slot for slot, (name, _) in enumerate(schema.ATTR.fields)}
# Strings and vectors are present in every attribute, also when they are empty.
_ALWAYS = ("name", "s", "ints", "floats", "strings", "bools", "blocks_idx", "longs", "float64s")
_SCALAR_FIELDS = {
    AttrType.INT: "i",
    AttrType.FLOAT: "f",
    AttrType.BOOLEAN: "b",
    AttrType.LONG: "l",
    AttrType.FLOAT64: "float64",
}
_VECTOR_FIELDS = {
    AttrType.INTS: (0, "i32"),
    AttrType.FLOATS: (1, "f32"),
    AttrType.STRINGS: (2, "string"),
    AttrType.BOOLEANS: (3, "bool"),
    AttrType.BLOCKS: (4, "i32"),
    AttrType.LONGS: (5, "i64"),
    AttrType.FLOAT64S: (6, "f64"),
}
_VECTORS, _NARROW = 7, 5


def _attr_shape(fields: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The slots of an attribute with ``fields`` besides the constant ones, and the order in which
    name, s, the seven vectors and ``fields`` fill them."""
    slots = [_ATTR_SLOTS[name] for name in (*_ALWAYS, *fields)]
    order = sorted(range(len(slots)), key=slots.__getitem__)
    return tuple(slots[i] for i in order), tuple(order)


_SHAPES = {
    (type, present): _attr_shape(
        (*(("type",) if type else ()), *((_SCALAR_FIELDS[type],) if present else ()))
    )
    for type in AttrType
    for present in ((False, True) if type in _SCALAR_FIELDS else (False,))
}


def _vectors(builder: FlatBuilder, type: AttrType, values: Any) -> list[int]:
    """The seven vectors of an attribute, of which the one of its type holds ``values``."""
    which, element = _VECTOR_FIELDS[type]
    before = builder.empty_vectors(min(which, _NARROW), max(which - _NARROW, 0)) if which else []
    own = builder.strings(values) if element == "string" else builder.numbers(element, values)
    narrow, wide = max(_NARROW - which - 1, 0), _VECTORS - max(which + 1, _NARROW)
    after = builder.empty_vectors(narrow, wide) if narrow + wide else []
    return [*before, own, *after]


def _write_attr(builder: FlatBuilder, name: str, attr: Attr) -> int:
    type, value = translate_attr(attr)
    key = builder.string(name)
    text = builder.string(value) if type is AttrType.STRING and value else builder.empty_string()
    if type in _VECTOR_FIELDS and value:
        vectors = _vectors(builder, type, value)
    else:
        vectors = builder.empty_vectors(_NARROW, _VECTORS - _NARROW)
    filled: list[Any] = [key, text, *vectors]
    present = type in _SCALAR_FIELDS and value != 0
    if type:
        filled.append(int(type))
    if present:
        filled.append(value)
    slots, order = _SHAPES[type, present]
    return builder.table(schema.ATTR, slots, [filled[i] for i in order])


def _bytewise(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _write_slots(builder: FlatBuilder, slots: dict[str, list[str]]) -> int:
    tables = []
    for slot in sorted(slots, key=_bytewise):
        values = (builder.string(slot), builder.strings(slots[slot]))
        tables.append(builder.table(schema.OP_VAR, (0, 1), values))
    return builder.references(tables)


def _write_op(builder: FlatBuilder, op: OpDesc) -> int:
    type = builder.string(op.type)
    inputs = _write_slots(builder, op.inputs)
    outputs = _write_slots(builder, op.outputs)
    tables = []
    for name in sorted(op.attrs.keys() - DROPPED_ATTRS, key=_bytewise):
        try:
            tables.append(_write_attr(builder, name, op.attrs[name]))
        except (struct.error, TypeError, AttributeError, OverflowError, LiteError) as error:
            raise LiteError(
                f"operator {op.type}: attribute {name!r} of type {op.attrs[name].type.name} "
                f"cannot be written: {error}"
            ) from None
    attrs = builder.references(tables)
    if op.is_target:
        return builder.table(schema.OP, (0, 1, 2, 3, 4), (type, inputs, outputs, attrs, True))
    return builder.table(schema.OP, (0, 1, 2, 3), (type, inputs, outputs, attrs))


def _table(builder: FlatBuilder, table: schema.Table, *pairs: tuple[int, Any]) -> int:
    """A table from (slot, value) pairs, without those that are zero."""
    kept = [pair for pair in pairs if pair[1]]
    return builder.table(table, tuple(slot for slot, _ in kept), [value for _, value in kept])


def _write_var_type(builder: FlatBuilder, var: VarDesc) -> int:
    dims = builder.numbers("i64", var.shape)
    dtype = translate_dtype(var)
    tensor = _table(builder, schema.TENSOR, (0, dtype), (1, dims))
    type = translate_var_type(var)
    if var.type is VarType.SELECTED_ROWS:
        return _table(builder, schema.VAR_TYPE, (0, type), (1, tensor))
    described = _table(builder, schema.LOD_TENSOR, (0, tensor), (1, var.lod_level))
    # Real files describe whatever is no SELECTED_ROWS here, tensor arrays and step scopes too.
    return _table(builder, schema.VAR_TYPE, (0, type), (2, described))


def _write_var(builder: FlatBuilder, var: VarDesc) -> int:
    name = builder.string(var.name)
    type = _write_var_type(builder, var)
    flags = ((2, var.persistable), (3, var.need_check_feed))
    return _table(builder, schema.VAR, (0, name), (1, type), *flags)


def _write_block(builder: FlatBuilder, block: BlockDesc) -> int:
    variables = builder.references([_write_var(builder, var) for var in block.vars.values()])
    ops = builder.references([_write_op(builder, op) for op in block.ops])
    pairs = [(0, block.idx), (1, block.parent_idx), (2, variables), (3, ops)]
    slots = [slot for slot, value in pairs if value]
    values = [value for _, value in pairs if value]
    if block.forward_block_idx != schema.NO_FORWARD_BLOCK:
        slots.append(4)
        values.append(block.forward_block_idx)
    return builder.table(schema.BLOCK, tuple(slots), values)


def program_bytes(program: Program) -> bytes:
    """The program as the flatbuffer of a `.nb` file; parameters are not in it.

    Attributes and slots stand in bytewise order of their names; what the format cannot hold is
    translated. Raises LiteError naming the operator or variable that cannot be written.
    """
    builder = FlatBuilder()
    blocks = builder.references([_write_block(builder, block) for block in program.blocks])
    version = _table(builder, schema.VERSION, (0, program.version))
    root = builder.table(schema.PROGRAM, (0, 1), (blocks, version))
    return joined(builder.finish(root))
