"""Checks of arguments: each returns the value in its plain form or says what was expected."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

from lite.errors import ConfigError

MAX_THREADS = 256
# What products with constant weights round their operands to; "exact": nothing, and least.
PRECISIONS = ("fp32", "bf16", "fp16", "exact")
_PATH_MAX = 4096


def text(value: object, what: str) -> str:
    """A str, or a path as a str. TypeError for bytes, ValueError for NUL characters."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} contains a NUL character")
    return str(value)


def path(value: object, what: str) -> str:
    """The path of a file or folder; ValueError where it is empty or cannot be one."""
    name = text(value, what)
    if not name:
        raise ValueError(f"{what} is empty, expected a path")
    # UnicodeEncodeError, a ValueError, for characters that no path can hold.
    if len(os.fsencode(name)) >= _PATH_MAX:
        raise ValueError(f"{what} has {len(name)} characters, no path is that long")
    return name


def flag(value: object, what: str) -> bool:
    """A bool, and nothing that merely counts as one."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be a bool, not {type(value).__name__}")
    return value


def integer(value: Any, what: str) -> int:
    """An int of Python or numpy; no bool, no float."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or hasattr(value, "__len__"):
        raise TypeError(f"{what} must be an int, not {type(value).__name__}")
    return operator.index(value)


def threads(value: object) -> int:
    """A number of threads, 1 to 256."""
    count = integer(value, "threads")
    if not 1 <= count <= MAX_THREADS:
        raise ValueError(f"threads is {count}, expected 1 to {MAX_THREADS}")
    return count


def precision(value: object) -> str:
    """One of PRECISIONS. Raises ConfigError, which lists them, for any other."""
    name = text(value, "the precision")
    if name not in PRECISIONS:
        *others, last = map(repr, PRECISIONS)
        raise ConfigError(
            f"precision {name!r} is unknown; possible are {', '.join(others)} and {last}"
        )
    return name


def texts(values: object, what: str) -> list[str]:
    """A list of str."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise TypeError(f"{what} must be a list of str, not {type(values).__name__}")
    return [text(value, what) for value in values]


def data(value: object, size: object, what: str) -> bytes:
    """Bytes, cut to ``size`` where it is given; a str stands for its bytes, as in Paddle Lite."""
    if isinstance(value, str):
        value = os.fsencode(value)
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"{what} must be bytes, not {type(value).__name__}")
    whole = bytes(value)
    if size is None:
        return whole
    count = integer(size, f"the size of {what}")
    if not 0 <= count <= len(whole):
        raise ValueError(f"the size of {what} is {count}, but {len(whole)} bytes were given")
    return whole[:count]


def characters(value: object, what: str) -> bytes:
    """Bytes; a list of one-character str or small int stands for them, as in Paddle Lite."""
    if isinstance(value, str | bytes | bytearray | memoryview):
        whole = data(value, None, what)
    elif not isinstance(value, Sequence):
        raise TypeError(f"{what} must be bytes or a list of characters, not {type(value).__name__}")
    else:
        whole = bytes(_byte(item, what) for item in value)
    if not whole:
        raise ValueError(f"{what} is empty")
    return whole


def _byte(item: object, what: str) -> int:
    number = ord(item) if isinstance(item, str) and len(item) == 1 else item
    count = integer(number, f"an element of {what}")
    if not -128 <= count <= 255:
        raise ValueError(f"an element of {what} is {item!r}, expected one byte")
    return count & 255


def axes(value: object) -> dict[str, list[int]]:
    """Axes by input name."""
    if not isinstance(value, Mapping):
        raise TypeError(f"axes must be a dict, not {type(value).__name__}")
    return {
        text(name, "an input's name"): [integer(axis, f"an axis of '{name}'") for axis in listed]
        for name, listed in value.items()
    }


def shapes(value: object) -> dict[str, list[list[int]]]:
    """Complete shapes by input name."""
    if not isinstance(value, Mapping):
        raise TypeError(f"shapes must be a dict, not {type(value).__name__}")
    return {
        text(name, "an input's name"): [
            [integer(dim, f"a dimension of '{name}'") for dim in shape] for shape in candidates
        ]
        for name, candidates in value.items()
    }
