"""Writes docs/generated/torch_operators.md from the table."""

from __future__ import annotations

from pathlib import Path

from lite.torch import table
from lite.torch.table import Row

PAGE = Path(__file__).parents[2] / "docs" / "generated" / "torch_operators.md"

_HEAD = """# Operators of PyTorch

Generated from `lite/torch/operators.yaml` by `tests/pytorch/torch_operators_page.py`. A name stands
for its functional, `out` and in-place forms as listed; what is not here, or does not hold in a
call, stays with torch, and `lite.torch.explain` says why. "by hand" is an adapter of
`lite/torch/adapters`.

| operator | forms | element types | becomes | only where |
|---|---|---|---|---|
"""
_TYPES = {"": "all", "float": "float32", "number": "float32, int32, int64"}


def _family(row: Row) -> str:
    return row.inherits or row.name.partition("::")[2]


def page() -> str:
    """The page's text."""
    families: dict[str, list[Row]] = {}
    for same in table.official().values():
        for row in same:
            families.setdefault(_family(row), []).append(row)
    lines = []
    for rows in families.values():
        names = sorted({row.name.partition("::")[2] for row in rows}, key=lambda n: (len(n), n))
        meaning = rows[0].meaning
        becomes = "; ".join(meaning.statements) or f"by hand: `{meaning.adapter}`"
        where = "; ".join(f"`{condition.test}`" for condition in meaning.conditions)
        forms = ", ".join(names[1:])
        types = _TYPES[meaning.dtypes]
        lines.append(f"| `{names[0]}` | {forms} | {types} | {becomes} | {where} |")
    return _HEAD + "\n".join(sorted(lines)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
