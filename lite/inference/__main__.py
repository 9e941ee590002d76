"""``python -m lite.inference script.py`` or ``-m module``: it gets lite.inference for Paddle's.

The program is not edited, and sees its own arguments.
"""

from __future__ import annotations

import os
import runpy
import sys

from lite.inference import as_paddle

_USAGE = """usage: python -m lite.inference [-h] (SCRIPT | -m MODULE) [ARGUMENT ...]

Runs a program whose `import paddle.inference` gets lite.inference."""


def main(arguments: list[str]) -> int:
    """Runs the program that the arguments name. 2 where they name none."""
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print(_USAGE, file=sys.stdout if arguments[:1] in (["-h"], ["--help"]) else sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    as_paddle()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        if not os.path.exists(arguments[0]):
            print(f"{arguments[0]}: there is no such script", file=sys.stderr)
            return 2
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
