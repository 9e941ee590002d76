"""The tree that a rule is compiled into, and the rows in which C++ takes it: at build time as a
static table (generate.py), at run time by `_core.nnadapter_add_rules`."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Kind(NamedTuple):
    """How many children it has, and whether it has a text instead of a number."""

    fewest: int
    most: int
    text: bool


def _number(fewest: int, most: int) -> Kind:
    return Kind(fewest, most, False)


def _text(fewest: int, most: int) -> Kind:
    return Kind(fewest, most, True)


MANY = 255  # what C++ counts
# The build makes NodeKind of it: floor_divide is kFloorDivide.
KINDS: dict[str, Kind] = {
    # Expressions.
    "none": _number(0, 0),
    "bool": _number(0, 0),
    "int": _number(0, 0),  # of 32 bits
    "long": _text(0, 0),  # text: the decimals of a larger one
    "float": _text(0, 0),  # text: the bits of a double, read as an integer, in decimals
    "text": _text(0, 0),
    "variable": _text(0, 0),
    "list": _number(0, MANY),
    "join": _number(0, 100),  # the texts of its children
    "if": _number(3, 3),
    "and": _number(1, 100),
    "or": _number(1, 100),
    "not": _number(1, 1),
    "negate": _number(1, 1),
    "add": _number(2, 2),
    "subtract": _number(2, 2),
    "multiply": _number(2, 2),
    "divide": _number(2, 2),
    "floor_divide": _number(2, 2),
    "modulo": _number(2, 2),
    "equal": _number(2, 2),
    "not_equal": _number(2, 2),
    "less": _number(2, 2),
    "less_equal": _number(2, 2),
    "greater": _number(2, 2),
    "greater_equal": _number(2, 2),
    "in": _number(2, 2),
    "not_in": _number(2, 2),
    "index": _number(2, 2),
    "slice": _number(3, 3),
    "each": _text(2, 3),  # text: the name; list, body, condition
    "call": _number(0, MANY),  # of the function that its text names; C++ has its place in FUNCTIONS
    "operation": _number(0, MANY),  # number: its code
    "spread": _number(1, 1),
    # Parts of a rule.
    "rule": _text(1, MANY),  # text: the operator
    "input": _text(0, 4),  # text: the slot; "optional", "repeated", "scalar", its channel axis
    "output": _text(0, 4),
    "attribute": _text(1, 2),  # text: the name; its type, its default
    "op_version": _number(2, 2),
    "driver_version": _number(2, 2),
    "let": _text(1, 1),  # text: the name
    "unsupported": _number(2, 2),  # when, reason
    "set": _number(2, MANY),  # targets, and what they become
    "target": _text(1, 1),  # text: the name; whether it is all variables of a repeated slot
    "converter": _text(0, 0),  # text: the name
}

# kind, text, number, children
Row = tuple[int, str, int, int]


@dataclass(frozen=True)
class Node:
    kind: str
    text: str = ""
    number: int = 0
    children: tuple[Node, ...] = ()

    def __iter__(self) -> Iterator[Node]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child

    def rows(self) -> list[Row]:
        """The tree, parents first."""
        kinds = list(KINDS)
        return [(kinds.index(n.kind), n.text, n.number, len(n.children)) for n in self]


def constant(value: object) -> Node:
    """Raises ValueError for what no expression can hold."""
    if value is None:
        return Node("none")
    if isinstance(value, bool):
        return Node("bool", number=int(value))
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"{value} does not fit 64 bits")
        return Node("int", number=value) if -(2**31) <= value < 2**31 else Node("long", str(value))
    if isinstance(value, float):
        return Node("float", str(struct.unpack("<q", struct.pack("<d", value))[0]))
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"{value!r} is no text: {error.reason}") from error
        return Node("text", value)
    if isinstance(value, list):
        return Node("list", children=tuple(constant(item) for item in value))
    raise ValueError(f"{value!r} is not allowed in an expression")
