"""Pages whose blocks of code are run as a reader runs them."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

from nnadapter.compiling import ROOT

_BLOCK = re.compile(r"<!-- (\w+)(?:: (\S+))? -->\n```\w+\n(.*?)```", re.S)
_IN_PLACE = bool(list((ROOT / "lite").glob("_core*")))


def blocks_of(page: str) -> list[tuple[str, str, str]]:
    """Kind, name and text of the blocks that a comment marks."""
    return _BLOCK.findall(page)


def make_programs(folder: Path) -> None:
    """`python` and `lite` in the folder's `bin`."""
    programs = folder / "bin"
    programs.mkdir()
    package = "tools" if _IN_PLACE else "lite.tools"
    source = f"import sys; from {package}.cli import main; sys.exit(main())"
    for name, command in (("python", ""), ("lite", f"-c '{source}'")):
        (programs / name).write_text(
            f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {command} "$@"\n'
        )
        (programs / name).chmod(0o755)


def environment(folder: Path) -> dict[str, str]:
    """For a reader's shell in the folder."""
    return {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": f"{folder}:{ROOT}" if _IN_PLACE else str(folder),
        "NNADAPTER_DEVICE_PATH": str(folder),
    }
