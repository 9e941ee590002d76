"""Makes headers, the runtime's declarations and the reference page of the table of operations.

generate.py [--headers DIR] [--declarations FILE] [--page FILE]

--headers writes what include/**/*.in are templates of. The build runs this; the page is also
`python lite/nnadapter/include/generate.py --page operations.md`.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any

HERE = Path(__file__).resolve().parent
# By their paths: the build runs this before there is a package lite to import.
TABLE = runpy.run_path(str(HERE.parent / "table.py"))
MAKING = runpy.run_path(str(HERE.parent / "making.py"))
WIDTH = 100

KINDS = {
    "tensor": "kTensor",
    "int": "kInt",
    "ints": "kInts",
    "float": "kFloat",
    "floats": "kFloats",
    "bool": "kBool",
    "shape": "kShape",
}

DECLARATIONS = """\
// Made by generate.py of lite/nnadapter/table.py.
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

$inferences

const std::vector<KnownDevice>& KnownDevices() {
  static const std::vector<KnownDevice> devices{$devices};
  return devices;
}

std::vector<OperationInfo> DeclareOperations() {
  return {
$operations
  };
}

}  // namespace nnadapter::runtime
"""

PAGE = """\
# NNAdapter operations

Made by the build of `lite/nnadapter/table.py`, which is also what the runtime checks when an
operation is added and what `lite.nnadapter.operations` shows.

Operands stand in the order of `NNAdapterModel_addOperation`. An optional operand may be a null
pointer. Constants have the shape `[1]` (int, float, bool) or are lists (ints, floats); a shape is a
list that may also be computed. A list without elements has the shape `[0]` and needs no value.
An output whose precision is unknown gets its type when the operation is added; unknown dimensions
stay unknown, candidates of dynamic dimensions are inferred one by one, and numbers that are
computed from shapes are known as far as the shapes are.

Types: *floats* are FLOAT16, FLOAT32 and FLOAT64, *integers* INT8 to UINT64, *quantised* the
QUANT types; `any` is every type. `builtin_device` refuses FLOAT16, UINT16, UINT32 and UINT64, and
computes with quantised tensors as with the real numbers that they stand for.
"""


def camel(name: str) -> str:
    """kFuseCode's FuseCode of fuse_code, Conv2D of CONV_2D."""
    return "".join(word.capitalize() for word in name.split("_")).replace("2d", "2D")


def block(items: Sequence[str], indent: int, opening: str = "enum {", closing: str = "};") -> str:
    """An initialiser on one line where it fits, else an item a line."""
    spaces = " " * indent
    line = f"{spaces}{opening} {', '.join(items)} {closing}"
    if len(line) <= WIDTH:
        return line
    lines = f",\n{spaces}  ".join(items)
    return f"{spaces}{opening}\n{spaces}  {lines}\n{spaces}{closing}"


def position(operation: Any, name: str) -> int:
    """An input's place; behind a repeated operand, the one from the end."""
    names = [operand.name for operand in operation.inputs]
    index = names.index(name)
    repeated = any(operand.repeated for operand in operation.inputs[:index])
    return index - len(names) if repeated else index


def enumerators(places: dict[str, int]) -> list[str]:
    """The items of an enum; C counts on from the one before."""
    items = []
    before: int | None = None
    for name, place in places.items():
        counted = before is not None and place == before + 1
        items.append(f"k{camel(name)}" if counted else f"k{camel(name)} = {place}")
        before = place
    return items


def positions(operation: Any) -> str:
    """A struct of hal/positions.h."""
    lines = [f"struct {camel(operation.name)} {{"]
    places = {o.name: position(operation, o.name) for o in operation.inputs if not o.repeated}
    if len(places) < len(operation.inputs):
        lines.append("  // Inputs from 0: as many as there are.")
    if places:
        lines.append(block(enumerators(places), 2))
    if len(operation.outputs) > 1:
        results = {operand.name: at for at, operand in enumerate(operation.outputs)}
        lines += ["  struct Out {", block(enumerators(results), 4), "  };"]
    return "\n".join([*lines, "};"])


def fuse_codes() -> Iterator[str]:
    """Cases of a switch: where operations have their activation."""
    found: dict[int, list[str]] = {}
    for operation in TABLE["OperationType"]:
        if "fuse_code" in [operand.name for operand in operation.inputs]:
            found.setdefault(position(operation, "fuse_code"), []).append(operation.name)
    for place, names in found.items():
        yield from (f"    case NNADAPTER_{name}:" for name in names)
        yield f"      return {place};"


def code_names() -> Iterator[str]:
    """Functions that name the codes of each enumeration but that of the precisions."""
    for kind, prefix in TABLE["ENUMERATIONS"].values():
        if kind is TABLE["Precision"]:
            continue  # hal/precision.h
        cases = [
            f"    case {prefix}{member.name}:\n"
            f'      return "{prefix.removeprefix("NNADAPTER_")}{member.name}";'
            for member in kind
        ]
        head = f"inline const char* {kind.__name__}Name(int code) {{\n  switch (code) {{"
        yield "\n".join([head, *cases, "    default:\n      return nullptr;\n  }\n}"])


def substitutes() -> dict[str, str]:
    """What stands for @NAME@ in the templates."""
    precisions = (
        f'    case NNADAPTER_{p.name}:\n      return {{"{p.name}", {p.size}}};'
        for p in TABLE["Precision"]
    )
    operations = list(TABLE["OperationType"])
    return {
        **MAKING["substitutes"](TABLE),
        "CODE_NAMES": "\n\n".join(code_names()),
        "PRECISIONS": "\n".join(precisions),
        "POSITIONS": "\n".join(map(positions, operations)),
        "FUSE_CODES": "\n".join(fuse_codes()),
        "DEVICE_NAMES": ",\n".join(f'           "{hal.name}"' for hal in TABLE["DEVICES"].values()),
    }


def headers() -> dict[str, str]:
    """The texts of the generated headers by their paths under include/."""
    return dict(MAKING["filled"](HERE, substitutes()))


def _declared(operand: Any) -> str:
    bits = sum(1 << p for p in operand.precisions)
    flags = f"{str(operand.optional).lower()}, {str(operand.repeated).lower()}"
    return f'{{"{operand.name}", OperandKind::{KINDS[operand.kind]}, {bits:#x}, {flags}}}'


def declarations() -> str:
    """The source that declares the operations to the runtime."""
    operations = list(TABLE["OperationType"])
    if [int(operation) for operation in operations] != list(range(len(operations))):
        sys.exit("table.py: the codes of the operations do not count up from 0")
    entries = []
    for o in operations:
        sides = (
            block([_declared(operand) for operand in side], 6, "{", "},")
            for side in (o.inputs, o.outputs)
        )
        head = f'    {{NNADAPTER_{o.name}, "{o.name}", "{o.devices}", Infer{o.name},'
        entries.append("\n".join([head, *sides, "    },"]))
    devices = (
        f"{{'{letter}', \"{hal.name}\", "
        f"{str(hal.integers_only).lower()}, {str(hal.restores_wrongly).lower()}}}"
        for letter, hal in TABLE["DEVICES"].items()
    )
    return Template(DECLARATIONS).substitute(
        inferences="\n".join(f"void Infer{o.name}(InferContext& c);" for o in operations),
        devices=",\n      ".join(devices),
        operations="\n".join(entries),
    )


def _types(operand: Any) -> str:
    if operand.kind != "tensor":
        return str(operand.kind)
    precision = TABLE["Precision"]
    left = set(operand.precisions)
    if left == set(precision):
        return "any"
    groups = {
        "bool": [precision.BOOL8],
        "integers": [p for p in precision if precision.INT8 <= p <= precision.UINT64],
        "floats": [precision.FLOAT16, precision.FLOAT32, precision.FLOAT64],
        "quantised": [p for p in precision if p.quantised],
    }
    words = []
    for word, group in groups.items():
        if left.issuperset(group):
            words.append(word)
            left.difference_update(group)
    return ", ".join([*words, *(p.name for p in sorted(left))])


def _places(operands: Sequence[Any]) -> list[str]:
    """0, 1, ...; from a repeated operand on, n is the number of those that it stands for."""
    places, first = [], 0
    repeated = False
    for operand in operands:
        if operand.repeated:
            places.append(f"{first} .. {f'{first} + ' if first else ''}n - 1")
            repeated = True
        else:
            extra = f"n + {first}" if first else "n"
            places.append(extra if repeated else str(first))
            first += 1
    return places


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def section(operation: Any) -> str:
    """An operation's part of the page."""
    doc = operation.doc.replace("*", "\\*")
    lines = [f"## {operation.name}", "", f"Code {int(operation)}. {doc}", ""]
    lines += ["| | operand | type | |", "|---|---|---|---|"]
    for side, operands in (("in", operation.inputs), ("out", operation.outputs)):
        for place, operand in zip(_places(operands), operands, strict=True):
            name = f"{operand.name} (optional)" if operand.optional else operand.name
            types = _types(operand) if side == "in" else ""
            lines.append(f"| {side} {place} | {name} | {types} | {_cell(operand.doc)} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    """The reference of the operations."""
    return "\n".join([PAGE, *map(section, TABLE["OperationType"])])


if __name__ == "__main__":
    sys.exit(MAKING["run"](sys.argv[1:], headers, {"declarations": declarations, "page": page}))
