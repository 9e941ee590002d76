"""protobuf messages from a table of text, built at run time in a descriptor pool of their own.

No generated module ties us to a protobuf release, and a pool of their own keeps these messages
apart from those of the package that defined them first, in one process.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_LABELS = {"?": 1, "!": 2, "*": 3}
_SCALARS = {"double": 1, "float": 2, "int64": 3, "int32": 5, "bool": 8, "string": 9, "bytes": 12}
_TYPE_MESSAGE = 11


def _file_descriptor(package: str, table: str) -> Any:
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package.replace('.', '/')}.proto", package=package, syntax="proto2"
    )
    message: Any = None
    for line in table.strip().splitlines():
        words = line.split()
        if len(words) == 1:
            message = file.message_type.add(name=words[0])
            continue
        number, label, type, name = words[:4]
        field = message.field.add(name=name, number=int(number), label=_LABELS[label])
        if type in _SCALARS:
            field.type = _SCALARS[type]
        else:
            field.type = _TYPE_MESSAGE
            field.type_name = f".{package}.{type}"
        if len(words) > 4:
            field.default_value = words[4]
    return file


class Messages:
    """The messages of one table: a message's name on a line, then a line for each of its fields:
    number, label (! required, ? optional, * repeated), type, name, and a default if it has one."""

    def __init__(self, package: str, table: str) -> None:
        file = _file_descriptor(package, table)
        self._package = package
        self._pool: Any = descriptor_pool.DescriptorPool()
        self._pool.AddSerializedFile(file.SerializeToString())
        self._classes: dict[str, Any] = {}
        self._required = {
            item.name: frozenset(f.name for f in item.field if f.label == _LABELS["!"])
            for item in file.message_type
        }

    def required_fields(self, message: str) -> frozenset[str]:
        """The names of a message's required fields."""
        return self._required[message]

    def message_class(self, name: str) -> Any:
        """The class of one message."""
        found = self._classes.get(name)
        if found is None:
            descriptor = self._pool.FindMessageTypeByName(f"{self._package}.{name}")
            if hasattr(message_factory, "GetMessageClass"):
                found = message_factory.GetMessageClass(descriptor)
            else:
                factory: Any = message_factory.MessageFactory(self._pool)
                found = factory.GetPrototype(descriptor)
            self._classes[name] = found
        return found
