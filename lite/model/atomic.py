"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import BinaryIO

from lite.errors import ConfigError


def require_folder(path: str | os.PathLike[str]) -> None:
    """Raises FileNotFoundError where the folder that ``path`` stands in is not there."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            errno.ENOENT, "the folder to write to is not there, create it first", folder
        )


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of ``path`` when the block ends well.

    When it does not, what was there stays and nothing new is left. Raises OSError where the
    folder cannot be written, ConfigError where ``path`` is a device or a pipe.
    """
    target = os.path.realpath(os.fspath(path))
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(target).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(f"{os.fspath(path)} is a folder, expected a file to write")
        if not stat.S_ISREG(mode):
            raise ConfigError(f"{os.fspath(path)} is not a regular file")
    require_folder(target)
    temporary = os.path.join(os.path.dirname(target), f".lite-{os.urandom(8).hex()}.tmp")
    try:
        # Exclusive, with the permissions that an ordinary new file gets.
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
