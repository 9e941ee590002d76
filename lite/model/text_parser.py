"""Operators and programs from text; the syntax stands in ``lite.model.text``."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from lite.errors import ModelFormatError
from lite.model.program import (
    ITEM_TYPES,
    Attr,
    AttrType,
    BlockDesc,
    DataType,
    OpDesc,
    Program,
    VarDesc,
    VarType,
)
from lite.model.text_printer import ATTR_WORDS, KEY, NAME, array_dtype

_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_NUMBER = re.compile(r"[A-Za-z0-9_.+\-]+")
_DIGITS = re.compile(r"-?[0-9]+")
_SPACE = re.compile(r"(?:[ \t\r]|#[^\n]*)*")
_SPACE_OR_LINE = re.compile(r"(?:\s|#[^\n]*)*")

_ATTR_TYPES = {word: type for type, word in ATTR_WORDS.items()}
_DTYPES = {type.name.lower(): type for type in DataType}
_VAR_TYPES = {type.name.lower(): type for type in VarType}


class _Cursor:
    """A position in the text; newlines count as space only inside brackets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.depth = 0

    def fail(self, expected: str, pos: int | None = None) -> NoReturn:
        pos = self.pos if pos is None else pos
        line = self.text.count("\n", 0, pos) + 1
        column = pos - self.text.rfind("\n", 0, pos)
        rest = self.text[pos : pos + 24].split("\n", 1)[0]
        found = (
            repr(rest) if rest else ("the end of the line" if pos < len(self.text) else "the end")
        )
        raise ModelFormatError(
            f"program text, line {line}, column {column}: expected {expected}, found {found}"
        )

    def skip(self) -> None:
        match = (_SPACE_OR_LINE if self.depth else _SPACE).match(self.text, self.pos)
        assert match
        self.pos = match.end()

    def skip_lines(self) -> None:
        match = _SPACE_OR_LINE.match(self.text, self.pos)
        assert match
        self.pos = match.end()

    def at(self, symbol: str) -> bool:
        self.skip()
        return self.text.startswith(symbol, self.pos)

    def take(self, symbol: str) -> bool:
        if not self.at(symbol):
            return False
        self.pos += len(symbol)
        return True

    def expect(self, symbol: str, why: str = "") -> None:
        if not self.take(symbol):
            self.fail(f"{symbol!r}{why}")

    def open(self, symbol: str, why: str = "") -> None:
        self.expect(symbol, why)
        self.depth += 1

    def close(self, symbol: str) -> None:
        self.expect(symbol, " or ','")
        self.depth -= 1

    def end_statement(self) -> None:
        self.skip()
        if self.pos < len(self.text) and self.text[self.pos] not in "\n}":
            self.fail("the end of the line")

    def word(self, pattern: re.Pattern[str], what: str) -> str:
        self.skip()
        if self.text.startswith('"', self.pos):
            return self.quoted()
        match = pattern.match(self.text, self.pos)
        if match is None:
            self.fail(what)
        self.pos = match.end()
        found: str = match.group()
        return found

    def key(self, what: str) -> str:
        return self.word(KEY, what)

    def name(self) -> str:
        return self.word(NAME, "a variable's name")

    def quoted(self) -> str:
        self.skip()
        match = _QUOTED.match(self.text, self.pos)
        if match is None:
            self.fail("a string in double quotes")
        try:
            value = json.loads(match.group(), strict=False)
            value.encode("utf-8", "surrogateescape")  # half of a pair is no text
        except ValueError:
            self.fail("a string in double quotes with JSON escapes")
        self.pos = match.end()
        assert isinstance(value, str)
        return value

    def number(self, what: str) -> str:
        self.skip()
        match = _NUMBER.match(self.text, self.pos)
        if match is None:
            self.fail(what)
        self.pos = match.end()
        return match.group()

    def integer(self, bits: int = 64) -> int:
        self.skip()
        start = self.pos
        token = self.number(f"an integer of {bits} bits")
        if _DIGITS.fullmatch(token) and len(token) < 24:
            value = int(token)
            if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
                return value
        self.fail(f"an integer of {bits} bits", start)

    def floating(self, double: bool) -> float:
        self.skip()
        start = self.pos
        try:
            value = float(self.number("a number"))
            return value if double else float(struct.unpack("<f", struct.pack("<f", value))[0])
        except (ValueError, OverflowError):
            self.fail("a number" if double else "a number in the range of float32", start)

    def boolean(self) -> bool:
        if self.take("true"):
            return True
        self.expect("false", " or 'true'")
        return False

    def scalar(self) -> bool | int | float | complex:
        self.skip()
        start = self.pos
        if self.at("true") or self.at("false"):
            return self.boolean()
        token = self.number("a scalar")
        try:
            if _DIGITS.fullmatch(token):
                self.pos = start
                return self.integer()
            return complex(token) if token.endswith("j") else float(token)
        except ValueError:
            self.fail("a scalar", start)


_PARSERS: dict[AttrType, Callable[[_Cursor], Any]] = {
    AttrType.INT: lambda cursor: cursor.integer(32),
    AttrType.FLOAT: lambda cursor: cursor.floating(double=False),
    AttrType.STRING: _Cursor.quoted,
    AttrType.BOOLEAN: _Cursor.boolean,
    AttrType.BLOCK: lambda cursor: cursor.integer(32),
    AttrType.LONG: _Cursor.integer,
    AttrType.VAR: _Cursor.name,
    AttrType.FLOAT64: lambda cursor: cursor.floating(double=True),
    AttrType.SCALAR: _Cursor.scalar,
}


def _items(cursor: _Cursor, closing: str, item: Callable[[], None]) -> None:
    """Comma-separated items up to the closing bracket, whose opening one has been read."""
    if not cursor.at(closing):
        item()
        while cursor.take(","):
            item()
    cursor.close(closing)


def _list(cursor: _Cursor, parse: Callable[[_Cursor], Any]) -> list[Any]:
    values: list[Any] = []
    cursor.open("[")
    _items(cursor, "]", lambda: values.append(parse(cursor)))
    return values


def _parse_slot(cursor: _Cursor, slots: dict[str, list[str]], slot: str, start: int) -> None:
    if slot in slots:
        cursor.fail(f"a slot other than {slot!r}, which stands there already", start)
    cursor.expect(":", " after the slot's name")
    slots[slot] = _list(cursor, _Cursor.name)


def _parse_attr(cursor: _Cursor, attrs: dict[str, Attr]) -> None:
    cursor.skip()
    start = cursor.pos
    name = cursor.key("an attribute's name")
    if name in attrs:
        cursor.fail(f"an attribute other than {name!r}, which stands there already", start)
    cursor.expect(":", " after the attribute's name")
    cursor.skip()
    start = cursor.pos
    type = _ATTR_TYPES.get(cursor.key("an attribute's type word"))
    if type is None:
        cursor.fail(f"one of {', '.join(_ATTR_TYPES)}", start)
    item = ITEM_TYPES.get(type)
    value = _PARSERS[type](cursor) if item is None else _list(cursor, _PARSERS[item])
    attrs[name] = Attr(type, value)


def _parse_operator(cursor: _Cursor) -> OpDesc:
    op = OpDesc("")
    cursor.skip()
    start = cursor.pos
    word = cursor.key("an operator")
    if word == "target" and not cursor.at(":") and not cursor.at("("):
        op.is_target = True
        cursor.skip()
        start = cursor.pos
        word = cursor.key("an operator")
    if cursor.at(":"):
        _parse_slot(cursor, op.outputs, word, start)
        while cursor.take(","):
            cursor.skip()
            start = cursor.pos
            _parse_slot(cursor, op.outputs, cursor.key("an output slot"), start)
        cursor.expect("=", " after the outputs")
        word = cursor.key("an operator's type")
    op.type = word
    cursor.open("(", " after the operator's type")

    def input_slot() -> None:
        cursor.skip()
        start = cursor.pos
        _parse_slot(cursor, op.inputs, cursor.key("an input slot"), start)

    _items(cursor, ")", input_slot)
    if cursor.take("{"):
        cursor.depth += 1
        _items(cursor, "}", lambda: _parse_attr(cursor, op.attrs))
    cursor.end_statement()
    return op


def parse_op(line: str) -> OpDesc:
    """One operator from its text.

    Raises ModelFormatError with line and column where the text is not one operator.
    """
    cursor = _Cursor(line)
    cursor.skip_lines()
    op = _parse_operator(cursor)
    cursor.skip_lines()
    if cursor.pos < len(line):
        cursor.fail("the end after one operator")
    return op


def _parse_tensor(cursor: _Cursor) -> tuple[DataType | None, tuple[int, ...]]:
    cursor.skip()
    start = cursor.pos
    word = cursor.key("an element type")
    if word != "none" and word not in _DTYPES:
        cursor.fail(f"one of none, {', '.join(_DTYPES)}", start)
    return _DTYPES.get(word), tuple(_list(cursor, _Cursor.integer))


def _parse_var(cursor: _Cursor) -> VarDesc:
    var = VarDesc(cursor.key("a variable's name"), dtype=None)
    cursor.expect(":", " after the variable's name")
    cursor.skip()
    start = cursor.pos
    type = _VAR_TYPES.get(cursor.key("a variable's type"))
    if type is None:
        cursor.fail(f"one of {', '.join(_VAR_TYPES)}", start)
    var.type = type
    flags = ("lod", "persistable", "feed_check")
    cursor.skip()
    match = KEY.match(cursor.text, cursor.pos)
    if match and match.group() not in flags:
        var.dtype, var.shape = _parse_tensor(cursor)
    if cursor.take("lod"):
        var.lod_level = cursor.integer(32)
    var.persistable = cursor.take("persistable")
    var.need_check_feed = cursor.take("feed_check")
    cursor.end_statement()
    return var


def _parse_block(cursor: _Cursor) -> BlockDesc:
    block = BlockDesc(cursor.integer(32))
    cursor.expect("parent")
    block.parent_idx = cursor.integer(32)
    if cursor.take("forward"):
        block.forward_block_idx = cursor.integer(32)
    cursor.expect("{")
    while True:
        cursor.skip_lines()
        if cursor.take("}"):
            break
        start = cursor.pos
        word = cursor.key("a variable, an operator or '}'")
        if word == "var" and not cursor.at(":") and not cursor.at("("):
            var = _parse_var(cursor)
            if var.name in block.vars:
                cursor.fail(f"a variable other than {var.name!r}, declared already", start)
            block.vars[var.name] = var
            continue
        cursor.pos = start
        block.ops.append(_parse_operator(cursor))
    cursor.end_statement()
    return block


def _check_param(cursor: _Cursor, params: Mapping[str, np.ndarray]) -> None:
    start = cursor.pos
    name = cursor.key("a parameter's name")
    cursor.expect(":", " after the parameter's name")
    cursor.skip()
    start = cursor.pos
    word = cursor.key("an element type")
    shape = tuple(_list(cursor, _Cursor.integer))
    cursor.end_statement()
    if name in params:
        array = params[name]
        if (array_dtype(array), array.shape) != (word, shape):
            given = f"{array_dtype(array)}{list(array.shape)}"
            cursor.fail(f"the given parameter {name!r}, which is {given}", start)


def parse_program(text: str, params: Mapping[str, np.ndarray] | None = None) -> Program:
    """A Program from its text; ``params`` become its parameters (without them it has none).

    Raises ModelFormatError with line and column, also where a given parameter's dtype or shape
    is not the one in the text.
    """
    cursor = _Cursor(text)
    program = Program(blocks=[], params=dict(params or {}))
    cursor.skip_lines()
    cursor.expect("program", " at the start")
    if cursor.take("version"):
        program.version = cursor.integer()
    cursor.end_statement()
    while True:
        cursor.skip_lines()
        if cursor.pos >= len(text):
            break
        start = cursor.pos
        word = cursor.key("op_version, block or param")
        if word == "op_version":
            op = cursor.key("an operator's type")
            cursor.expect(":", " after the operator's type")
            program.op_versions[op] = cursor.integer(32)
            cursor.end_statement()
        elif word == "block":
            program.blocks.append(_parse_block(cursor))
        elif word == "param":
            _check_param(cursor, program.params)
        else:
            cursor.fail("op_version, block or param", start)
    if not program.blocks:
        cursor.fail("at least one block")
    return program
