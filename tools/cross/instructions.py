"""Counts the instructions that a program for arm64 executes in one of its runs, under qemu-user.

    python tools/cross/instructions.py --cpu cortex-a76 --root /usr/aarch64-linux-gnu \\
        PROGRAM MODEL {runs}

The command is run twice, with 1 and with 1 + ``--runs`` in the place of ``{runs}``: the difference
is what a run takes, without loading and the first run's packing. Prints millions of instructions,
and where ``--functions`` asks for it the functions of PROGRAM that take most (its symbols, by
``aarch64-linux-gnu-nm``). Needs qemu-aarch64 and a C compiler for the host; the program has to
compute with one thread.
"""

from __future__ import annotations

import argparse
import bisect
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

PLUGIN = Path(__file__).with_name("count_instructions.c")
OTHERS = "other libraries"


def build_plugin(folder: Path) -> Path:
    """The plugin as a shared object in the folder."""
    made = folder / "libcount.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", made, PLUGIN], check=True)
    return made


def count(emulator: list[str], command: list[str], plugin: Path) -> Counter[int | str]:
    """Instructions executed by the offset of their block in the program, or under OTHERS."""
    out = plugin.with_name("counts")
    program = str(Path(command[0]).resolve())
    subprocess.run(
        [*emulator, "-plugin", f"{plugin},out={out}", *command],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    spans: list[int] = []
    counts: Counter[int | str] = Counter()
    for line in out.read_text().splitlines():
        kind, *fields = line.split()
        if kind == "map" and fields[-1] == program:
            spans += [int(address, 16) for address in fields[0].split("-")]
        elif kind == "block":
            address = int(fields[0], 16)
            inside = spans and min(spans) <= address < max(spans)
            counts[address - min(spans) if inside else OTHERS] += int(fields[1])
    return counts


def by_function(program: str, counts: dict[int | str, float]) -> Counter[str]:
    """The counts by the program's symbols."""
    names = subprocess.run(
        ["aarch64-linux-gnu-nm", "-C", "--defined-only", program],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    symbols = sorted(
        (int(parts[0], 16), parts[2])
        for parts in (line.split(" ", 2) for line in names.splitlines())
        if len(parts) == 3 and parts[1] in "tTwW"
    )
    starts = [address for address, _ in symbols]
    functions: Counter[str] = Counter()
    for place, executed in counts.items():
        if isinstance(place, str):
            functions[place] += executed  # type: ignore[assignment]
        else:
            at = bisect.bisect_right(starts, place) - 1
            functions[symbols[at][1] if at >= 0 else program] += executed  # type: ignore[assignment]
    return functions


def main() -> int:
    """The command line; see above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpu", default="cortex-a76", help="as qemu-aarch64 names it")
    parser.add_argument("--root", default="/usr/aarch64-linux-gnu", help="its libraries")
    parser.add_argument("--runs", type=int, default=2, help="runs that are averaged")
    parser.add_argument("--functions", type=int, default=0, help="how many functions to print")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="PROGRAM ARGUMENT... {runs}")
    given = parser.parse_args()
    if "{runs}" not in given.command:
        parser.error("the command has no argument {runs}")
    emulator = ["qemu-aarch64", "-cpu", given.cpu, "-L", given.root]
    with tempfile.TemporaryDirectory() as folder:
        plugin = build_plugin(Path(folder))
        first, more = (
            count(emulator, [a.replace("{runs}", str(n)) for a in given.command], plugin)
            for n in (1, 1 + given.runs)
        )
    each = {place: (more[place] - first[place]) / given.runs for place in more}
    print(f"{sum(each.values()) / 1e6:.1f} million instructions a run")
    if given.functions:
        for name, executed in by_function(given.command[0], each).most_common(given.functions):
            print(f"{executed / 1e6:10.2f}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
