"""What the two generate.py share: enumerations, templates of headers, files for the build.

They run this file by its path, before there is a package lite to import.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any


def comment(text: str) -> Iterator[str]:
    """A C comment between enumerators."""
    line = "  /*"
    for word in text.split():
        if len(line) + len(word) > 96:
            yield line
            line = "    "
        line += " " + word
    yield line + " */"


def enumeration(name: str, kind: type[IntEnum], prefix: str) -> str:
    """A typedef of a public header."""
    lines: list[str] = []
    for word, member in kind.__members__.items():
        lines += comment(text) if (text := getattr(member, "comment", "")) else []
        lines.append(f"  {prefix}{word} = {member.value},")
    lines[-1] = lines[-1].removesuffix(",")
    return "\n".join(["typedef enum {", *lines, f"}} {name};"])


def substitutes(table: Mapping[str, Any]) -> dict[str, str]:
    """What stands for @NAME@ in the templates: the numbers of a table.py and its enumerations."""
    numbers = {name: str(number) for name, number in table.items() if isinstance(number, int)}
    kinds = table["ENUMERATIONS"]
    return numbers | {name: enumeration(name, *kind) for name, kind in kinds.items()}


def filled(folder: Path, values: Mapping[str, str]) -> dict[str, str]:
    """The headers whose templates stand in a folder, by their paths under it."""
    found = {}
    for file in sorted(folder.rglob("*.h.in")):
        name = file.relative_to(folder).with_suffix("").as_posix()
        found[name] = re.sub(r"@(\w+)@", lambda at: values[at[1]], file.read_text(encoding="utf-8"))
    return found


def write(path: Path, text: str) -> None:
    """Leaves a file alone that says this already: what depends on it is not built again."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(
    arguments: Sequence[str],
    headers: Callable[[], dict[str, str]],
    files: Mapping[str, Callable[[], str]],
) -> int:
    """Writes what is asked for, --headers DIR and --NAME FILE; returns the exit status."""
    parser = argparse.ArgumentParser(description="What is made of the table of operations.")
    parser.add_argument("--headers", type=Path, metavar="DIR")
    for name in files:
        parser.add_argument(f"--{name}", type=Path, metavar="FILE")
    wanted = parser.parse_args(arguments)
    if wanted.headers:
        for name, text in headers().items():
            write(wanted.headers / name, text)
    for name, make in files.items():
        if path := getattr(wanted, name):
            write(path, make())
    return 0
