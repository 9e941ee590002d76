"""A strict reader of flatbuffers: every offset, length and count is checked before it is used.

Tables of a `.nb` file never overlap (only vtables and empty strings are shared), so all that is
read may add up to little more than the buffer; a buffer that refers to one table many times, and
would grow without bound when read, is refused by that.
"""

from __future__ import annotations

import struct
from typing import NoReturn

from lite.errors import ModelFormatError
from lite.model.naive_buffer.schema import CODES, SIZES, Table

_U16 = struct.Struct("<H")
_U32 = struct.Struct("<I")
_I32 = struct.Struct("<i")
_SCALARS = {type: struct.Struct(f"<{code}") for type, code in CODES.items()}


class FlatReader:
    """One buffer; ``name`` and ``base`` (its offset in the file) stand in messages."""

    def __init__(self, data: memoryview, name: str, base: int = 0) -> None:
        self.data = data
        self.size = len(data)
        self.name = name
        self.base = base
        self._budget = 4 * self.size + 64
        self._vtables: dict[int, tuple[int, ...]] = {}

    def fail(self, position: int, text: str) -> NoReturn:
        raise ModelFormatError(f"{self.name}, offset {self.base + position}: {text}")

    def spend(self, position: int, count: int) -> None:
        """Accounts for ``count`` bytes that are read at ``position``, which must exist."""
        if count > self.size - position:
            self.fail(position, f"expected {count} bytes, found {max(self.size - position, 0)}")
        self._budget -= count
        if self._budget < 0:
            self.fail(position, "the buffer refers to the same bytes again and again")

    def follow(self, position: int) -> int:
        """The position that the reference at ``position`` leads to, always further on."""
        distance = int(_U32.unpack_from(self.data, position)[0])
        target = position + distance
        if not distance or target > self.size - 4:
            self.fail(position, f"the reference {distance} leads out of {self.size} bytes")
        return target

    def root(self, table: Table) -> FlatTable:
        self.spend(0, 4)
        return FlatTable(self, table, self.follow(0))

    def vtable(self, position: int) -> tuple[int, ...]:
        """The table's size and the position of each slot's field in it, for the vtable there."""
        known = self._vtables.get(position)
        if known is None:
            if not 0 <= position <= self.size - 4 or position % 2:
                self.fail(position, "no vtable can be there")
            length = int(_U16.unpack_from(self.data, position)[0])
            if length < 4 or length % 2:
                self.fail(position, f"a vtable has {length} bytes, expected 4 or more, even")
            self.spend(position, length)
            entries = struct.unpack_from(f"<{length // 2 - 1}H", self.data, position + 2)
            known = self._vtables[position] = entries
        return known

    def string(self, position: int) -> str:
        """The string at ``position``."""
        length = int(_U32.unpack_from(self.data, position)[0])
        self.spend(position, 4 + length)
        data = bytes(self.data[position + 4 : position + 4 + length])
        return data.decode("utf-8", "surrogateescape")

    def vector(self, position: int, element: int) -> tuple[int, int]:
        """First element's position, and count, of the vector at ``position``."""
        count = int(_U32.unpack_from(self.data, position)[0])
        self.spend(position, 4 + count * element)
        return position + 4, count


class FlatTable:
    """One table; fields are read by name, an absent one gives its default."""

    __slots__ = ("_entries", "_position", "_reader", "_table")

    def __init__(self, reader: FlatReader, table: Table, position: int) -> None:
        self._reader = reader
        self._table = table
        self._position = position
        self._entries = reader.vtable(position - _I32.unpack_from(reader.data, position)[0])
        reader.spend(position, max(self._entries[0], 4))

    def fail(self, text: str) -> NoReturn:
        self._reader.fail(self._position, f"{self._table.name}: {text}")

    def _field(self, slot: int) -> int:
        """The position of a slot's field, 0 where it is absent."""
        entries = self._entries
        offset = entries[slot + 1] if slot + 1 < len(entries) else 0
        if not offset:
            return 0
        name, type = self._table.fields[slot]
        if offset < 4 or offset + SIZES.get(type, 4) > entries[0]:
            self.fail(f"the field {name} is at byte {offset} of {entries[0]}")
        return self._position + offset

    def scalar(self, slot: int, default: float | bool = 0) -> int | float | bool:
        field = self._field(slot)
        if not field:
            return default
        type = self._table.fields[slot][1]
        if type == "bool":
            return self._reader.data[field] != 0
        value: int | float = _SCALARS[type].unpack_from(self._reader.data, field)[0]
        return value

    def integer(self, slot: int, default: int = 0) -> int:
        return int(self.scalar(slot, default))

    def text(self, slot: int) -> str | None:
        """A string, None where it is absent."""
        field = self._field(slot)
        return self._reader.string(self._reader.follow(field)) if field else None

    def required_text(self, slot: int) -> str:
        text = self.text(slot)
        if text is None:
            self.fail(f"the required field {self._table.fields[slot][0]} is missing")
        return text

    def table(self, slot: int, table: Table) -> FlatTable | None:
        """A table, None where it is absent."""
        field = self._field(slot)
        return FlatTable(self._reader, table, self._reader.follow(field)) if field else None

    def required_table(self, slot: int, table: Table) -> FlatTable:
        found = self.table(slot, table)
        if found is None:
            self.fail(f"the required field {self._table.fields[slot][0]} is missing")
        return found

    def numbers(self, slot: int) -> list[int] | list[float] | list[bool]:
        """A vector of scalars, empty where it is absent."""
        start, count = self.raw(slot)
        if not count:
            return []
        type = self._table.fields[slot][1][1:-1]
        if type == "bool":
            return [byte != 0 for byte in self._reader.data[start : start + count]]
        return list(struct.unpack_from(f"<{count}{CODES[type]}", self._reader.data, start))

    def raw(self, slot: int) -> tuple[int, int]:
        """A vector's first position and count, (0, 0) where it is absent."""
        field = self._field(slot)
        if not field:
            return 0, 0
        element = self._table.fields[slot][1][1:-1]
        return self._reader.vector(self._reader.follow(field), SIZES.get(element, 4))

    def texts(self, slot: int) -> list[str]:
        """A vector of strings."""
        start, count = self.raw(slot)
        reader = self._reader
        return [reader.string(reader.follow(start + 4 * i)) for i in range(count)]

    def tables(self, slot: int, table: Table) -> list[FlatTable]:
        """A vector of tables."""
        start, count = self.raw(slot)
        reader = self._reader
        return [FlatTable(reader, table, reader.follow(start + 4 * i)) for i in range(count)]
