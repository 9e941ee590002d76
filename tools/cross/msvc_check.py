"""python tools/cross/msvc_check.py BUILD: what clang says of the sources by Microsoft's rules.

BUILD is the folder `build` that tools/cross/windows.sh wrote: the light library's compile commands
are repeated with `--target=x86_64-pc-windows-msvc` (clang-cl's language, C++ interface and
`_MSC_VER`) and mingw-w64's headers, without making code. What only Microsoft's own headers would
show stays unseen.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MINGW = "x86_64-w64-mingw32"
# What mingw-w64's headers ask of a compiler that is not GCC.
RULES = """--target=x86_64-pc-windows-msvc -fgnuc-version=12.2.0 -D__declspec=__declspec
-D__MINGW32__ -D__MINGW64__ -D__STRICT_ANSI__ -D_WIN32_WINNT=0x0A00
-fsyntax-only -std=c++17 -Wall -Wextra -Werror -nostdinc++""".split()


def headers() -> list[str]:
    """The folders of mingw-w64's headers, C++'s first."""
    asked = [f"{MINGW}-g++-posix", "-print-file-name=include"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    cxx = Path(found).parent / "include" / "c++"
    folders = [cxx, cxx / MINGW, cxx / "backward", Path("/usr", MINGW, "include")]
    return [word for folder in folders for word in ("-isystem", str(folder))]


def compiled(folder: str) -> list[str]:
    """The compile commands of the library and all that is in it."""
    asked = ["ninja", "-C", folder, "-t", "commands", "paddle_light_api_shared"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if " -c " in line]


def check(words: list[str], folder: str, system: list[str]) -> str:
    """What clang says of a compile command's source."""
    own = [word for word in words if word.startswith(("-I", "-D", "-m"))]
    command = ["clang++", *RULES, *system, *own, words[-1]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main() -> int:
    """Runs the command."""
    folder, system = sys.argv[1], headers()
    commands = [shlex.split(line) for line in compiled(folder)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(filter(None, pool.map(lambda words: check(words, folder, system), commands)))
    print("\n".join(said), file=sys.stderr)
    print(f"{len(commands)} files, {len(said)} with mistakes")
    return 1 if said or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
