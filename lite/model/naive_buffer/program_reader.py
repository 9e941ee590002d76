"""The program section of a `.nb` file to Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lite.model.naive_buffer import schema
from lite.model.naive_buffer.flat_reader import FlatReader, FlatTable
from lite.model.program import (
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)

_TENSORS = frozenset({VarType.LOD_TENSOR, VarType.SELECTED_ROWS, VarType.LOD_TENSOR_ARRAY})
_VAR_TYPES = {int(type): type for type in VarType if type <= VarType.TUPLE}
_DATA_TYPES = {int(type): type for type in DataType}

_ATTR_READERS: dict[AttrType, Callable[[FlatTable], Any]] = {
    AttrType.INT: lambda attr: attr.scalar(2),
    AttrType.FLOAT: lambda attr: attr.scalar(3, 0.0),
    AttrType.STRING: lambda attr: attr.text(4) or "",
    AttrType.INTS: lambda attr: attr.numbers(5),
    AttrType.FLOATS: lambda attr: attr.numbers(6),
    AttrType.STRINGS: lambda attr: attr.texts(7),
    AttrType.BOOLEAN: lambda attr: attr.scalar(8, False),
    AttrType.BOOLEANS: lambda attr: attr.numbers(9),
    AttrType.BLOCK: lambda attr: attr.scalar(10),
    AttrType.LONG: lambda attr: attr.scalar(11),
    AttrType.BLOCKS: lambda attr: attr.numbers(12),
    AttrType.LONGS: lambda attr: attr.numbers(13),
    AttrType.FLOAT64: lambda attr: attr.scalar(14, 0.0),
    AttrType.FLOAT64S: lambda attr: attr.numbers(15),
}


def _read_attr(table: FlatTable) -> Attr:
    number = table.integer(1)
    if number not in AttrType._value2member_map_ or number not in _ATTR_READERS:
        table.fail(f"attribute {table.text(0)!r} has type {number}, which .nb files do not know")
    type = AttrType(number)
    return Attr(type, _ATTR_READERS[type](table))


def _read_slots(op: FlatTable, slot: int) -> dict[str, list[str]]:
    slots: dict[str, list[str]] = {}
    for table in op.tables(slot, schema.OP_VAR):
        name = table.required_text(0)
        if name in slots:
            table.fail(f"the slot {name!r} stands there twice")
        slots[name] = table.texts(1)
    return slots


def _read_op(table: FlatTable) -> OpDesc:
    op = OpDesc(table.required_text(0), _read_slots(table, 1), _read_slots(table, 2))
    for attr in table.tables(3, schema.ATTR):
        name = attr.required_text(0)
        if name in op.attrs:
            attr.fail(f"attribute {name!r} of operator {op.type} stands there twice")
        op.attrs[name] = _read_attr(attr)
    op.is_target = bool(table.scalar(4, False))
    return op


def _read_var(table: FlatTable) -> VarDesc:
    name = table.required_text(0)
    holder = table.required_table(1, schema.VAR_TYPE)
    number = holder.integer(0)
    type = _VAR_TYPES.get(number)
    if type is None:
        holder.fail(f"variable {name!r} has the unknown type {number}")
    persistable, checked = bool(table.scalar(2, False)), bool(table.scalar(3, False))
    var = VarDesc(name, type, None, (), 0, persistable, checked)
    if type not in _TENSORS:
        return var
    if type is VarType.SELECTED_ROWS:
        tensor = holder.table(1, schema.TENSOR)
    else:
        described = holder.table(2, schema.LOD_TENSOR)
        if described is None and type is VarType.LOD_TENSOR_ARRAY:
            described = holder.table(3, schema.LOD_TENSOR)
        if described is None:
            return var
        var.lod_level = described.integer(1)
        tensor = described.required_table(0, schema.TENSOR)
    if tensor is not None:
        var.dtype = _DATA_TYPES.get(tensor.integer(0))
        var.shape = tuple(int(dim) for dim in tensor.numbers(1))
    return var


def _read_block(table: FlatTable) -> BlockDesc:
    forward = table.integer(4, schema.NO_FORWARD_BLOCK)
    block = BlockDesc(table.integer(0), table.integer(1), forward)
    for item in table.tables(2, schema.VAR):
        var = _read_var(item)
        if var.name in block.vars:
            item.fail(f"the variable {var.name!r} is declared twice")
        block.vars[var.name] = var
    block.ops = [_read_op(item) for item in table.tables(3, schema.OP)]
    return block


def _settle_numbers(program: Program) -> None:
    """Gives blocks whose numbers are garbage (NNAdapter's, in real files) those they stand for."""
    blocks = program.blocks
    if all(
        block.idx == index
        and (block.parent_idx == -1 if index == 0 else 0 <= block.parent_idx < len(blocks))
        for index, block in enumerate(blocks)
    ):
        return
    for index, block in enumerate(blocks):
        block.idx, block.parent_idx, block.forward_block_idx = index, 0 if index else -1, -1
    for index, block in enumerate(blocks):
        for op in block.ops:
            child = op.attr("sub_block")
            if isinstance(child, int) and 0 < child < len(blocks) and child != index:
                blocks[child].parent_idx = index


def read_program_section(data: memoryview, name: str, base: int = 0) -> Program:
    """The Program (without parameters) in a program section that begins ``base`` bytes into a file.

    Blocks whose numbers are not their positions are numbered anew. Raises ModelFormatError naming
    the file and the offset.
    """
    reader = FlatReader(data, name, base)
    root = reader.root(schema.PROGRAM)
    program = Program([_read_block(block) for block in root.tables(0, schema.BLOCK)])
    if not program.blocks:
        reader.fail(0, "the program has no block")
    version = root.table(1, schema.VERSION)
    if version is not None:
        program.version = version.integer(0)
    versions = root.table(2, schema.OP_VERSION_MAP)
    if versions is not None:
        for pair in versions.tables(0, schema.OP_VERSION_PAIR):
            number = pair.required_table(1, schema.OP_VERSION).integer(0)
            program.op_versions[pair.required_text(0)] = number
    _settle_numbers(program)
    return program
