"""Writes, from operators.yaml and any file beside it that the build names, what the build needs.

generate.py --rules operators.yaml [mine.yaml ...] --converters converter --output rules.cc
generate.py --rules operators.yaml --converters converter --docs nnadapter_operators.md

rules.h, which rules.cc includes, is written beside it.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from . import document, rules
from .rule_node import KINDS

HEADER = """\
// Made by generate.py: the kinds of nodes that rules consist of, and the functions that they call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paddle::lite::nnadapter_bridge {{

class Conversion;
struct Value;

enum class NodeKind : uint8_t {{
{kinds}
}};

// How many children a node of each kind has.
struct Arity {{
  size_t fewest, most;
}};
constexpr Arity kArities[] = {{
{arities}
}};
constexpr bool kHasText[] = {{
{texts}
}};

namespace functions {{

{declarations}

}}  // namespace functions

struct Function {{
  const char* name;
  size_t fewest, most;  // arguments
  Value (*call)(const std::vector<Value>& arguments, Conversion& conversion);
}};
constexpr Function kFunctions[] = {{
{functions}
}};

}}  // namespace paddle::lite::nnadapter_bridge
"""
TABLE = """\
// Made by generate.py from operators.yaml.
#include "lite/kernels/nnadapter/expression.h"
#include "lite/kernels/nnadapter/rule.h"

namespace paddle::lite::nnadapter_bridge {{
namespace {{

const char kTexts[] =
{texts};
const Node kNodes[] = {{
{nodes}
}};
[[maybe_unused]] const bool registered =
    RegisterRules(kNodes, sizeof(kNodes) / sizeof(*kNodes), kTexts);

}}  // namespace
}}  // namespace paddle::lite::nnadapter_bridge
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


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def header() -> str:
    functions = {name: (camel(name), function) for name, function in rules.FUNCTIONS.items()}
    return HEADER.format(
        kinds="\n".join(f"  k{camel(kind)}," for kind in KINDS),
        arities="\n".join(f"    {{{kind.fewest}, {kind.most}}}," for kind in KINDS.values()),
        texts="\n".join(f"    {str(kind.text).lower()}," for kind in KINDS.values()),
        declarations="\n".join(
            f"Value {called}(const std::vector<Value>& arguments, Conversion& conversion);"
            for called, _ in functions.values()
        ),
        functions="\n".join(
            f'    {{"{name}", {function.fewest}, {function.most}, functions::{called}}},'
            for name, (called, function) in functions.items()
        ),
    )


def literal(text: str) -> str:
    plain = (
        chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode()
    )
    return '"' + "".join(plain) + '"'


def table(found: list[rules.Rule]) -> str:
    nodes = [node for rule in found for node in rule.node]
    starts: dict[str, int] = {}  # of each text
    end = 0
    for node in nodes:
        if KINDS[node.kind].text and node.text not in starts:
            starts[node.text] = end
            end += len(node.text.encode()) + 1
    functions = {name: i for i, name in enumerate(rules.FUNCTIONS)}
    lines = []
    for node in nodes:
        number = node.number
        if KINDS[node.kind].text:
            number = starts[node.text]
        elif node.kind == "call":
            number = functions[node.text]
        counts = f"{len(node.children)}, {sum(1 for _ in node)}"
        lines.append(f"    {{NodeKind::k{camel(node.kind)}, {counts}, {number}}},")
    return TABLE.format(
        texts="\n".join(f'    {literal(text)} "\\0"' for text in starts), nodes="\n".join(lines)
    )


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
        options.output.write_text(table(found), encoding="utf-8")
        options.output.with_suffix(".h").write_text(header(), encoding="utf-8")
    if options.docs:
        options.docs.write_text(document.document(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
