"""Which operators run here and which kernels real Paddle Lite has, as tables to print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lite import _core

if TYPE_CHECKING:
    from lite.model.program import Program

COLUMNS = ("lite", "kHost", "kX86", "kARM")
"""Runs here; then the kernels of Paddle Lite 2.14 that a `.nb` file can name."""

_FRAME = ("feed", "fetch")


def operators_here() -> frozenset[str]:
    """The operators that this version runs."""
    return frozenset({row["type"] for row in _core.operator_table()} | {*_FRAME})


def support() -> dict[str, frozenset[str]]:
    """The columns that hold for each operator, by operator."""
    from lite.core.optimizer.kernel_pick import kernel_table

    found = {op: {f"k{row.target}" for row in rows} for op, rows in kernel_table().items()}
    for op in operators_here():
        found.setdefault(op, set()).add("lite")
    return {op: frozenset(found[op]) for op in sorted(found)}


def device_operators(device: str) -> frozenset[str]:
    """The operators that a device takes: those of its public list, else all, that are converted."""
    from lite.core.optimizer.vendors import vendor_operators

    converted = frozenset(_core.nnadapter_operators())
    return vendor_operators().get(device, converted) & converted


def count_operators(program: Program) -> Counter[str]:
    """How often each operator type stands in all blocks."""
    return Counter(op.type for block in program.blocks for op in block.ops)


def text_table(operators: Iterable[str], devices: Sequence[str] = ()) -> str:
    """One operator a line, with a Y in each column that holds; devices have columns, too."""
    known = support()
    on_devices = {device: device_operators(device) for device in devices}
    columns = (*COLUMNS, *devices)
    lines = [f"{'OP_name':>47}  " + "  ".join(columns)]
    for op in operators:
        marks = (
            "Y" if column in known.get(op, ()) or op in on_devices.get(column, ()) else " "
            for column in columns
        )
        cells = (mark.rjust(len(column)) for mark, column in zip(marks, columns, strict=True))
        lines.append(f"{op:>47}  {'  '.join(cells)}".rstrip())
    return "\n".join(lines)


def markdown_table(operators: Iterable[str]) -> str:
    """The same as a Markdown table."""
    known = support()
    lines = [f"| OP_name | {' | '.join(COLUMNS)} |", "|-:|" + "-|" * len(COLUMNS)]
    for op in operators:
        marks = ("Y" if column in known.get(op, ()) else " " for column in COLUMNS)
        lines.append(f"| {op} | {' | '.join(marks)} |")
    return "\n".join(lines)


def kernel_lines() -> list[str]:
    """``op,target,precision,layout,alias`` of every kernel that this version has."""
    from lite.api.enums import DataLayoutType, PrecisionType, TargetType

    lines = []
    for row in _core.operator_table():
        for target, precision, layout, alias in row["kernels"]:
            names = (
                TargetType(target).name,
                PrecisionType(precision).name,
                DataLayoutType(layout).name,
            )
            lines.append(",".join((row["type"], *names, alias)))
    return sorted(lines)


def shown_targets(targets: Sequence[str]) -> str:
    """Targets as Paddle Lite prints them: kX86, kARM, and devices by their names."""
    names = {"x86": "kX86", "arm": "kARM", "host": "kHost"}
    return " ".join(names.get(target, target) for target in targets)
