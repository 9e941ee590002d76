"""Untrusted bytes, from a file or from memory, read at bounded offsets."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import BinaryIO, Protocol

from lite.errors import ModelFormatError

Buffer = bytes | bytearray | memoryview


class Source(Protocol):
    """Bytes of a known size. ``read`` and ``read_into`` take ranges within the size."""

    name: str
    size: int

    def opened(self) -> AbstractContextManager[None]:
        """Holds the source open for several reads; a single one may do without."""
        ...

    def read(self, offset: int, count: int) -> bytes:
        """``count`` bytes from ``offset``, fewer where the source ends before."""
        ...

    def read_into(self, offset: int, target: memoryview) -> None:
        """Fills ``target`` (bytes) from ``offset``; ModelFormatError where there are too few."""
        ...


class BufferSource:
    """Bytes in memory; anything but ``bytes`` is copied, as its owner may change it."""

    def __init__(self, data: Buffer, name: str) -> None:
        self.name = name
        self._data = memoryview(as_bytes(data, name))
        self.size = len(self._data)

    def opened(self) -> AbstractContextManager[None]:
        return nullcontext()

    def read(self, offset: int, count: int) -> bytes:
        return bytes(self._data[offset : offset + count])

    def read_into(self, offset: int, target: memoryview) -> None:
        target[:] = self._data[offset : offset + len(target)]


class FileSource:
    """A regular file, held open inside ``opened()`` and opened for each read outside of it."""

    def __init__(self, path: str, what: str) -> None:
        self.name = path
        self._what = what
        self._file: BinaryIO | None = None
        with open_regular(path, what) as file:
            self._mark = self._stat(file)
        self.size = self._mark[0]

    @staticmethod
    def _stat(file: BinaryIO) -> tuple[int, int]:
        status = os.fstat(file.fileno())
        return status.st_size, status.st_mtime_ns

    def _open(self) -> BinaryIO:
        file = open_regular(self.name, self._what)
        if self._stat(file) != self._mark:
            file.close()
            raise ModelFormatError(f"{self.name}: the {self._what} changed since it was first read")
        return file

    @contextmanager
    def opened(self) -> Iterator[None]:
        if self._file is not None:
            yield
            return
        with self._open() as file:
            self._file = file
            try:
                yield
            finally:
                self._file = None

    def read(self, offset: int, count: int) -> bytes:
        if self._file is None:
            with self.opened():
                return self.read(offset, count)
        self._file.seek(offset)
        return self._file.read(min(count, max(self.size - offset, 0)))

    def read_into(self, offset: int, target: memoryview) -> None:
        if self._file is None:
            with self.opened():
                return self.read_into(offset, target)
        self._file.seek(offset)
        done = 0
        while done < len(target):
            count = self._file.readinto(target[done:])  # type: ignore[attr-defined]
            if not count:
                raise ModelFormatError(
                    f"{self.name}: the {self._what} ended at offset {offset + done} while it was "
                    f"read, expected {self.size} bytes"
                )
            done += count
        return None


def as_bytes(data: Buffer, what: str) -> bytes:
    """``data`` itself where it is bytes, else a copy; TypeError for anything else."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"{what}: expected bytes, bytearray or memoryview, got {type(data).__name__}")


def open_regular(path: str, what: str) -> BinaryIO:
    """Opens a regular file for reading.

    Raises FileNotFoundError, PermissionError or IsADirectoryError that say ``what`` was looked
    for, and ModelFormatError for pipes and devices.
    """
    try:
        # A pipe would block in open(), a device has no size.
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise ModelFormatError(f"{path}: the {what} is not a regular file")
        return open(path, "rb")
    except OSError as error:
        message = f"{error.strerror or error}: looked for the {what}"
        raise type(error)(error.errno, message, path) from None
