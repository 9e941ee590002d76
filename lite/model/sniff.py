"""What a file is, by its first bytes: ``lite/core/sniff.h`` knows; and texts for error messages."""

from __future__ import annotations

from enum import Enum

from lite import _core

HEAD_BYTES: int = _core.SNIFFED_BYTES
"""How many first bytes are looked at."""


class Kind(Enum):
    """What a file's first bytes say."""

    UNKNOWN = "unknown"
    NB = "nb"  # meta version 1 or 2
    PROGRAM = "program"  # protobuf: `.pdmodel`, `__model__`
    PIR = "pir"  # Paddle 3's `inference.json`
    ONNX = "onnx"
    NO_MODEL = "no model"  # known, and nothing that holds a model we read


def sniff(head: bytes) -> tuple[Kind, str | None]:
    """What a file that begins with ``head`` is, and a text that says what to do with it."""
    name, text = _core.sniff(head[:HEAD_BYTES])
    return Kind(name), text


def describe(name: str, size: int, head: bytes, expected: Kind) -> str:
    """``name (size bytes, begins with ...)`` and what it looks like, if not what is expected."""
    text = f"{name} ({size} bytes, begins with {head[:16].hex(' ') or 'nothing'})"
    kind, what = sniff(head)
    return f"{text}; it looks like {what}" if what and kind is not expected else text
