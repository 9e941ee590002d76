"""What each PIR operator is here: one line of `operators.txt`, parsed when it is asked for.

    name operands -> type results ; attributes

``type`` is the operator of the Program; ``=`` where it has the PIR name. An operand or result is
``name:Slot``; after the name ``?`` says that it may be absent, ``*`` that it is a list, ``@`` that
it is a tensor array; without a slot it has no counterpart. An operand
``name%ints>attr:type|Slot`` or ``name%num>...`` becomes the attribute when it is known, otherwise
it goes into the first slot that can hold it (``*``: a list of one-element tensors); ``=value`` is
its default. An attribute is
``name:type>attr.type=default``, where ``>attr`` and ``.type`` are left out when they are the same;
``-`` after the type: has no meaning here; ``!``: only the default can be expressed.
``+attr:type=value`` is what the Program's operator has besides.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from lite.model.program import AttrType

ATTR_TYPES: dict[str, AttrType] = {
    "i32": AttrType.INT,
    "i64": AttrType.LONG,
    "f32": AttrType.FLOAT,
    "f64": AttrType.FLOAT64,
    "bool": AttrType.BOOLEAN,
    "str": AttrType.STRING,
    "dtype": AttrType.INT,
    "scalar": AttrType.FLOAT64,
    "intarray": AttrType.LONGS,
    "i32[]": AttrType.INTS,
    "i64[]": AttrType.LONGS,
    "f32[]": AttrType.FLOATS,
    "f64[]": AttrType.FLOAT64S,
    "bool[]": AttrType.BOOLEANS,
    "str[]": AttrType.STRINGS,
    "scalar[]": AttrType.FLOAT64S,
}
"""The Program's attribute type of each type that the table names."""

MISSING: Any = object()
"""The default of what has none."""


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand: a slot, or with ``kind`` an attribute that may also be computed."""

    name: str
    slot: str | None = None
    optional: bool = False
    repeated: bool = False
    kind: str = ""  # "", "ints" or "num"
    attribute: str | None = None
    type: AttrType | None = None
    slots: tuple[tuple[str, bool], ...] = ()  # name, whether it takes a list
    default: Any = MISSING


@dataclass(frozen=True, slots=True)
class Result:
    """One result and the slot that it comes from."""

    name: str
    slot: str | None
    optional: bool
    repeated: bool
    array: bool


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its type in PIR, and name and type in the Program."""

    name: str
    kind: str
    attribute: str
    type: AttrType
    policy: str = ""  # "-" ignored, "!" only the default, "+" always there with `default`
    default: Any = MISSING


@dataclass(frozen=True, slots=True)
class Declaration:
    """How a PIR operator reads as an operator of the Program."""

    name: str
    type: str
    operands: tuple[Operand, ...]
    results: tuple[Result, ...]
    attributes: tuple[Attribute, ...]


_NAME = re.compile(r"(\w+)([?*@]*)(?::(\w+))?")
_VALUE = re.compile(r"(\w+)%(ints|num)(?:>(\w*):([\w\[\]]+))?((?:\|\w+\*?)*)(?:=(.*))?")
_ATTRIBUTE = re.compile(r"(\+?\w+):([\w\[\]]+)(?:>(\w+))?(?:\.([\w\[\]]+))?([-!]?)(?:=(.*))?")


def _match(pattern: re.Pattern[str], word: str) -> re.Match[str]:
    found = pattern.fullmatch(word)
    if found is None:
        raise ValueError(f"operators.txt: {word!r} is not understood")
    return found


def _operand(word: str) -> Operand:
    if "%" not in word:
        name, marks, slot = _match(_NAME, word).groups()
        return Operand(name, slot, "?" in marks, "*" in marks)
    name, kind, attribute, type, slots, default = _match(_VALUE, word).groups()
    return Operand(
        name,
        kind=kind,
        attribute=None if type is None else attribute or name,
        type=None if type is None else ATTR_TYPES[type],
        slots=tuple((slot.rstrip("*"), "*" in slot) for slot in slots.split("|")[1:]),
        default=MISSING if default is None else json.loads(default),
    )


def _result(word: str) -> Result:
    name, marks, slot = _match(_NAME, word).groups()
    return Result(name, slot, "?" in marks, "*" in marks, "@" in marks)


def _attribute(word: str) -> Attribute:
    name, kind, attribute, type, policy, default = _match(_ATTRIBUTE, word).groups()
    if name.startswith("+"):
        name, policy = name[1:], "+"
    return Attribute(
        name,
        kind,
        attribute or name,
        ATTR_TYPES[type or kind],
        policy,
        MISSING if default is None else json.loads(default),
    )


@cache
def _lines() -> dict[str, str]:
    text = (files(__package__) / "operators.txt").read_text("utf-8")
    return {line.partition(" ")[0]: line for line in text.splitlines()}


def names() -> list[str]:
    """Every PIR operator of the table, in its order."""
    return list(_lines())


@cache
def declaration(name: str) -> Declaration | None:
    """The declaration of `pd_op.NAME`, with or without the underscore of the in-place form."""
    line = _lines().get(name)
    if line is None:
        return declaration(name[:-1]) if name.endswith("_") else None
    left, _, right = line.partition("->")
    results, _, attributes = right.partition(" ; ")
    type, *outputs = results.split()
    return Declaration(
        name,
        name if type == "=" else type,
        tuple(map(_operand, left.split()[1:])),
        tuple(map(_result, outputs)),
        tuple(map(_attribute, attributes.split())),
    )
