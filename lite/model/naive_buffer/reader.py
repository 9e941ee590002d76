"""A `.nb` file to Program: the runtime's own reader (``lite/core/naive_buffer.h``) reads it."""

from __future__ import annotations

import os
from typing import Any

from lite import _core
from lite.errors import ModelFormatError
from lite.model.params import DATA_TYPES, ParamRecord
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
from lite.model.source import Buffer, BufferSource, FileSource, Source, as_bytes

_TENSORS = frozenset({VarType.LOD_TENSOR, VarType.SELECTED_ROWS, VarType.LOD_TENSOR_ARRAY})
_VAR_TYPES = {int(type): type for type in VarType if type <= VarType.TUPLE}
_DATA_TYPES = {int(type): type for type in DataType}
_ATTR_TYPES = {int(type): type for type in AttrType}


def _make_var(
    name: str,
    number: int,
    dtype: int | None,
    shape: tuple[int, ...],
    lod_level: int,
    persistable: bool,
    need_check_feed: bool,
) -> VarDesc:
    type = _VAR_TYPES.get(number)
    if type is None:
        raise ModelFormatError(f"variable {name!r} has the unknown type {number}")
    if type not in _TENSORS:
        return VarDesc(name, type, None, (), 0, persistable, need_check_feed)
    known = None if dtype is None else _DATA_TYPES.get(dtype)
    return VarDesc(name, type, known, shape, lod_level, persistable, need_check_feed)


def _make_op(
    type: str,
    inputs: dict[str, list[str]],
    outputs: dict[str, list[str]],
    attrs: dict[str, tuple[int, Any]],
    is_target: bool,
) -> OpDesc:
    typed = {name: Attr(_ATTR_TYPES[number], value) for name, (number, value) in attrs.items()}
    return OpDesc(type, inputs, outputs, typed, is_target)


def _make_block(
    idx: int, parent_idx: int, forward_block_idx: int, vars: list[Any], ops: list[Any]
) -> BlockDesc:
    block = BlockDesc(idx, parent_idx, forward_block_idx)
    for described in vars:
        var = _make_var(*described)
        if var.name in block.vars:
            raise ModelFormatError(f"the variable {var.name!r} is declared twice")
        block.vars[var.name] = var
    block.ops = [_make_op(*described) for described in ops]
    return block


def _make_blocks(described: list[Any], name: str) -> list[BlockDesc]:
    blocks = []
    for index, block in enumerate(described):
        try:
            blocks.append(_make_block(*block))
        except ModelFormatError as error:
            raise ModelFormatError(f"{name}: block {index}: {error}") from None
    return blocks


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


def _check_present(program: Program, name: str) -> None:
    produced = {out for block in program.blocks for op in block.ops for out in op.output_names()}
    read = {item for block in program.blocks for op in block.ops for item in op.input_names()}
    missing = sorted(
        var.name
        for block in program.blocks
        for var in block.vars.values()
        if var.persistable
        and var.type is VarType.LOD_TENSOR
        and var.name in read - produced - program.params.keys()
    )
    if missing:
        shown = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        raise ModelFormatError(
            f"{name}: {len(missing)} parameters that operators read are missing: {shown}"
        )


def read_nb(model: str | os.PathLike[str] | Buffer) -> Program:
    """A Program with its parameters from a `.nb` file, or from its bytes.

    Parameters are views of the file's bytes where these are aligned, and cannot be written. The
    release text and bytes after the last parameter are ignored, as real Paddle Lite does; blocks
    whose numbers are not their positions are numbered anew. Raises ModelFormatError naming file and
    offset, FileNotFoundError and the like for a path.
    """
    source: Source
    if isinstance(model, (bytes, bytearray, memoryview)):
        data = as_bytes(model, ".nb bytes")
        source = BufferSource(data, ".nb bytes")
        version, op_versions, blocks, params = _core.read_nb_bytes(data, source.name)
    else:
        path = os.fspath(model)
        if not isinstance(path, str):
            raise TypeError(f"expected a path as str, got {type(path).__name__}")
        source = FileSource(path, ".nb file")
        version, op_versions, blocks, params = _core.read_nb_file(os.fsencode(path))
    program = Program(_make_blocks(blocks, source.name), version, op_versions)
    for name, (array, offset) in params.items():
        program.params[name] = array
        program.sources[name] = ParamRecord(source, offset, DATA_TYPES[array.dtype], array.shape)
    _settle_numbers(program)
    _check_present(program, source.name)
    return program
