"""Makes the public headers, the layer's tables and the reference page of table.py.

generate.py [--headers DIR] [--table FILE] [--page FILE]

--headers writes what include/**/*.in are templates of. The build runs this; the page is also
`python lite/nnadapter/nnapi/generate.py --page operations.md`.
"""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Any

HERE = Path(__file__).resolve().parent
# By their paths: the build runs this before there is a package lite to import.
TABLE = runpy.run_path(str(HERE / "table.py"))
MAKING = runpy.run_path(str(HERE.parent / "making.py"))

SOURCE = """\
// Made by generate.py of lite/nnadapter/nnapi/table.py.
#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {

const uint64_t kDefaultLoopTimeout = $default_loop_timeout, kMaximumLoopTimeout = $most;

const OperandCodeInfo* FindOperandCode(int32_t code) {
  static const OperandCodeInfo kCodes[] = {
$operand_codes
  };
  return code >= 0 && code < $operand_code_count ? &kCodes[code] : nullptr;
}

const OperationInfo* FindOperation(int32_t code) {
  static const OperationInfo kOperations[] = {
$operations
  };
  return code >= 0 && code < $operation_count ? &kOperations[code] : nullptr;
}

const char* ResultName(int32_t code) {
  static const char* const kNames[] = {$results};
  return code >= 0 && code < $result_count ? kNames[code] : "an unknown result";
}

}  // namespace nnadapter::nnapi
"""

PAGE = """\
# NNAPI operations

Made by the build of `lite/nnadapter/nnapi/table.py`, which is also what
`ANeuralNetworksModel_addOperation` checks. An operation that is not *translated* can be part of a
model, but no device takes it.

Words: $words. A letter stands for one type throughout the signature, `*` for one or more operands;
those in brackets may be left away, one after the other.

| code | operation | since level | translated | operands |
|---|---|---|---|---|
"""


def headers() -> dict[str, str]:
    """The texts of the public headers by their paths under include/."""
    return dict(MAKING["filled"](HERE / "include", MAKING["substitutes"](TABLE)))


def _word(word: Any) -> str:
    bits = sum(1 << code for code in set(word.types))
    return f"{{{bits:#x}, {word.variable}, {str(word.repeated).lower()}}}"


def _signature(signature: Any) -> str:
    inputs = ", ".join(map(_word, signature.inputs))
    outputs = ", ".join(map(_word, signature.outputs))
    return f"        {{{{{inputs}}}, {{{outputs}}}, {signature.required}}},"


def _operand_code(code: Any) -> str:
    low, high = code.zero_points or (0, 0)
    flags = [code.tensor, code.size, code.scaled, code.zero_points is not None, low, high]
    return f'      {{"{code.name}", {", ".join(str(flag).lower() for flag in flags)}}},'


def table() -> str:
    """The source that holds the table."""
    entries = []
    for operation in TABLE["OperationCode"]:
        entries.append(f'      {{"{operation.name}", {operation.level}, {{')
        entries += map(_signature, operation.signatures)
        entries.append("      }},")
    codes, results = list(TABLE["OperandCode"]), list(TABLE["ResultCode"])
    operations = list(TABLE["OperationCode"])
    for kind in (codes, results, operations):
        if [int(member) for member in kind] != list(range(len(kind))):
            sys.exit(f"table.py: the codes of {type(kind[0]).__name__} do not count up from 0")
    return Template(SOURCE).substitute(
        default_loop_timeout=TABLE["DEFAULT_LOOP_TIMEOUT"],
        most=TABLE["MAXIMUM_LOOP_TIMEOUT"],
        operand_codes="\n".join(map(_operand_code, codes)),
        operand_code_count=len(codes),
        operations="\n".join(entries),
        operation_count=len(operations),
        results=", ".join(f'"{result.name}"' for result in results),
        result_count=len(results),
    )


def translated() -> set[str]:
    """The operations that a converter is registered for; IF and WHILE are run by the layer."""
    found = {"IF", "WHILE"}
    for file in sorted((HERE / "operations").glob("*.cc")):
        found |= set(re.findall(r"^CONVERTER\((\w+)\)", file.read_text(encoding="utf-8"), re.M))
    return found


def _rows() -> Iterator[str]:
    known = translated()
    for operation in TABLE["OperationCode"]:
        operands = "<br>".join(" ".join(part.split()) for part in operation.text.split("|"))
        answer = "yes" if operation.name in known else ""
        cell = operands.replace("*", "\\*")
        yield f"| {int(operation)} | {operation.name} | {operation.level} | {answer} | {cell} |"


def page() -> str:
    """The reference of the operations."""
    words = "; ".join(
        f"`{word}` " + ", ".join(code.name for code in codes)
        for word, codes in TABLE["GROUPS"].items()
        if word not in ("any", "tensor")
    )
    return Template(PAGE).substitute(words=words) + "\n".join(_rows()) + "\n"


if __name__ == "__main__":
    sys.exit(MAKING["run"](sys.argv[1:], headers, {"table": table, "page": page}))
