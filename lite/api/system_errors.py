"""Turns the operating system's errors into the few kinds that users have to handle."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from lite.errors import LiteError

_NOT_FOUND = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)
_NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def system_errors(otherwise: type[LiteError]) -> Iterator[None]:
    """Raises FileNotFoundError, PermissionError or ``otherwise`` for an OSError within."""
    try:
        yield
    except OSError as error:
        if type(error) in (FileNotFoundError, PermissionError):
            raise
        if error.errno in _NOT_FOUND:
            raise FileNotFoundError(error.errno, error.strerror, error.filename) from None
        if error.errno in _NOT_ALLOWED:
            raise PermissionError(error.errno, error.strerror, error.filename) from None
        raise otherwise(str(error)) from None
