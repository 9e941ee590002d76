"""Messages between a process and its child: bytes behind their length."""

from __future__ import annotations

import struct
from typing import IO

_LENGTH = struct.Struct("<Q")


def send(file: IO[bytes], data: bytes) -> None:
    """Writes a message."""
    file.write(_LENGTH.pack(len(data)))
    file.write(data)
    file.flush()


def receive(file: IO[bytes]) -> bytes | None:
    """Reads a message; None where the other side has gone."""
    head = file.read(_LENGTH.size)
    if len(head) != _LENGTH.size:
        return None
    data = file.read(_LENGTH.unpack(head)[0])
    return data if len(data) == _LENGTH.unpack(head)[0] else None
