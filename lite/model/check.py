"""What must hold for every Program before anybody works on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lite.errors import ModelFormatError
from lite.model.program import ITEM_TYPES, Attr, AttrType, OpDesc, Program, VarType

MAX_BLOCK_DEPTH = 64
"""Blocks nested deeper than this are refused: readers and runtimes recurse over them."""

EMPTY_NAMES = frozenset({"", "@EMPTY@"})
"""Names that stand for no variable."""


def _is_int(value: Any, bits: int) -> bool:
    return type(value) is int and -(1 << (bits - 1)) <= value < 1 << (bits - 1)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (bool, float, complex)) or _is_int(value, 64)


_CHECKS: dict[AttrType, Callable[[Any], bool]] = {
    AttrType.INT: lambda value: _is_int(value, 32),
    AttrType.FLOAT: lambda value: isinstance(value, float),
    AttrType.STRING: lambda value: isinstance(value, str),
    AttrType.BOOLEAN: lambda value: isinstance(value, bool),
    AttrType.BLOCK: lambda value: _is_int(value, 32),
    AttrType.LONG: lambda value: _is_int(value, 64),
    AttrType.VAR: lambda value: isinstance(value, str),
    AttrType.FLOAT64: lambda value: isinstance(value, float),
    AttrType.SCALAR: _is_scalar,
}


def _is_sane(attr: Attr) -> bool:
    check = _CHECKS.get(attr.type)
    if check is not None:
        return check(attr.value)
    return isinstance(attr.value, list) and all(map(_CHECKS[ITEM_TYPES[attr.type]], attr.value))


def _operators(program: Program) -> Iterator[tuple[str, int, OpDesc]]:
    for index, block in enumerate(program.blocks):
        for position, op in enumerate(block.ops):
            yield f"block {index}, operator {position} ({op.type})", index, op


def _check_names(where: str, names: Iterable[str]) -> None:
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise ModelFormatError(f"{where}: the name {name!r} is not UTF-8") from None


def _check_attrs(program: Program) -> None:
    for where, _, op in _operators(program):
        for name, attr in op.attrs.items():
            if not _is_sane(attr):
                raise ModelFormatError(
                    f"{where}: attribute {name!r} of type {attr.type.name} has the value "
                    f"{str(attr.value)[:80]!r}"
                )


def sub_blocks(op: OpDesc) -> list[int]:
    """The positions of the blocks that an operator runs; `.nb` files hold them as INT."""
    found: list[int] = []
    for name, attr in op.attrs.items():
        if attr.type is AttrType.BLOCK or (name == "sub_block" and attr.type is AttrType.INT):
            found.append(attr.value)
        elif attr.type is AttrType.BLOCKS:
            found += attr.value
    return found


def _check_blocks(program: Program) -> None:
    count = len(program.blocks)
    if not count:
        raise ModelFormatError("the program has no block")
    owners: dict[int, tuple[int, str]] = {}
    for where, index, op in _operators(program):
        for child in sub_blocks(op):
            if not 0 < child < count:
                raise ModelFormatError(f"{where}: block {child} is not one of 1 to {count - 1}")
            if child in owners:
                raise ModelFormatError(
                    f"{where}: block {child} belongs to {owners[child][1]} already"
                )
            owners[child] = index, where
    for child, (_, where) in owners.items():
        above, depth = child, 1
        while above in owners and depth <= MAX_BLOCK_DEPTH:
            above = owners[above][0]
            depth += 1
            if above == child:
                raise ModelFormatError(f"{where}: block {child} contains itself")
        if depth > MAX_BLOCK_DEPTH:
            raise ModelFormatError(
                f"{where}: blocks are nested deeper than {MAX_BLOCK_DEPTH}, or contain themselves"
            )


def _check_cols(program: Program, type: str, names: Callable[[OpDesc], list[str]]) -> None:
    cols: dict[int, str] = {}
    for position, op in enumerate(program.root.ops):
        if op.type != type:
            continue
        where = f"block 0, operator {position} ({type})"
        if len(names(op)) != 1 or names(op)[0] in EMPTY_NAMES:
            raise ModelFormatError(f"{where}: expected one variable, found {names(op)}")
        col = op.attr("col", 0)
        if not _is_int(col, 32) or col < 0:
            raise ModelFormatError(f"{where}: the attribute col is {col!r}, expected 0 or more")
        if col in cols:
            raise ModelFormatError(
                f"{where}: col {col} is taken by the {type} of {cols[col]!r} already"
            )
        cols[col] = names(op)[0]
    if type == "feed" and len(set(cols.values())) != len(cols):
        raise ModelFormatError(f"two feed operators write one variable: {sorted(cols.values())}")


def _check_inputs(program: Program) -> None:
    known = set(program.params) | EMPTY_NAMES
    for _, _, op in _operators(program):
        known.update(op.output_names())
    for block in program.blocks:
        # Arrays, step scopes and the like begin empty, without an operator that makes them.
        known.update(v.name for v in block.vars.values() if v.type is not VarType.LOD_TENSOR)
    for where, _, op in _operators(program):
        if op.type == "feed":
            continue
        for slot, names in op.inputs.items():
            for name in names:
                if name not in known:
                    raise ModelFormatError(
                        f"{where}: input {slot} reads {name!r}, which no operator writes and which "
                        f"is neither a parameter nor an input of the model"
                    )


def check_program(program: Program) -> None:
    """Raises ModelFormatError where the program cannot be run whatever its operators mean.

    Checked are names, attribute values, sub-blocks (in range, one owner each, acyclic, not deeper
    than ``MAX_BLOCK_DEPTH``), the columns of feed and fetch, and that every input of every
    operator has an origin: a parameter, a feed, or an operator anywhere in the program.
    """
    for index, block in enumerate(program.blocks):
        _check_names(f"block {index}", block.vars)
    for where, _, op in _operators(program):
        _check_names(where, (op.type, *op.inputs, *op.outputs, *op.attrs))
        _check_names(where, op.input_names())
        _check_names(where, op.output_names())
    _check_attrs(program)
    _check_blocks(program)
    _check_cols(program, "feed", lambda op: op.outputs.get("Out", []))
    _check_cols(program, "fetch", lambda op: op.inputs.get("X", []))
    _check_inputs(program)
