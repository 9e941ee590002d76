"""A comparison as text, JSON and HTML."""

from __future__ import annotations

import json
import math
from typing import Any

from lite.api.compare.data import Column, ComparedOperator, ComparisonData
from lite.api.compare.difference import Limit


def table(found: ComparisonData) -> str:
    """The answer, then an operator a line."""
    lines = [found.summary(), *(f"note: {text}" for text in found.notes)]
    lines.append(f"runs: {', '.join(found.runs)}; entire by {found.how}")
    head = ("operator", "place", *_HEADS, *_HEADS, "")
    rows = [
        ("", "", "entire", *("",) * 3, "single", *("",) * 3, ""),
        head,
        *(_row(op) for op in found.operators),
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines) + "\n"


_HEADS = ("cosine", "SNR dB", "largest", "relative")


def _row(op: ComparedOperator) -> tuple[str, ...]:
    place = f"subgraph {op.place.subgraph}" if op.on_device else "cpu"
    return (op.place.label, place, *_cells(op.entire), *_cells(op.single), _remark(op))


def _cells(column: Column | None) -> tuple[str, str, str, str]:
    if column is None or (column.difference is None and column.status == "ok"):
        return ("-", "", "", "")
    some = column.difference
    if column.status != "ok" or some is None:
        return (column.status, "", "", "")
    if some.shape or some.type:
        return ("shape" if some.shape else "type", "", "", "")
    nan = " NaN" if some.nan else ""
    return (
        "-" if some.cosine is None else f"{some.cosine:.6f}",
        "-" if some.snr is None else f"{some.snr:.1f}",
        f"{some.largest:.3g}{nan}",
        f"{some.relative:.3g}",
    )


def _remark(op: ComparedOperator) -> str:
    if op.single is not None and op.single.wrong:
        run = f" ({op.single.run})" if op.single.run else ""
        return f"WRONG ALONE: {op.single.wrong}{run}"
    if op.entire is not None and op.entire.wrong:
        return "wrong in the model" + (f"; {op.note}" if op.note else "")
    return op.note


def as_json_text(data: dict[str, Any]) -> str:
    """Indented JSON; infinite numbers become texts."""
    return json.dumps(_plain(data), indent=1, allow_nan=False) + "\n"


def to_json(found: ComparisonData) -> str:
    """A comparison as JSON."""
    return as_json_text(found.to_dict())


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def html(found: ComparisonData) -> str:
    """The placement's page, its operators coloured by their errors."""
    from lite.report.html import Overlay, html

    marks = {id(op.place): op for op in found.operators}
    colors: dict[int, str] = {}
    overlay = Overlay(found.summary(), list(found.notes), colors)
    for at, place in enumerate(found.placement.operators):
        op = marks.get(id(place))
        if op is not None:
            colors[at] = _color(op, found.limit)
            overlay.details[at] = {
                name: " ".join(filter(None, [*_cells(column), column.wrong if column else ""]))
                for name, column in (("entire", op.entire), ("single", op.single))
            }
    overlay.legend = [("wrong alone", _WRONG), ("wrong in the model", _REACHED)]
    overlay.legend += [("right, the error near the tolerance", _shade(1)), ("right", _shade(0))]
    return html(found.placement, f"{found.model} compared", overlay)


_WRONG, _REACHED = "#d62728", "#f4a582"


def _color(op: ComparedOperator, limit: Limit) -> str:
    if op.single is not None and op.single.wrong:
        return _WRONG
    if op.entire is not None and op.entire.wrong:
        return _REACHED
    columns = [column for column in (op.single, op.entire) if column and column.difference]
    error = max((c.difference.relative for c in columns if c.difference), default=0.0)
    if error <= 0:
        return _shade(0)
    return _shade(min(1.0, max(0.0, 1 + math.log10(error / limit.tolerance) / 4)))


def _shade(level: float) -> str:
    """From green, where nothing differs, to yellow, where the tolerance is reached."""
    low, high = (199, 233, 192), (255, 237, 160)
    mixed = [round(a + (b - a) * level) for a, b in zip(low, high, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)
