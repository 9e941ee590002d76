"""The table of ONNX's operators (`operators.txt`): versions, inputs, attributes, meanings.

A row: ``Name@domain:first-last inputs ; attributes => meaning``. Without versions it holds for all
that are read. An input is ``X``, ``X?`` (may be absent) or ``X*`` (the rest, a list); an attribute
``name=default``, ``name?`` (None where it is absent) or ``name``, which must be there. The meaning
is a statement (lite/model/statement.py) or ``@function`` of the folder `operators`; ``<=>`` says
that the exporter writes the statement's operator as this one. Lines below a row, indented, are
further statements, or ``when TEST: REASON``, what must hold and what users read where it does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

NEWEST = 28
"""The last operator set of the default domain that is read."""

REQUIRED: Any = object()
"""The default of an attribute that has none."""


@dataclass(frozen=True)
class Input:
    """One input."""

    name: str
    optional: bool
    repeated: bool


@dataclass(frozen=True)
class Row:
    """One operator in some versions of its domain."""

    name: str
    domain: str
    first: int
    last: int
    inputs: tuple[Input, ...]
    attributes: dict[str, Any]
    statements: tuple[str, ...]
    adapter: str
    inverse: bool
    conditions: tuple[tuple[str, str], ...]


_HEAD = re.compile(r"(\w+)(?:@([\w.]+))?(?::(\d+)(?:-(\d*))?)?")


def _row(line: str, more: list[str]) -> Row:
    left, arrow, right = re.split(r" (<?=>) ?", line, maxsplit=1)
    head, _, attributes = left.partition(" ; ")
    name, *inputs = head.split()
    found = _HEAD.fullmatch(name)
    assert found is not None, line
    type, domain, first, last = found.groups()
    conditions = [
        text.removeprefix("when ").partition(": ") for text in more if text[:5] == "when "
    ]
    statements = [text for text in (right, *more) if text and text[:5] != "when "]
    adapter = statements[0][1:] if statements[0].startswith("@") else ""
    return Row(
        type,
        domain or "",
        int(first or 1),
        int(last) if last else int(first) if first and "-" not in name else NEWEST,
        tuple(Input(text.rstrip("?*"), "?" in text, "*" in text) for text in inputs),
        dict(map(_attribute, attributes.split())),
        () if adapter else tuple(statements),
        adapter,
        arrow == "<=>",
        tuple((test, reason) for test, _, reason in conditions),
    )


def _attribute(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if equals:
        return name, json.loads(value)
    return (name[:-1], None) if name.endswith("?") else (name, REQUIRED)


def _blocks() -> Iterator[tuple[str, list[str]]]:
    head, more = "", []
    for line in (files(__package__) / "operators.txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            more.append(line.strip())
        elif line and not line.startswith("#"):
            if head:
                yield head, more
            head, more = line, []
    if head:
        yield head, more


@cache
def rows() -> dict[tuple[str, str], list[Row]]:
    """The rows by domain and name."""
    found: dict[tuple[str, str], list[Row]] = {}
    for head, more in _blocks():
        row = _row(head, more)
        found.setdefault((row.domain, row.name), []).append(row)
    return found


def find(domain: str, name: str, version: int) -> Row | None:
    """The row of an operator in a version of its domain."""
    same = rows().get((domain, name), [])
    return next((row for row in same if row.first <= version <= row.last), None)


@cache
def inverses() -> dict[str, Row]:
    """The rows that say how an operator of ours is written, by its type."""
    from lite.model.statement import parse

    return {
        parse(row.statements[0]).type: row
        for same in rows().values()
        for row in same
        if row.inverse
    }
