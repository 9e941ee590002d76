"""lite operators: what a model uses and what of it does not run here, without its parameters; or
an operator's declaration and the file where it stands."""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from lite import _core
from lite.api import arguments
from lite.api.op_support import operators_here
from lite.core.user_operators import is_added
from lite.errors import UnsupportedOperatorError
from lite.model.find import find_program
from lite.model.load import read_program
from lite.model.naive_buffer import read_nb
from lite.model.onnx.reader import read_onnx
from lite.model.pir.document import parse_document
from lite.model.pir.table import declaration
from lite.model.pir.translate import custom_operator, find_special
from lite.model.program import Program
from lite.model.sniff import Kind

_FRAME = ("feed", "fetch")


@dataclass(frozen=True)
class Use:
    """One operator type of a model."""

    operator: str
    count: int
    runs: str  # "yes", "python" (@lite.operator), "device" (in a subgraph only) or "no"
    nnadapter: bool  # has a conversion for NNAdapter's devices


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "model",
        help="a folder, a program (.json, .pdmodel, __model__), .nb file, or an operator's name",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(flags: argparse.Namespace) -> int:
    """Runs the command; 1 where an operator is missing."""
    if not os.path.exists(flags.model) and (row := custom_operator(flags.model)):
        return _show(row, flags.json)
    path = find_program(arguments.path(flags.model, "the model")).name
    found = uses(path)
    missing = [use for use in found if use.runs == "no"]
    if flags.json:
        print(json.dumps({"model": path, "operators": [asdict(use) for use in found]}, indent=2))
        return 1 if missing else 0
    width = max([len(use.operator) for use in found] + [8])
    print(f"{'operator':{width}}  {'count':>5}  {'runs':6}  NNAdapter")
    for use in found:
        mark = "yes" if use.nnadapter else "-"
        print(f"{use.operator:{width}}  {use.count:5}  {use.runs:6}  {mark}")
    if not missing:
        print(f"all {len(found)} operators run here")
        return 0
    print(
        f"{len(missing)} of {len(found)} operators are missing: "
        f"{', '.join(use.operator for use in missing)}; see docs/custom_operators.md"
    )
    return 1


def _show(row: dict[str, Any], as_json: bool) -> int:
    """Prints an operator's declaration."""
    row["nnadapter"] = row["type"] in _core.nnadapter_operators()
    if as_json:
        print(json.dumps(row, indent=2))
        return 0
    print(f"{row['type']}: {row['file'] or 'written in Python'}")
    for kind in ("inputs", "outputs"):
        for name, optional, repeated in row[kind]:
            notes = [text for text, set_ in (("optional", optional), ("many", repeated)) if set_]
            print(f"  {kind[:-1]:9} {name}{' (' + ', '.join(notes) + ')' if notes else ''}")
    for name, type_, default, required in row["attrs"]:
        print(f"  attribute {name}: {type_}" + ("" if required else f" = {default!r}"))
    print(f"  NNAdapter {'yes' if row['nnadapter'] else '-'}")
    return 0


def uses(path: str) -> list[Use]:
    """The operators of a program, sorted by name. PIR programs: their own names where they cannot
    be read as a Program. Raises ModelFormatError for what is no program."""
    found = find_program(path)
    if found.kind is Kind.NB:
        return _program_uses(read_nb(found.name))
    if found.kind is Kind.ONNX:
        return _program_uses(read_onnx(found))
    try:
        return _program_uses(read_program(found))
    except UnsupportedOperatorError:
        if found.kind is not Kind.PIR:
            raise
        missing = _pir_uses(found.read())
        if all(use.runs != "no" for use in missing):
            raise  # something else than an operator is unknown
        return missing


def _program_uses(program: Program) -> list[Use]:
    on_devices = {
        int(attr.value)
        for block in program.blocks
        for op in block.ops
        if op.type == "subgraph" and (attr := op.attrs.get("sub_block")) is not None
    }
    counts, here = Counter[str](), set[str]()
    for position, block in enumerate(program.blocks):
        for op in block.ops:
            if op.type not in _FRAME:
                counts[op.type] += 1
                if position not in on_devices:
                    here.add(op.type)
    known, converts = operators_here(), set(_core.nnadapter_operators())
    return [
        Use(
            type,
            count,
            _runs(type, type in known) if type in here else "device",
            type in converts,
        )
        for type, count in sorted(counts.items())
    ]


def _runs(type: str, known: bool) -> str:
    return "python" if is_added(type) else "yes" if known else "no"


def _pir_uses(data: bytes) -> list[Use]:
    known, converts = operators_here(), set(_core.nnadapter_operators())
    found: dict[str, tuple[int, str, bool]] = {}
    for op in parse_document(data).region.walk():
        declared = declaration(op.name) if op.dialect == "pd_op" else None
        if declared is not None:
            state = _runs(declared.type, declared.type in known)
        elif op.dialect == "custom_op" and custom_operator(op.name) is not None:
            state = _runs(op.name, True)
        else:
            state = "no" if find_special(op) is None else "yes"
        count = found[op.full_name][0] if op.full_name in found else 0
        converted = declared is not None and declared.type in converts
        found[op.full_name] = (count + 1, state, converted)
    return [Use(name, *rest) for name, rest in sorted(found.items())]
