"""Mutates a copy of the sources: every mutation is in the code, one at a time is switched on.

    python tests/mutation/make.py TREE --seed 20 --count 200  # changes TREE, writes mutants.json

A mutation is a sign, a bound, a number one off, a comparison turned round or a check dropped, at a
place that the seed chooses. In C++ it is switched by lite_mutant (mutant.h, which the build
includes everywhere), in Python by the environment variable LITE_MUTANT, which C++ starts from, too.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from pathlib import Path

CPP = [
    "lite/kernels/cpu/[!m]*/*.cc", "lite/kernels/cpu/matrix/*.cc",  # math has tests of its own
    "lite/core/*.cc", "lite/core/plan/*.cc", "lite/kernels/nnadapter/*.cc",
    "lite/nnadapter/runtime/*.cc",
]  # fmt: skip
PYTHON = ["lite/core/optimizer/**/*.py", "lite/core/partition/*.py", "lite/model/**/*.py"]
# What stands there -> what stands there instead; {m} is 1 where the mutation is on.
IN_CPP = {
    "bound": (r"(?<=[\w)\]] )(<|<=|>|>=) (?=[a-z\d][\w.>()-]*[;) ])", r"\1 {m} + "),
    "one off": (r"(?<=[\w)\]] )([+-]) 1(?=[;,)\] ])", r"\1 (1 - {m})"),
    "sign": (r"(?<=[\w)\]] )([+-]) (?=[a-z][\w.]*[;,)\] ])", r"\1 (1 - 2 * {m}) * "),
    "equal": (r"(?<=[\w)\]] )== (?=\d)", r"== {m} + "),
    "check": (r"^( +if) \((.*?)\) (?=throw|return false)", r"\1 (!{m} && (\2)) "),
    "require": (r"^( +c\.Require\()(?=\w)", r"\1{m} || "),
}
IN_PYTHON = {
    "bound": (r"(?<=[\w)\]] )(<|<=|>|>=) (?=\d|len\()", r"\1 {m} + "),
    "one off": (r"(?<=[\w)\]] )([+-]) 1(?=[,)\]:]|$)", r"\1 (1 - {m})"),
    "equal": (r"(?<=[\w)\]] )== (?=\d|len\()", r"== {m} + "),
    "check": (r"^( +if) (.*)(?=:$)", r"\1 not {m} and (\2)"),
}
FUTURE = "from __future__ import annotations\n"
SWITCH = """
import os as _os
import sys as _sys


def _mutant(number: int) -> bool:
    reached = _sys.__dict__.setdefault("lite_mutants_reached", set())
    if number not in reached:
        reached.add(number)
        if _name := _os.environ.get("LITE_MUTANT_LOG"):
            with open(_name, "a") as _file:
                print(number, file=_file)
    return _os.environ.get("LITE_MUTANT") == str(number)

"""


def places(
    tree: Path, globs: list[str], kinds: dict[str, tuple[str, str]]
) -> list[tuple[str, ...]]:
    """(file, line, kind) of all that can be mutated."""
    found = []
    for file in sorted(f for glob in globs for f in tree.glob(glob)):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            code = line.split("//")[0].split("#")[0]
            if re.search("template|operator|static|constexpr", code):
                continue
            for kind, (pattern, _) in kinds.items():
                where = re.search(pattern, code)
                if where and '"' not in code[: where.end()]:
                    found.append((str(file.relative_to(tree)), str(number), kind))
    return found


def mutate(tree: Path, place: tuple[str, ...], index: int) -> str:
    """Puts one mutation in; returns the line as it is now."""
    name, number, kind = place
    python = name.endswith(".py")
    pattern, text = (IN_PYTHON if python else IN_CPP)[kind]
    switch = f"_mutant({index})" if python else f"(lite_mutant({index}))"
    path = tree / name
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[int(number)] = re.sub(pattern, text.replace("{m}", switch), lines[int(number)], count=1)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines[int(number)].strip()


def main() -> None:
    """As the module says; no line is mutated twice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    tree, generator = arguments.tree, random.Random(arguments.seed)
    chosen: list[tuple[str, ...]] = []
    for globs, kinds, share in ((CPP, IN_CPP, 0.75), (PYTHON, IN_PYTHON, 0.25)):
        every = places(tree, globs, kinds)
        by_kind = {k: [p for p in every if p[2] == k] for k in kinds}
        wanted = int(arguments.count * share)
        while wanted:
            place = generator.choice(by_kind[generator.choice(list(kinds))])
            if place[:2] not in [other[:2] for other in chosen]:
                chosen.append(place)
                wanted -= 1
    mutants = [
        {"number": i, "file": p[0], "line": int(p[1]) + 1, "kind": p[2], "now": mutate(tree, p, i)}
        for i, p in enumerate(chosen, 1)
    ]
    for name in {p[0] for p in chosen if p[0].endswith(".py")}:
        path, text = tree / name, (tree / name).read_text(encoding="utf-8")
        path.write_text(text.replace(FUTURE, FUTURE + SWITCH, 1), encoding="utf-8")
    (tree / "mutants.json").write_text(json.dumps(mutants, indent=1))
    print(f"{len(mutants)} mutations")


if __name__ == "__main__":
    main()
