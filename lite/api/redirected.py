"""Runs a program in which a module is another one: for ``python -m lite.<door> script.py``."""

from __future__ import annotations

import os
import runpy
import sys


def run_program(door: str, imported: str, arguments: list[str]) -> int:
    """Runs the program that the arguments name, ``SCRIPT`` or ``-m MODULE``, with its arguments.

    Whoever calls it has put the module into place. Returns 2 where they name none.
    """
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        asked = arguments[:1] in (["-h"], ["--help"])
        usage = (
            f"usage: python -m {door} [-h] (SCRIPT | -m MODULE) [ARGUMENT ...]\n\n"
            f"Runs a program whose `import {imported}` gets {door}."
        )
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    if not os.path.exists(arguments[0]):
        print(f"{arguments[0]}: there is no such script", file=sys.stderr)
        return 2
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")
    return 0
