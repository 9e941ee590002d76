"""docs/generated/operators.md: of the operator table, the PIR table, the rules and the tests.

    python tests/kernels/operators_page.py        # writes it

Element types are found by trying: the first case of an operator's test that runs is run again with
its main input, and what has the same type, in each type. Limits are what the error cases of the
test say is not supported.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "generated" / "operators.md"
DTYPES = "float32 float64 float16 int64 int32 int16 int8 uint8 bool complex64 complex128".split()
SHORT = {"float": "f", "int": "i", "uint": "u", "complex": "c"}

INTRODUCTION = """\
# Operators

The {count} operators that run here, on the CPU. Made by `python tests/kernels/operators_page.py`;
do not edit. `lite operators MODEL` says what a model uses; an operator that is not listed can be
written in Python (`../custom_operators.md`) or C++ (`../add_operator.md`).

**PIR** is the operator's name in Paddle 3's programs (`pd_op.NAME`) where a table reads it; what
reads as several operators is not listed. **Types** are the element types that the operator's main
input may have (f32 is float32, u8 uint8, ...), found by running it; `-`: it has no such input, or
takes tensors of any type. **NNAdapter**: it has a conversion for devices, whose conditions are in
`nnadapter_operators.md`; what a device takes of it, the device says. **Limits** are what Paddle has
and this operator refuses, in the words of its errors. **File**: where it is declared, below
`lite/kernels/`.

| operator | PIR | types | NNAdapter | file | limits |
|---|---|---|---|---|---|
"""


@cache
def tables() -> Mapping[str, Any]:
    """The operator tests' tables, by operator."""
    import harness

    for path in sorted(FOLDER.glob("test_*.py")):
        if ".tests()" in path.read_text(encoding="utf-8"):
            importlib.import_module(path.stem)
    return dict(harness.TABLES)


def run(table: Any, case: Any, inputs: Any) -> str:
    """The error's name and text, or "" where it runs."""
    from lite import _core
    from lite.errors import LiteError

    try:
        _core.run_op(table.op, inputs, case.outputs, case.attrs, case.params, dynamic=True)
    except LiteError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def recast(table: Any, case: Any, dtype: str) -> Any:
    """The case's inputs with those of the main input's type in another type; None without any."""
    arrays = [case.inputs.get(slot, []) for slot, _, _ in table.info["inputs"]]
    main = next((values[0][0] for values in arrays if values), None)
    if main is None:
        return None
    with np.errstate(all="ignore"):
        return {
            slot: [
                (np.asarray(np.abs(a) * 3 + 1, dtype) if a.dtype == main.dtype else a, lod)
                for a, lod in values
            ]
            for slot, values in case.inputs.items()
        }


def types(op: str) -> str:
    """The element types of the main input that run."""
    table = tables().get(op)
    found: list[str] = []
    for case in table.cases[:40] if table is not None else ():
        if recast(table, case, "float32") is None:
            continue
        good = [d for d in DTYPES if not run(table, case, recast(table, case, d))]
        found = max(found, good, key=len)
    short = (re.sub("[a-z]+", lambda m: SHORT.get(m[0], m[0]), dtype) for dtype in found)
    return " ".join(short) or "-"


def limits(op: str) -> str:
    """What the errors of the operator's test call not supported."""
    table = tables().get(op)
    found: dict[str, str] = {}  # by what it says whatever the value
    for case in table.errors if table is not None else ():
        text = run(table, case, case.inputs)
        if "supported" in text:
            text = re.sub(r"^\w+: (operator 0 \(.*?\): )*", "", text).split(";")[0]
            found.setdefault(re.sub(r" is \S+", "", text, count=1), text)
    return "; ".join(found.values()).replace("|", "\\|")


def pir_names() -> dict[str, list[str]]:
    """The names of PIR operators that read as each operator."""
    from lite.model.pir.table import declaration, names

    found = defaultdict(list)
    for name in names():
        declared = declaration(name)
        assert declared is not None
        found[declared.type].append(name)
    return found


def page() -> str:
    """The whole page."""
    from lite import _core
    from lite.api.op_support import operators_here
    from lite.core.user_operators import is_added

    converts = set(_core.nnadapter_operators())
    pir = pir_names()
    files = {row["type"]: row["file"] for row in _core.operator_table()}
    rows = []
    known = sorted(op for op in operators_here() if not is_added(op))
    for op in known:
        names = ", ".join(pir.get(op, [])) or "-"
        mark = "yes" if op in converts else "-"
        file = files.get(op, "-").removeprefix("lite/kernels/")
        rows.append(f"| {op} | {names} | {types(op)} | {mark} | {file} | {limits(op)} |")
    return INTRODUCTION.format(count=len(known)) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
    PAGE.write_text(page(), encoding="utf-8")
