"""Checks that code which every processor runs has the baseline's instructions only: x86-64's first
ones with SSE2, or ARMv8.0's.

    python tools/wheel/instructions.py BUILD [--objdump aarch64-linux-gnu-objdump]

Reads the objects of a build folder. Those of an instruction set (lite_math_avx2, ...) may hold
newer ones, but must define no function that the linker could take for another object's: an inline
function outside of their own namespace.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

DISPATCHED = {
    "lite_math_avx2.dir": "::avx2::",
    "lite_math_avx512.dir": "::avx512::",
    "lite_math_neon.dir": "::neon::",
}
# tzcnt is what objdump calls `rep bsf`, which older processors run as bsf.
NEWER = {
    "x86-64": r"v(?!err\b|erw\b)\w+|pshufb|palignr|phadd\w+|phsub\w+|pmaddubsw|pabs[bwd]|pmulhrsw"
    r"|psign[bwd]|p?blend\w+|ptest|pmov[sz]x\w+|pmulld|pmuldq|p(min|max)(sb|uw|ud|sd)|round[ps][sd]"
    r"|dpp[sd]|mpsadbw|packusdw|pcmp(eq|gt)q|p(ext|ins)r[bdq]|(extract|insert)ps|movntdqa|crc32\w*"
    r"|phminposuw|popcnt|lzcnt|andn|bextr|bls(i|r|msk)|bzhi|mulx|pdep|pext|rorx|s(ar|hl|hr)x"
    r"|ad[co]x|aes\w+|pclmul\w+|sha(1|256)\w+|addsub\w+|h(add|sub)p[sd]|lddqu|mov(ddup|s[hl]dup)"
    r"|movbe|tdp\w+|tile\w+|(ld|st)tilecfg",
    "aarch64": r"[su]dot|us?dot|[su]?s?mmla|bf\w*mla\w*|bfdot|bfcvt\w*|fml[as]l2?|cas[ab]?l?"
    r"|swpa?l?|ld(add|clr|eor|set)a?l?|sqrdml[as]h|whilelo|ptrue",
}


def printed(*command: str | Path) -> str:
    """What a program prints."""
    return subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, text=True
    ).stdout


def newer_instructions(objdump: str, file: Path) -> Counter[str]:
    """Mnemonics beyond the baseline's, with how often they stand in an object."""
    text = printed(objdump, "-d", "--no-show-raw-insn", file)
    (kind,) = re.findall(r"file format elf64-(?:little)?(x86-64|aarch64)", text)
    found = re.findall(rf"^ *[0-9a-f]+:\t({NEWER[kind]})\b", text, re.MULTILINE)
    return Counter(match if isinstance(match, str) else match[0] for match in found)


def shared_functions(nm: str, file: Path, namespace: str) -> list[str]:
    """Functions of an instruction set's object that are not its namespace's and may be merged."""
    lines = printed(nm, "-C", "--defined-only", file).splitlines()
    symbols = [line.split(maxsplit=2)[1:] for line in lines if len(line.split(maxsplit=2)) == 3]
    return [name for kind, name in symbols if kind in "Wu" and namespace not in name]


def main() -> int:
    """Prints what is wrong; 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("build", type=Path)
    parser.add_argument("--objdump", default="objdump")
    arguments = parser.parse_args()
    nm = arguments.objdump.replace("objdump", "nm")
    objects = sorted(arguments.build.glob("**/CMakeFiles/**/*.o"))
    wrong = [] if objects else [f"no objects in {arguments.build}"]
    for file in objects:
        namespace = next((DISPATCHED[p] for p in file.parts if p in DISPATCHED), None)
        if namespace is not None:
            shared = shared_functions(nm, file, namespace)
            wrong += [f"{file}: {name} may be merged with the baseline's" for name in shared]
        elif newer := newer_instructions(arguments.objdump, file):
            wrong.append(f"{file}: {dict(newer)}")
    print(*wrong, f"{len(objects)} objects, {len(wrong)} faults", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
