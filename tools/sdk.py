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

_LIBRARIES = {
    "light": "paddle_light_api_shared",
    "full": "paddle_full_api_shared",
    "inference": "paddle_inference",
    "inference_c": "paddle_inference_c",
}
_STATIC = ["-lpaddle_api_light_bundled", "-lpthread", "-ldl", "-lm"]
_ABIS = {"aarch64": "armv8", "armv7l": "armv7hf"}
_NOT_NEEDED = (
    "mklml/lib/libmklml_intel.so mklml/lib/libiomp5.so openblas/lib/libopenblas.a "
    "protobuf/lib/libprotobuf.a xxhash/lib/libxxhash.a cryptopp/lib/libcryptopp.a "
    "utf8proc/lib/libutf8proc_static.a"
).split()
"""What CMake files of Paddle Inference's programs link besides it, in third_party/install."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--path", action="store_true", help="the folder with include/ and lib/")
    what.add_argument("--cflags", action="store_true", help="the compiler's flags")
    what.add_argument(
        "--libs",
        nargs="?",
        const="light",
        choices=_LIBRARIES,
        help="the linker's flags; light (the default) runs .nb files, full all models, inference "
        "is Paddle Inference's API, inference_c the one for C",
    )
    what.add_argument("--cmake-dir", action="store_true", help="PaddleLite_DIR for CMake")
    what.add_argument("--copy", metavar="DIR", help="copy to DIR/include and DIR/libs/<abi>")
    what.add_argument(
        "--copy-inference", metavar="DIR", help="copy to DIR, for -DPADDLE_LIB=DIR (docs/cpp.md)"
    )
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
    elif flags.copy_inference is not None:
        with system_errors(LiteError):
            _copy_inference(root, Path(arguments.path(flags.copy_inference, "the folder")))
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
        return [f"-L{folder}", f"-l{_LIBRARIES[kind]}", f"-Wl,-rpath,{folder}"]
    if kind != "light":
        raise ConfigError(f"the static library is light: --libs {kind} is shared")
    return [f"-L{folder}", *_STATIC]


def _copy(root: Path, target: Path) -> None:
    """The layout of Paddle Lite's demonstrations, and what devices need."""
    machine = platform.machine()
    libraries = target / "libs" / _ABIS.get(machine, machine)
    shutil.copytree(root / "include", target / "include", dirs_exist_ok=True)
    _copy_libraries([*(root / "lib").glob("*.so"), *(root / "lib").glob("*.a")], root, libraries)
    print(f"copied to {target / 'include'} and {libraries}")


def _copy_inference(root: Path, target: Path) -> None:
    """The layout of Paddle Inference's own package; what it links and we do not need is empty."""
    shutil.copytree(root / "include", target / "paddle" / "include", dirs_exist_ok=True)
    libraries = (root / "lib").glob("libpaddle_inference*.so")
    _copy_libraries([*libraries], root, target / "paddle" / "lib")
    for name in _NOT_NEEDED:
        file = target / "third_party" / "install" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "!<arch>\n" if file.suffix == ".a" else "/* nothing to link */\n"
        file.write_text(text, encoding="utf-8")
    print(f"copied to {target / 'paddle'}")


def _copy_libraries(files: list[Path], root: Path, target: Path) -> None:
    """Those, and what devices and the core are."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted([*files, *root.parent.glob("lib*.so")]):
        shutil.copy2(file, target)
