"""The operations and numbers of nnadapter.h that rules name, from the table of NNAdapter."""

from __future__ import annotations

import runpy
from pathlib import Path

# By its path: the build runs this before there is a package lite to import.
_TABLE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "nnadapter" / "table.py"))
_NAMED = ("Precision", "FuseCode", "AutoPad", "PadMode", "InterpolateMode")

CONSTANTS: dict[str, int] = {
    f"{prefix.removeprefix('NNADAPTER_')}{member.name}": int(member)
    for kind, prefix in _TABLE["ENUMERATIONS"].values()
    if kind.__name__ in _NAMED
    for member in kind
}
OPERATIONS: dict[str, int] = {o.name: int(o) for o in _TABLE["OperationType"]}
# Inputs and results in their order; "..." stands for one or more.
OPERANDS: dict[str, tuple[list[str], list[str]]] = {
    o.name: (
        [p.name + "s..." * p.repeated for p in o.inputs],
        [p.name + "s..." * p.repeated for p in o.outputs],
    )
    for o in _TABLE["OperationType"]
}
