"""The table that ``Config.summary()`` returns."""

from __future__ import annotations

_Rows = list[tuple[str, str]]


def table(groups: list[_Rows]) -> str:
    """Options and values in groups, framed as Paddle does it."""
    rows = [("Option", "Value"), *(row for group in groups for row in group)]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"

    def line(row: tuple[str, str]) -> str:
        return f"| {row[0]:<{widths[0]}} | {row[1]:<{widths[1]}} |"

    text = ["", rule, line(rows[0]), rule]
    for group in groups:
        text += [*map(line, group), rule]
    return "\n".join(text) + "\n"
