"""An encoder of flatbuffers whose bytes are those of Paddle Lite's own.

A buffer grows from its end towards its beginning; an offset here counts from the end. It is kept
as a list of chunks, so that a tensor's data can stay outside until it is written. The rules:
children first, in the order of their slots; in a table 8-byte fields, then 4, then 1, each from
the last slot to the first, defaults left out; then the vtable, unless an equal one exists.

The flatbuffers package writes the same bytes, one field a call and in one piece of memory: some
15 times slower for a program, and without a way to stream a tensor.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lite.model.naive_buffer.schema import CODES, SIZES, Table

_ZEROS = [bytes(count) for count in range(64)]
_SMALL_VECTORS = [struct.Struct(f"<{count + 1}I") for count in range(33)]


@dataclass(frozen=True)
class External:
    """``size`` bytes of the buffer that are not in memory; ``key`` tells the writer which."""

    key: str
    size: int


Chunk = bytes | External


@dataclass(frozen=True)
class _Layout:
    """How a table with certain slots present lies in memory, begun at a certain alignment."""

    packer: struct.Struct
    fields: tuple[tuple[int, int], ...]
    size: int
    vtable: bytes
    alignment: int


@cache
def _layout(table: Table, slots: tuple[int, ...], phase: int) -> _Layout:
    """``phase`` is the offset modulo 8 where the table begins.

    ``fields`` holds, by rising address, the index of the value and, for a reference, its distance
    from the beginning of the table (0 for a scalar).
    """
    types = [table.fields[slot][1] for slot in slots]
    sizes = [SIZES.get(type, 4) for type in types]
    order = [i for size in (8, 4, 1) for i in reversed(range(len(slots))) if sizes[i] == size]
    offset = phase
    placed: list[tuple[int, int]] = []
    code = ""
    for i in order:
        padding = -offset % sizes[i]
        offset += padding + sizes[i]
        placed.append((i, offset))
        code = f"{CODES.get(types[i], 'I')}{padding}x{code}"
    padding = -offset % 4
    offset += padding + 4
    entries = [0] * (slots[-1] + 1 if slots else 0)
    for i, position in placed:
        entries[slots[i]] = offset - position
    vtable = struct.pack(f"<{len(entries) + 2}H", 4 + 2 * len(entries), offset - phase, *entries)
    fields = tuple((i, 0 if types[i] in SIZES else offset - at) for i, at in reversed(placed))
    packer = struct.Struct(f"<i{padding}x{code}")
    return _Layout(packer, fields, offset - phase, vtable, max([4, *sizes]))


class FlatBuilder:
    """Builds one buffer; every method returns the offset (from the end) of what it wrote."""

    def __init__(self) -> None:
        self.offset = 0
        self._chunks: list[Chunk] = []
        self._alignment = 4
        self._vtables: dict[bytes, int] = {}
        self._strings: dict[str, bytes] = {}
        self._empty: int | None = None

    def _append(self, chunk: Chunk, size: int) -> int:
        self._chunks.append(chunk)
        self.offset += size
        return self.offset

    def string(self, text: str) -> int:
        """A string of its own; bytes that were no UTF-8 when read are written as they were."""
        data = self._strings.get(text)
        if data is None:
            encoded = text.encode("utf-8", "surrogateescape")
            data = self._strings[text] = struct.pack("<I", len(encoded)) + encoded + b"\0"
        padding = -(self.offset + len(data)) % 4
        if padding:
            data += _ZEROS[padding]
        self._chunks.append(data)
        self.offset += len(data)
        return self.offset

    def empty_string(self) -> int:
        """The one empty string that all empty optional strings share."""
        if self._empty is None:
            self._empty = self.string("")
        return self._empty

    def references(self, targets: Sequence[int]) -> int:
        """A vector of references to tables or strings."""
        count = len(targets)
        padding = -self.offset % 4
        end = self.offset + padding + 4 * count + 4
        values = [end - 4 - 4 * i - target for i, target in enumerate(targets)]
        packer = _SMALL_VECTORS[count] if count < 33 else struct.Struct(f"<{count + 1}I")
        data = packer.pack(count, *values)
        if padding:
            data += _ZEROS[padding]
        return self._append(data, len(data))

    def strings(self, texts: Sequence[str]) -> int:
        """A vector of strings."""
        return self.references([self.string(text) for text in texts])

    def numbers(self, type: str, values: Sequence[bool | int | float]) -> int:
        """A vector of scalars of a type named as in the schema."""
        size = SIZES[type]
        payload = size * len(values)
        # The length aligns to 4 first, then the elements to their size.
        padding = -(self.offset + payload) % 4
        padding += -(self.offset + padding + payload) % size
        self._alignment = max(self._alignment, size)
        data = struct.pack(f"<I{len(values)}{CODES[type]}{padding}x", len(values), *values)
        return self._append(data, len(data))

    def external(self, key: str, size: int) -> int:
        """A vector of ``size`` bytes that are supplied when the buffer is written."""
        self._append(_ZEROS[-(self.offset + size) % 4], -(self.offset + size) % 4)
        self._append(External(key, size), size)
        return self._append(struct.pack("<I", size), 4)

    def empty_vectors(self, count: int, wide: int) -> list[int]:
        """``count`` empty vectors of elements up to 4 bytes, then ``wide`` ones of 8 bytes."""
        start = self.offset
        offset = start + -start % 4
        found: list[int] = []
        for _ in range(count):
            offset += 4
            found.append(offset)
        for _ in range(wide):
            offset += -offset % 8 + 4
            found.append(offset)
        if wide:
            self._alignment = 8
        self._append(_ZEROS[offset - start], offset - start)
        return found

    def table(
        self, table: Table, slots: tuple[int, ...], values: Sequence[bool | int | float]
    ) -> int:
        """A table with these slots present, rising: a number, or the offset of a reference."""
        layout = _layout(table, slots, self.offset % 8)
        end = self.offset + layout.size
        vtable = layout.vtable
        known = self._vtables.get(vtable)
        packed = [end - k - values[i] if k else values[i] for i, k in layout.fields]
        chunks = self._chunks
        if known is None:
            chunks.append(layout.packer.pack(len(vtable), *packed))
            chunks.append(vtable)
            self.offset = self._vtables[vtable] = end + len(vtable)
        else:
            chunks.append(layout.packer.pack(known - end, *packed))
            self.offset = end
        self._alignment = max(self._alignment, layout.alignment)
        return end

    def finish(self, root: int) -> list[Chunk]:
        """The buffer's chunks from its first byte on."""
        padding = -(self.offset + 4) % self._alignment
        end = self.offset + padding + 4
        head = struct.pack(f"<I{padding}x", end - root)
        return [head, *reversed(self._chunks)]


def joined(chunks: Sequence[Chunk]) -> bytes:
    """The bytes of a buffer without external parts."""
    return b"".join(chunk for chunk in chunks if isinstance(chunk, bytes))
