"""What the framework declares of its operators: slots, attributes, types, defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lite.model.program import Attr, AttrType

_TYPES = {
    "int": AttrType.INT,
    "long": AttrType.LONG,
    "float": AttrType.FLOAT,
    "float64": AttrType.FLOAT64,
    "bool": AttrType.BOOLEAN,
    "string": AttrType.STRING,
    "ints": AttrType.INTS,
    "longs": AttrType.LONGS,
    "floats": AttrType.FLOATS,
    "float64s": AttrType.FLOAT64S,
    "strings": AttrType.STRINGS,
}
_LISTS: dict[AttrType, type] = {
    AttrType.INTS: int,
    AttrType.LONGS: int,
    AttrType.FLOATS: float,
    AttrType.FLOAT64S: float,
    AttrType.STRINGS: str,
}
_NUMBERS: dict[AttrType, type] = {
    AttrType.INT: int,
    AttrType.LONG: int,
    AttrType.FLOAT: float,
    AttrType.FLOAT64: float,
    AttrType.BOOLEAN: bool,
    AttrType.STRING: str,
}


@dataclass(frozen=True)
class Declared:
    """One operator: its slots, those of the outputs that it always has, and its attributes.

    ``pure``: its results follow from inputs that are tensors and from attributes. ``elementwise``:
    1 for an elementwise operator of X, 2 for one of X and Y that broadcast, 0 for others.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    required: tuple[str, ...]
    attrs: Mapping[str, AttrType]
    defaults: Mapping[str, Any]
    pure: bool
    elementwise: int

    def attr(self, name: str, value: Any) -> Attr:
        """A Python value as an attribute; KeyError where the operator has none of the name."""
        type = self.attrs[name]
        if type in _LISTS:
            return Attr(type, [_LISTS[type](item) for item in value])
        return Attr(type, _NUMBERS[type](value))


@cache
def _rows() -> dict[str, Declared]:
    from lite import _core

    return {
        row["type"]: Declared(
            tuple(name for name, *_ in row["inputs"]),
            tuple(name for name, *_ in row["outputs"]),
            tuple(name for name, optional, _ in row["outputs"] if not optional),
            {name: _TYPES[kind] for name, kind, *_ in row["attrs"]},
            {name: default for name, _, default, *_ in row["attrs"]},
            row["pure"],
            row["elementwise"],
        )
        for row in _core.operator_table()
    }


def declared(type: str) -> Declared | None:
    """The declaration of a built-in operator, None where there is none."""
    return _rows().get(type)
