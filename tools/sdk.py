"""lite sdk: where C++ applications find headers and libraries, and the flags; the Java library."""

from __future__ import annotations

import argparse
import platform
import shlex
import shutil
from pathlib import Path

from lite.api import arguments
from lite.api.cpp import sdk_path
from lite.api.system_errors import system_errors
from lite.errors import ConfigError, LiteError

from .jar import build_jar

_KINDS = ("light", "full")
_STATIC = ["-lpaddle_api_light_bundled", "-lpthread", "-ldl", "-lm"]
_ABIS = {"aarch64": "armv8", "armv7l": "armv7hf"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--path", action="store_true", help="the folder with include/ and lib/")
    what.add_argument("--cflags", action="store_true", help="the compiler's flags")
    what.add_argument(
        "--libs",
        nargs="?",
        const="light",
        choices=_KINDS,
        help="the linker's flags; light (the default) runs .nb files, full all models",
    )
    what.add_argument("--cmake-dir", action="store_true", help="PaddleLite_DIR for CMake")
    what.add_argument("--copy", metavar="DIR", help="copy to DIR/include and DIR/libs/<abi>")
    what.add_argument("--jar", metavar="FILE", help="write the Java library (docs/java.md)")
    parser.add_argument("--full", action="store_true", help="with --jar: with CxxConfig")
    parser.add_argument(
        "--native",
        action="append",
        default=[],
        metavar="PLATFORM=FILE",
        help="with --jar: another machine's library, as linux-aarch64=libpaddle_lite_jni.so",
    )
    parser.add_argument("--static", action="store_true", help="with --libs: the static library")


def run(flags: argparse.Namespace) -> int:
    """Runs the command."""
    if flags.static and flags.libs is None:
        raise ConfigError("--static goes with --libs")
    if (flags.full or flags.native) and flags.jar is None:
        raise ConfigError("--full and --native go with --jar")
    root = sdk_path()
    if flags.jar is not None:
        with system_errors(LiteError):
            target = Path(arguments.path(flags.jar, "the jar"))
            platforms = build_jar(target, root, flags.full, flags.native)
        print(f"wrote {target} for {', '.join(platforms)}, and {target.with_suffix('.pom')}")
    elif flags.copy is not None:
        with system_errors(LiteError):
            _copy(root, Path(arguments.path(flags.copy, "the folder")))
    elif flags.cflags:
        print(shlex.quote(f"-I{root / 'include'}"))
    elif flags.cmake_dir:
        print(root / "lib" / "cmake" / "PaddleLite")
    elif flags.libs:
        print(shlex.join(_link_flags(root / "lib", flags.libs, flags.static)))
    else:
        print(root)
    return 0


def _link_flags(folder: Path, kind: str, static: bool) -> list[str]:
    if not static:
        return [f"-L{folder}", f"-lpaddle_{kind}_api_shared", f"-Wl,-rpath,{folder}"]
    if kind != "light":
        raise ConfigError("the static library is light: a CxxConfig needs --libs full, shared")
    return [f"-L{folder}", *_STATIC]


def _copy(root: Path, target: Path) -> None:
    """The layout of Paddle Lite's demonstrations, and what devices need."""
    machine = platform.machine()
    libraries = target / "libs" / _ABIS.get(machine, machine)
    shutil.copytree(root / "include", target / "include", dirs_exist_ok=True)
    libraries.mkdir(parents=True, exist_ok=True)
    for file in sorted([*(root / "lib").glob("*.*"), *root.parent.glob("lib*.so")]):
        if file.suffix in (".so", ".a"):
            shutil.copy2(file, libraries)
    print(f"copied to {target / 'include'} and {libraries}")
