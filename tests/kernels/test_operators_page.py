"""docs/generated/operators.md is what operators_page.py makes of this version."""

from __future__ import annotations

from pathlib import Path

import operators_page

from lite import _core
from lite.core.user_operators import is_added

ROOT = Path(__file__).parents[2]


def test_the_page_is_current() -> None:
    written = operators_page.PAGE.read_text(encoding="utf-8")
    assert written == operators_page.page(), (
        "docs/generated/operators.md is stale: run python tests/kernels/operators_page.py"
    )


def test_types_and_limits_are_found_by_running() -> None:
    assert operators_page.types("bitwise_and") == "i64 i32 i16 i8 u8 bool"
    assert "but only 1 is supported" in operators_page.limits("matmul")
    assert operators_page.limits("abs") == ""


def test_every_file_of_an_operator_is_there() -> None:
    files = {row["file"] for row in _core.operator_table() if not is_added(row["type"])}
    assert len(files) > 90 and not [file for file in files if not (ROOT / file).is_file()]
