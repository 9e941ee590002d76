"""What a file that is not the expected model looks like, for the error's message."""

from __future__ import annotations

import re

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a git-lfs pointer: run `git lfs pull` to fetch the real file"),
    (b"PK\x03\x04", "a zip archive: unpack it first"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"BZh", "a bzip2 archive: unpack it first"),
    (b"\xfd7zXZ\x00", "an xz archive: unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-zip archive: unpack it first"),
    (b"\x80\x02", "a Python pickle (.pdparams of paddle.save): export with paddle.jit.save"),
    (b"\x80\x04", "a Python pickle (.pdparams of paddle.save): export with paddle.jit.save"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array file"),
    (b"\x7fELF", "an ELF program or library"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF", "a PDF document"),
)

_HTML = re.compile(rb"\s*<(?:!doctype|html|\?xml|head|body)", re.IGNORECASE)
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]\s*[\"\[{}\]]")
_PIR = re.compile(rb'"base_code"|"magic"\s*:\s*"pir"|"program"\s*:\s*{\s*"regions"')


def looks_like_nb(head: bytes) -> bool:
    """Whether the first 26 bytes can be the head of a `.nb` file of meta version 1 or 2."""
    return (
        len(head) >= 26
        and head[1] == 0
        and head[0] in (1, 2)
        and int.from_bytes(head[18:26], "little") < 1 << 40
    )


def looks_like_pir(head: bytes) -> bool:
    """Whether the beginning of a file is Paddle 3's PIR `inference.json`."""
    return bool(_JSON.match(head)) and bool(_PIR.search(head[:4096]))


def looks_like(head: bytes) -> str | None:
    """What a file that begins with ``head`` (some 4096 bytes) seems to be, or None."""
    if not head:
        return "an empty file"
    for magic, what in _MAGIC:
        if head.startswith(magic):
            return what
    if looks_like_pir(head):
        return "Paddle 3's PIR format (inference.json): load it as a model, not as something else"
    if _HTML.match(head):
        return "an HTML or XML page, perhaps a download that needs a login"
    if _JSON.match(head):
        return "a JSON file"
    if head[257:262] == b"ustar":
        return "a tar archive: unpack it first"
    if looks_like_nb(head):
        return "a .nb file: load it with MobileConfig.set_model_from_file or lite.load"
    if not any(head):
        return "nothing but zero bytes"
    return None


def describe(name: str, size: int, head: bytes) -> str:
    """``name (size bytes, begins with ...)`` and what it looks like."""
    text = f"{name} ({size} bytes, begins with {head[:16].hex(' ') or 'nothing'})"
    what = looks_like(head)
    return f"{text}; it looks like {what}" if what else text
