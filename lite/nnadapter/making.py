"""What the two generate.py share: templates of headers, and files that the build asks for.

They run this file by its path, before there is a package lite to import.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


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
