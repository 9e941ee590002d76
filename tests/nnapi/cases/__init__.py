"""The table of cases: rows by family."""

from __future__ import annotations

from functools import cache

from ..rows import Case, case_of
from . import elementwise, images, movement, recurrent, reduction


@cache
def all_cases() -> dict[str, Case]:
    """Every row in every kind, by name."""
    rows = [*elementwise.ROWS, *images.ROWS, *movement.ROWS, *recurrent.ROWS]
    rows += reduction.ROWS
    cases = [case_of(row, kind, n) for n, row in enumerate(rows) for kind in row.kinds]
    return {case.name: case for case in cases}
