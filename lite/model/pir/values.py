"""What the ids of a PIR file stand for while it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.errors import ModelFormatError
from lite.model.pir.document import TensorType, Type
from lite.model.program import Attr, AttrType, DataType, OpDesc


def float32(number: float) -> float:
    """The nearest float32, as Python's float; infinite where it is too large."""
    with np.errstate(over="ignore"):
        return float(np.float32(number))


@dataclass(slots=True, eq=False)
class Value:
    """A value of the file: a variable of the Program, a list of values, or nothing.

    ``numbers`` are a constant's elements, so that a consumer can take them as an attribute;
    ``used`` says that somebody needs it as a variable, too.
    """

    type: Type = None
    name: str | None = None
    numbers: list[Any] | None = None
    items: list[Value] | None = None
    used: bool = False
    why_absent: str = "the value is absent"

    @property
    def absent(self) -> bool:
        """Whether it is an optional operand or result that is not there."""
        return self.name is None and self.items is None

    def variable(self) -> str:
        """The variable that holds it. Raises ModelFormatError where there is none."""
        if self.name is None:
            raise ModelFormatError(
                "a list stands where one value is expected" if self.items else self.why_absent
            )
        self.used = True
        return self.name

    def variables(self) -> list[str]:
        """The variables of a list, or the one variable."""
        if self.items is None:
            return [self.variable()]
        return [item.variable() for item in self.items]

    def tensor(self) -> TensorType:
        """The type of one tensor. Raises ModelFormatError."""
        if not isinstance(self.type, TensorType):
            raise ModelFormatError("expected a tensor")
        return self.type


def _integer(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) in (int, bool):
        return int(value)
    raise ValueError


def _real(value: Any) -> float:
    if isinstance(value, (bool, int, float)):
        return float(value)
    raise ValueError


def _truth(value: Any) -> bool:
    if value in (0, 1):
        return bool(value)
    raise ValueError


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):  # tolerances of allclose, which older programs hold as text
        return repr(value)
    raise ValueError


_CONVERSIONS: dict[AttrType, Any] = {
    AttrType.INT: _integer,
    AttrType.LONG: _integer,
    AttrType.FLOAT: lambda value: float32(_real(value)),
    AttrType.FLOAT64: _real,
    AttrType.BOOLEAN: _truth,
    AttrType.STRING: _text,
    AttrType.INTS: _integer,
    AttrType.LONGS: _integer,
    AttrType.FLOATS: lambda value: float32(_real(value)),
    AttrType.FLOAT64S: _real,
    AttrType.BOOLEANS: _truth,
    AttrType.STRINGS: _text,
}
_LISTS = frozenset(
    {AttrType.INTS, AttrType.LONGS, AttrType.FLOATS, AttrType.FLOAT64S, AttrType.BOOLEANS}
    | {AttrType.STRINGS}
)
_RANGES = {
    AttrType.INT: 1 << 31,
    AttrType.INTS: 1 << 31,
    AttrType.LONG: 1 << 63,
    AttrType.LONGS: 1 << 63,
}


def as_attr(value: Any, type: AttrType) -> Attr:
    """``value`` as an attribute of ``type``, whatever number type the file has.

    Raises ValueError where it is something else or does not fit.
    """
    convert = _CONVERSIONS[type]
    is_list = type in _LISTS
    if is_list != isinstance(value, list):
        raise ValueError
    items = [convert(item) for item in value] if is_list else [convert(value)]
    limit = _RANGES.get(type)
    if limit is not None and not all(-limit <= item < limit for item in items):
        raise ValueError
    return Attr(type, items if is_list else items[0])


def _str_value(number: Any) -> str:
    """A number as `str_value`, where a float32 could not hold it."""
    if isinstance(number, bool) or float32(number) == number or number != number:
        return ""
    return repr(number)


def fill_constant(shape: list[int], number: Any, dtype: DataType) -> OpDesc:
    """The operator; the slot Out is still to be given."""
    attrs = {
        "shape": Attr(AttrType.LONGS, shape),
        "value": Attr(AttrType.FLOAT, float32(number)),
        "dtype": Attr(AttrType.INT, int(dtype)),
        "str_value": Attr(AttrType.STRING, _str_value(number)),
    }
    return OpDesc("fill_constant", {}, {}, attrs)
