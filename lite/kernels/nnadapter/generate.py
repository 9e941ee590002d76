"""Writes, from operators.yaml and any file beside it that the build names, what the build needs.

generate.py --rules operators.yaml [mine.yaml ...] --converters converter --output rules.cc
generate.py --rules operators.yaml --converters converter --docs nnadapter_operators.md
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from . import document, rules

HEADER = """\
// Made by generate.py from operators.yaml.
#include "lite/kernels/nnadapter/rule.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

"""
FOOTER = """
[[maybe_unused]] const bool registered = RegisterRules(kRules, sizeof(kRules) / sizeof(*kRules));

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
"""


def converters(folder: Path) -> set[str]:
    """The hand-written converters, by the names under which they are registered."""
    pattern = re.compile(r"REGISTER_NNADAPTER_CONVERTER\((\w+),")
    return {name for file in folder.glob("*.cc") for name in pattern.findall(file.read_text())}


def read(files: list[Path], folder: Path) -> list[rules.Rule]:
    known = converters(folder)
    found: list[rules.Rule] = []
    for file in files:
        for rule in rules.parse(
            file.read_text(encoding="utf-8"), str(file), known, files[0] if found else None
        ):
            double = next((r for r in found if r.op == rule.op), None)
            if double is not None:
                message = "is declared in an earlier file already"
                raise rules.RuleError(str(file), rule.line, rule.op, message)
            found.append(rule)
    return found


def cpp(found: list[rules.Rule]) -> str:
    lines = ["const RuleText kRules[] = {"]
    lines += [f'    {{"{rule.op}", R"rule({rule.form})rule"}},' for rule in found]
    return HEADER + "\n".join([*lines, "};"]) + FOOTER


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", type=Path, required=True)
    parser.add_argument("--converters", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--docs", type=Path)
    options = parser.parse_args()
    try:
        found = read(options.rules, options.converters)
    except (rules.RuleError, OSError, UnicodeDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.output:
        options.output.write_text(cpp(found), encoding="utf-8")
    if options.docs:
        options.docs.write_text(document.document(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
