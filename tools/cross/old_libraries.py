"""Lets a new compiler link libraries for an old glibc: writes stand-ins of glibc and libstdc++ that
name only what an old system has, in its versions, and checks what was linked.

    old_libraries.py make --compiler aarch64-linux-gnu-g++ DIR   # then link with -LDIR
    old_libraries.py check --readelf aarch64-linux-gnu-readelf FILE...

What the compiler's headers name beyond that is in ``newer.cc`` and goes into what needs it, hidden.
There is one C++ runtime in the process: the system's libstdc++.so.6.

Compile with optimisation: a new member of std::string that is not inlined is looked for in the old
library, and the linker (with -z defs) says so.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# manylinux_2_28: glibc 2.28 and GCC 8's libstdc++, which RHEL 8 and Debian 10 have.
LIMITS = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}
# Libraries of their own until glibc 2.34; their functions moved into libc.so.6.
MOVED = {"libpthread.so.0": r"_*(pthread|sem)_\w+", "libdl.so.2": r"dl\w+"}
STAND_INS = ("libc.so.6", "libm.so.6", "libstdc++.so.6")
HERE = Path(__file__).resolve().parent


class Symbol(NamedTuple):
    """A dynamic symbol as readelf prints it."""

    name: str
    version: str  # "" where it has none
    kind: str  # FUNC, OBJECT, ...
    binding: str
    size: int
    defined: bool


def symbols(readelf: str, file: Path) -> Iterator[Symbol]:
    """The dynamic symbols of a shared object."""
    printed = subprocess.run(
        [readelf, "-W", "--dyn-syms", str(file)], check=True, capture_output=True, text=True
    ).stdout
    for line in printed.splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit():
            continue
        # aarch64's readelf may put flags such as [VARIANT_PCS] before the section.
        name, _, version = next(f for f in fields[7:] if not f.startswith("[")).partition("@")
        if fields[7].startswith("["):
            name, _, version = fields[-1].partition("@")
        yield Symbol(
            name, version.lstrip("@"), fields[3], fields[4], int(fields[2], 0),
            " UND " not in line,
        )  # fmt: skip


def number(version: str) -> tuple[int, ...]:
    """``(2, 17)`` of ``GLIBC_2.17``; empty where there is no number."""
    found = re.fullmatch(r"[A-Z]+_([\d.]+)", version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def is_old(version: str) -> bool:
    """Whether the old system has this version; those without a number, but for private ones."""
    limit = LIMITS.get(version.partition("_")[0])
    if limit is None or not number(version):
        return bool(version) and not version.endswith("_PRIVATE")
    return number(version) <= limit


def old_symbols(readelf: str, file: Path) -> dict[str, dict[str, Symbol]]:
    """By the name of the library that had them: each symbol in its newest old version."""
    found: dict[str, Symbol] = {}
    newer = set()
    for symbol in symbols(readelf, file):
        if not symbol.defined or symbol.kind not in ("FUNC", "IFUNC", "OBJECT"):
            continue
        if not is_old(symbol.version):
            newer.add(symbol.name)
        elif symbol.name not in found or number(symbol.version) > number(
            found[symbol.name].version
        ):
            found[symbol.name] = symbol
    libraries: dict[str, dict[str, Symbol]] = {file.name: {}}
    for name, symbol in found.items():
        home = file.name
        for library, pattern in MOVED.items() if file.name == "libc.so.6" else ():
            if name in newer and re.fullmatch(pattern, name):
                home = library
        libraries.setdefault(home, {})[name] = symbol
    return libraries


def write_stand_in(compiler: str, folder: Path, soname: str, held: dict[str, Symbol]) -> None:
    """A shared object that has the symbols and does nothing."""
    text: list[str] = []
    versions: dict[str, list[str]] = {}
    for symbol in held.values():
        versions.setdefault(symbol.version, []).append(symbol.name)
        kind = "function" if symbol.kind != "OBJECT" else "object"
        kind = "gnu_unique_object" if symbol.binding == "UNIQUE" else kind
        text += [
            ".text" if kind == "function" else ".bss\n.balign 16",
            f".{'weak' if symbol.binding == 'WEAK' else 'globl'} {symbol.name}",
            f".type {symbol.name}, %{kind}\n.size {symbol.name}, {symbol.size}",
            f"{symbol.name}: .zero {symbol.size if kind != 'function' else 4}",
        ]
    source, script = folder / f"{soname}.s", folder / f"{soname}.map"
    source.write_text("\n".join(text) + "\n")
    script.write_text("".join(
        f"{version} {{ global: {' '.join(chr(34) + name + chr(34) + ';' for name in names)} }};\n"
        for version, names in versions.items()
    ))  # fmt: skip
    flags = ["-nostdlib", "-shared", f"-Wl,-soname,{soname}", f"-Wl,--version-script={script}"]
    command = [compiler, *flags, str(source), "-o", str(folder / soname)]
    subprocess.run(command, check=True)


def program(compiler: str, name: str) -> str:
    """A program of the compiler's binutils."""
    return asked(compiler, f"-print-prog-name={name}")


def asked(compiler: str, question: str) -> str:
    """What the compiler answers."""
    return subprocess.run(
        [compiler, question], check=True, capture_output=True, text=True
    ).stdout.strip()


def make(compiler: str, folder: Path) -> None:
    """Writes the stand-ins and the scripts by which ``-lc``, ``-lm``, ``-lstdc++`` find them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in STAND_INS:
        real = Path(asked(compiler, f"-print-file-name={name}"))
        if not real.is_absolute():
            raise SystemExit(f"{compiler} has no {name}")
        for soname, held in old_symbols(program(compiler, "readelf"), real).items():
            write_stand_in(compiler, folder, soname, held)
    newer = folder / "newer.o"
    flags = ["-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-c"]
    subprocess.run([compiler, *flags, str(HERE / "newer.cc"), "-o", str(newer)], check=True)
    archive = folder / "libnewer.a"
    archive.unlink(missing_ok=True)
    subprocess.run([program(compiler, "ar"), "qcD", str(archive), str(newer)], check=True)
    subprocess.run([program(compiler, "ranlib"), "-D", str(archive)], check=True)
    nonshared = asked(compiler, "-print-file-name=libc_nonshared.a")
    loader = re.search(
        r"\S+/ld-linux\S+",
        Path(asked(compiler, "-print-file-name=libc.so")).read_text(encoding="utf-8"),
    )
    scripts = {
        "libc.so": f"libc.so.6 libnewer.a {nonshared}"
        f" libpthread.so.0 libdl.so.2 AS_NEEDED({loader[0] if loader else ''})",
        "libm.so": "libm.so.6",
        "libstdc++.so": "libstdc++.so.6 libnewer.a",
    }
    for name, group in scripts.items():
        (folder / name).write_text(f"GROUP({group})\n")


def check(readelf: str, files: list[Path]) -> int:
    """The number of symbols that an old system lacks, each printed."""
    faults = 0
    for file in files:
        for symbol in symbols(readelf, file):
            # Python's own symbols have no version, nor have those of this project's libraries.
            if not symbol.defined and symbol.version and not is_old(symbol.version):
                print(f"{file}: {symbol.name} needs {symbol.version}")
                faults += 1
    return faults


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write the stand-ins")
    making.add_argument("--compiler", default="g++")
    making.add_argument("folder", type=Path)
    checking = commands.add_parser("check", help="say what linked objects need that is newer")
    checking.add_argument("--readelf", default="readelf")
    checking.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.command == "check":
        return 1 if check(arguments.readelf, arguments.files) else 0
    make(arguments.compiler, arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
