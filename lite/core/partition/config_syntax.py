"""The text of a partition config: lines, fields, quotes. Which operators they mean: ``config.py``.

A line ``op_type:inputs:outputs`` keeps operators on the CPU, as in Paddle Lite: names are separated
by commas, ``conv2d`` means every conv2d, ``conv2d::out`` those that write ``out``. Beyond that:

* ``# text`` at the start of a line or behind a space is a comment; CRLF and spaces do not matter.
* ``"a:b,c-d"`` is one name; ``\\"`` and ``\\\\`` stand for ``"`` and ``\\`` in it.
* ``@cpu SELECTOR`` and ``@device SELECTOR`` keep operators on the CPU or ask for the device. The
  selector is ``op_type:inputs:outputs`` or words ``key=value`` which must all hold: ``type`` (one
  of a list), ``in``, ``out`` (all of a list), ``name`` (the first output), ``index`` (``7``,
  ``3-9``, ``12-`` or a list of them: the operator's position in its block) and ``block`` (0 unless
  given with ``index``, any otherwise). Unquoted values take the wildcards ``*`` and ``?``. No
  operator's type begins with ``@``: to Paddle Lite such a line names an operator that is not there.
* Where several lines name an operator, the last one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

CPU, DEVICE = "cpu", "device"

KEYS = ("type", "in", "out", "name", "index", "block")
"""The words of a selector."""

_RANGE = re.compile(r"([0-9]{1,9})(?:(-)([0-9]{1,9})?)?")


@dataclass(frozen=True)
class Name:
    """A name as it was written; only an unquoted one may hold wildcards or be split at ``-``."""

    text: str
    quoted: bool = False

    @property
    def is_pattern(self) -> bool:
        """Whether the name holds a wildcard."""
        return not self.quoted and ("*" in self.text or "?" in self.text)


@dataclass(frozen=True)
class Selector:
    """What an operator must be to be meant. Empty tuples ask for nothing."""

    types: tuple[Name, ...] = ()
    inputs: tuple[Name, ...] = ()
    outputs: tuple[Name, ...] = ()
    names: tuple[Name, ...] = ()
    ranges: tuple[tuple[int, int | None], ...] = ()
    blocks: tuple[int, ...] = ()
    wildcards: bool = False


@dataclass(frozen=True)
class Line:
    """One line that names operators. ``pieces`` is how Paddle Lite reads it: split at ``-``."""

    number: int
    text: str
    place: str
    selector: Selector
    pieces: tuple[Selector, ...] = ()


@dataclass(frozen=True)
class Complaint:
    """What is wrong with a line."""

    number: int
    text: str
    what: str

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 120 else self.text[:117] + "..."
        return f"line {self.number} ({shown!r}): {self.what}"


@dataclass
class Parsed:
    """The lines of a config, and what is wrong with those that are malformed."""

    lines: list[Line] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)


class _MalformedError(Exception):
    pass


def quoted(name: str) -> str:
    """A name as it stands in a config: quoted where a character of it means something there."""
    if re.fullmatch(r"[\w./@%+]+", name) and not name.startswith("@"):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse(text: str) -> Parsed:
    """Reads a config; a malformed line becomes a complaint, and what is clear in it a line."""
    parsed = Parsed()
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = _without_comment(raw).strip()
        if not line:
            continue
        notes: list[str] = []
        try:
            if line.startswith("@"):
                parsed.lines.append(_directive(number, line, notes))
            else:
                parsed.lines.append(_plain(number, line, line, CPU, notes))
        except _MalformedError as error:
            notes = [str(error)]
        parsed.complaints += [Complaint(number, line, note) for note in notes]
    return parsed


def _without_comment(raw: str) -> str:
    inside = escaped = False
    for at, char in enumerate(raw):
        if inside and not escaped and char == "\\":
            escaped = True
            continue
        if char == '"' and not escaped:
            inside = not inside
        elif char == "#" and not inside and (at == 0 or raw[at - 1].isspace()):
            return raw[:at]
        escaped = False
    return raw


def _split(text: str, separators: str) -> Iterator[tuple[str, str]]:
    """The parts between separators outside quotes, each with the separator that ends it."""
    start = 0
    inside = escaped = False
    for at, char in enumerate(text):
        if escaped:
            escaped = False
        elif inside and char == "\\":
            escaped = True
        elif char == '"':
            inside = not inside
        elif char in separators and not inside:
            yield text[start:at], char
            start = at + 1
    if inside:
        raise _MalformedError('a quote (") is not closed')
    yield text[start:], ""


def _name(text: str) -> Name:
    text = text.strip()
    if '"' not in text:
        return Name(text)
    if len(text) < 2 or text[0] != '"' or not re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
        raise _MalformedError(f'{text!r} is quoted in part; a quote (") encloses a whole name')
    return Name(re.sub(r"\\(.)", r"\1", text[1:-1]), quoted=True)


def _names(text: str, notes: list[str]) -> tuple[Name, ...]:
    """A list of names. A comma at the end is nothing; an empty name elsewhere is noted."""
    found = [_name(part) for part, _ in _split(text, ",")]
    if any(not name.text for name in found[:-1]):
        notes.append("a name between commas is empty; it is left out")
    return tuple(dict.fromkeys(name for name in found if name.text))


def _fields(text: str, notes: list[str], wildcards: bool) -> Selector:
    parts = [part for part, _ in _split(text, ":")]
    if len(parts) > 3:
        notes.append(
            "there are more than two ':', what follows the third is left out; put names that hold "
            "':' in double quotes"
        )
    kind = _name(parts[0])
    if not kind.text:
        raise _MalformedError(
            "no operator type stands before the ':'; expected op_type:inputs:outputs"
        )
    inputs = _names(parts[1], notes) if len(parts) > 1 else ()
    outputs = _names(parts[2], notes) if len(parts) > 2 else ()
    return Selector((kind,), inputs, outputs, wildcards=wildcards)


def _plain(number: int, line: str, text: str, place: str, notes: list[str]) -> Line:
    wildcards = line.startswith("@")
    selector = _fields(text, notes, wildcards)
    parts = [part.strip() for part, _ in _split(text, "-")]
    pieces: list[Selector] = []
    if len(parts) > 1:
        for part in parts:
            if part and part.split(":")[0].strip():
                pieces.append(_fields(part, [], wildcards))
    return Line(number, line, place, selector, tuple(pieces))


def _directive(number: int, line: str, notes: list[str]) -> Line:
    word, _, rest = line[1:].replace("\t", " ").partition(" ")
    place, rest = word.lower(), rest.strip()
    if place not in (CPU, DEVICE):
        raise _MalformedError(f"'@{word}' is unknown; expected @cpu or @device")
    if not rest:
        raise _MalformedError(f"@{place} names no operators; @{place} type=* means all")
    words = [part for part, _ in _split(rest, " ") if part]
    if not any(re.match(r"\w+=", part) for part in words):
        if len(words) > 1 and not any(":" in part or "," in part for part in words):
            raise _MalformedError(
                f"expected @{place} op_type:inputs:outputs or words like type=conv2d index=3-9"
            )
        return _plain(number, line, rest, place, notes)
    return Line(number, line, place, _words(words, notes))


def _words(words: list[str], notes: list[str]) -> Selector:
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.lower()
        if not equals or key not in KEYS:
            raise _MalformedError(
                f"{word!r} is no condition; expected one of {', '.join(f'{k}=' for k in KEYS)}"
            )
        if key in given:
            raise _MalformedError(f"{key}= stands there twice; separate values by commas")
        if not value:
            raise _MalformedError(f"{key}= has no value")
        given[key] = value
    lists = {
        key: _names(given[key], notes) for key in ("type", "in", "out", "name") if key in given
    }
    for key, names in lists.items():
        if not names:
            raise _MalformedError(f"{key}= names nothing")
    blocks = tuple(
        _integer(part, "block") for part, _ in _split(given.get("block", ""), ",") if part
    )
    ranges = tuple(_range(part) for part, _ in _split(given.get("index", ""), ",") if part.strip())
    if "index" in given and not ranges:
        raise _MalformedError("index= names nothing")
    if ranges and not blocks:
        blocks = (0,)
    return Selector(
        lists.get("type", ()),
        lists.get("in", ()),
        lists.get("out", ()),
        lists.get("name", ()),
        ranges,
        blocks,
        wildcards=True,
    )


def _integer(text: str, key: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise _MalformedError(f"{key}={text.strip()} is no number")
    return int(text)


def _range(text: str) -> tuple[int, int | None]:
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise _MalformedError(f"index={text.strip()} is no range; expected 7, 3-9 or 12-")
    first = int(found[1])
    if not found[2]:
        return first, first
    last = int(found[3]) if found[3] else None
    if last is not None and last < first:
        raise _MalformedError(f"index={text.strip()} ends before it begins")
    return first, last
