"""protobuf messages from a table of text, built at run time in a descriptor pool of their own.

No generated module ties us to a protobuf release, and a pool of their own keeps these messages
apart from those of the package that defined them first, in one process.

protobuf's Python modules take 30 ms to import and, where its C library does the work, add nothing
that is used here. Releases that are known to allow it are asked without them.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

_LABELS = {"?": 1, "!": 2, "*": 3}
_SCALARS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
}
_TYPE_MESSAGE = 11


def _has_bare_library() -> bool:
    from google.protobuf import __version__

    return __version__.startswith(("5.", "6.", "7."))  # 4.21 crashes


def _new_pool() -> Any:
    if _has_bare_library():
        with suppress(ImportError):
            return import_module("google._upb._message").DescriptorPool()
    return import_module("google.protobuf.descriptor_pool").DescriptorPool()


def _make_class(pool: Any, descriptor: Any) -> Any:
    if _has_bare_library():
        with suppress(ImportError, TypeError):
            meta = import_module("google._upb._message").MessageMeta
            base = import_module("google.protobuf.message").Message
            return meta(descriptor.name, (base,), {"DESCRIPTOR": descriptor})
    factory = import_module("google.protobuf.message_factory")
    if hasattr(factory, "GetMessageClass"):
        return factory.GetMessageClass(descriptor)
    return factory.MessageFactory(pool).GetPrototype(descriptor)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _chunk(field: int, data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _field_descriptor(package: str, words: list[str]) -> bytes:
    """A FieldDescriptorProto from a field's line."""
    number, label, type, name = words[:4]
    parts = [_chunk(1, name), _number(3, int(number)), _number(4, _LABELS[label])]
    parts.append(_number(5, _SCALARS.get(type, _TYPE_MESSAGE)))
    if type not in _SCALARS:
        parts.append(_chunk(6, f".{package}.{type}"))
    parts += [_chunk(7, default) for default in words[4:5]]
    return b"".join(parts)


class Messages:
    """The messages of one table: a message's name on a line, then a line for each of its fields:
    number, label (! required, ? optional, * repeated), type, name, and a default if it has one."""

    def __init__(self, package: str, table: str) -> None:
        self._package = package
        self._classes: dict[str, Any] = {}
        self._fields: dict[str, list[list[str]]] = {}
        for words in map(str.split, table.strip().splitlines()):
            if len(words) == 1:
                fields = self._fields[words[0]] = []
            else:
                fields.append(words)
        file = [_chunk(1, f"{package.replace('.', '/')}.proto"), _chunk(2, package)]
        for name, listed in self._fields.items():
            described = b"".join(_chunk(2, _field_descriptor(package, words)) for words in listed)
            file.append(_chunk(4, _chunk(1, name) + described))
        file.append(_chunk(12, "proto2"))
        self._pool = _new_pool()
        self._pool.AddSerializedFile(b"".join(file))

    def required_fields(self, message: str) -> frozenset[str]:
        """The names of a message's required fields."""
        return frozenset(words[3] for words in self._fields[message] if words[1] == "!")

    def message_class(self, name: str) -> Any:
        """The class of one message."""
        found = self._classes.get(name)
        if found is None:
            descriptor = self._pool.FindMessageTypeByName(f"{self._package}.{name}")
            found = self._classes[name] = _make_class(self._pool, descriptor)
        return found
