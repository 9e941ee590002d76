"""A font with Chinese characters: of the system, else of a package on PyPI."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from examples.ocr.errors import DemoError
from examples.ocr.wheels import Wheel, fetch

AnyFont = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Fonts whose drawn text the models are known to read, in order of preference.
FILES = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "NotoSansSC-Regular.ttf",
    "NotoSansSC-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "SourceHanSansCN-Regular.otf",
    "wqy-zenhei.ttc",
    "wqy-microhei.ttc",
    "simhei.ttf",
    "SimHei.ttf",
)
FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
# Noto Sans SC, SIL Open Font License 1.1.
WHEEL = Wheel(
    requirement="zhplot==1.0.0",
    sha256="a5dccc5fc1116eafaa54d99c903ad74836e3ab9f5bdc45d27c29a97202268a2a",
    files={
        "zhplot/fonts/NotoSansSC-Regular.ttf": (
            "5cf8b2a0576d5680284ab03a7a8219499d59bbe981a79bb3dc0031f251c39736"
        )
    },
)


@dataclass(frozen=True)
class Font:
    """A font file (None: Pillow's own font, Latin letters only) and a face in it."""

    path: str | None
    face: int = 0

    @property
    def has_chinese(self) -> bool:
        """Whether it is known to have Chinese characters."""
        return self.path is not None

    def at(self, size: int) -> AnyFont:
        """The font at a height in pixels."""
        return _load(self.path, self.face, size)

    def drawable(self, text: str) -> str:
        """The text with '?' for characters that the font lacks."""
        return "".join(character if has(self, character) else "?" for character in text)


LATIN = Font(None)


def find(text: str, cache: Path) -> tuple[Font, str]:
    """A font that has every character of the text, and where it comes from.

    Without such a font and without a network: Pillow's own, and the reason.
    """
    for path in _installed():
        font = Font(path, _chinese_face(path))
        if covers(font, text):
            return font, path
    try:
        folder, fetched = fetch(WHEEL, cache)
    except DemoError as error:
        return LATIN, str(error)
    font = Font(str(folder / next(iter(WHEEL.files))))
    return font, f"{WHEEL.requirement} {'from PyPI' if fetched else 'from the cache'}"


def covers(font: Font, text: str) -> bool:
    """Whether the font can be read and has every character of the text."""
    try:
        return all(has(font, character) for character in set(text))
    except OSError:
        return False


def has(font: Font, character: str) -> bool:
    """Whether the font has a glyph of its own for the character."""
    if character.isspace():
        return True
    if font.path is None:
        return character.isascii()
    return _glyph(font, character) != _glyph(font, "\U0010fffe")


@lru_cache(maxsize=4096)
def _glyph(font: Font, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.at(24).getmask(character)
    return mask.size, bytes(mask)


@lru_cache(maxsize=64)
def _load(path: str | None, face: int, size: int) -> AnyFont:
    if path is None:
        return ImageFont.load_default(size)
    return ImageFont.truetype(path, size, index=face)


def _installed() -> Iterator[str]:
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for parent, _, names in os.walk(os.path.expanduser(folder)):
            for name in names:
                if name in FILES:
                    found.setdefault(name, os.path.join(parent, name))
    for name in FILES:
        if name in found:
            yield found[name]


def _chinese_face(path: str) -> int:
    """The face of a collection whose name ends with SC (simplified Chinese), else the first."""
    if not path.endswith(".ttc"):
        return 0
    for face in range(16):
        try:
            family = ImageFont.truetype(path, 24, index=face).getname()[0] or ""
        except OSError:
            break
        if family.endswith(" SC"):
            return face
    return 0
