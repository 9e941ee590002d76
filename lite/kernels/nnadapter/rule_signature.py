"""What a rule is made of, and the signature that declares its slots and attributes."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from .rule_node import Node, constant

ATTRIBUTE_TYPES = {
    "bool": "bool",
    "int": "int",
    "long": "long",
    "float": "float",
    "str": "string",
    "bool[]": "bools",
    "int[]": "ints",
    "long[]": "longs",
    "float[]": "floats",
    "str[]": "strings",
}
ELEMENT_TYPES = (
    "bool int8 uint8 int16 int32 int64 float16 float32 float64 quant_int8 quant_int8_per_channel "
    "quant_int32"
).split()


@dataclass
class Slot:
    name: str
    optional: bool
    repeated: bool


@dataclass
class Attr:
    name: str
    type: str
    default: Any
    required: bool


@dataclass
class Rule:
    """One operator. `node` is what C++ takes."""

    op: str
    section: str
    signature: str
    line: int
    inputs: list[Slot] = field(default_factory=list)
    outputs: list[Slot] = field(default_factory=list)
    attrs: list[Attr] = field(default_factory=list)
    operations: list[str] = field(default_factory=list)
    op_version: tuple[int, int] = (0, -1)
    driver_version: tuple[int, int] = (1, -1)
    broadcast: str = ""
    let: list[tuple[str, str]] = field(default_factory=list)
    unsupported: list[tuple[str, str]] = field(default_factory=list)
    emit: list[str] = field(default_factory=list)
    converter: str = ""
    note: str = ""
    node: Node = Node("rule")  # noqa: RUF009 (frozen)


_NAME = r"[A-Za-z_@][\w@]*"
SIGNATURE = re.compile(rf"({_NAME})\((.*)\)\s*->\s*(.+)", re.DOTALL)
_TENSOR = re.compile(rf"Tensor(\[\])?(\?)?\s+({_NAME})")
_ATTRIBUTE = re.compile(rf"(\w+(?:\[\])?)\s+({_NAME})\s*(?:=\s*(.+))?", re.DOTALL)


def split_arguments(text: str) -> list[str]:
    """At the commas outside of brackets and quotes."""
    parts, depth, quoted, current = [], 0, "", ""
    for char in text:
        if quoted:
            quoted = "" if char == quoted else quoted
        elif char in "\"'":
            quoted = char
        elif char in "[(":
            depth += 1
        elif char in ")]":
            depth -= 1
        if char == "," and depth == 0 and not quoted:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current] if part.strip()]


def parse_tensor(text: str) -> Slot:
    match = _TENSOR.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no tensor; write Tensor, Tensor?, Tensor[] or Tensor[]? X")
    return Slot(match[3], optional=bool(match[2]), repeated=bool(match[1]))


def parse_attribute(text: str) -> Attr:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None or match[1] not in ATTRIBUTE_TYPES:
        raise ValueError(
            f"'{text}' is no attribute; write a type ({', '.join(ATTRIBUTE_TYPES)}), its name and "
            "its default"
        )
    default: Any = None
    if match[3] is not None:
        try:
            default = ast.literal_eval(match[3])
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(f"the default of {match[2]} is no constant: {match[3]}") from error
        check_default(match[2], match[1], default)
    return Attr(match[2], match[1], default, match[3] is None)


def check_default(name: str, kind: str, value: Any) -> None:
    items = value if kind.endswith("[]") else [value]
    scalar = kind.removesuffix("[]")
    types: dict[str, tuple[type, ...]] = {
        "bool": (bool,),
        "int": (int,),
        "long": (int,),
        "float": (int, float),
        "str": (str,),
    }
    if not isinstance(items, list) or not all(
        isinstance(i, types[scalar]) and (scalar == "bool" or not isinstance(i, bool))
        for i in items
    ):
        raise ValueError(f"the default of {name} is {value!r}, expected {kind}")
    constant(value)  # raises where it fits no node
