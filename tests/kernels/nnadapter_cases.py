"""Operators' case tables, converted to NNAdapter."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import harness
from harness import Case, OpTable, core


def table_of(op: str) -> OpTable:
    if op not in harness.TABLES:
        importlib.import_module(f"test_{op}")
    return harness.TABLES[op]


def constants(case: Case) -> Iterator[list[str]]:
    """The inputs that are parameters: as the case has it, and all but the first."""
    yield case.params
    more = sorted({*case.params, *list(case.inputs)[1:]})
    if more != sorted(case.params):
        yield more


def convert(case: Case, op: str, params: list[str], **options: Any) -> dict[str, Any]:
    return dict(
        core().nnadapter_convert_op(
            op, case.inputs, case.outputs, case.attrs, params=params, **options
        )
    )


def check_reason(op: str, reason: str) -> None:
    assert reason and not reason.endswith("."), f"{op}: {reason!r} is no sentence"
    assert "declaration" not in reason and "operator rules" not in reason, f"{op}: {reason}"
