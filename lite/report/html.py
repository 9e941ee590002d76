"""The report as one HTML page: the graph with its places in colour, and what is behind each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from lite.report.colors import (
    CPU_COLOR,
    FOLDED_COLOR,
    subgraph_color,
    text_color,
)
from lite.report.dot import edges
from lite.report.histogram import Histogram
from lite.report.layout import STEP_X, layered
from lite.report.places import FOLDED, OperatorPlace, Places
from lite.report.table import size_text

_FOLDER = Path(__file__).parent


@dataclass
class Overlay:
    """Another report on the same graph: its answer, colours and details by operator.

    Without ``colors`` and ``legend`` the placement's own are shown. ``weights`` is by variable.
    """

    summary: str
    notes: list[str] = field(default_factory=list)
    colors: dict[int, str] | None = field(default_factory=dict)
    details: dict[int, dict[str, str]] = field(default_factory=dict)
    legend: list[tuple[str, str]] = field(default_factory=list)
    weights: Mapping[str, Histogram] = field(default_factory=dict)


def framed(page: str) -> str:
    """A page inside another one, as notebooks show it."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" '
        'style="width:100%;height:640px;border:1px solid #ccc"></iframe>'
    )


def html(placement: Places, title: str = "Placement", overlay: Overlay | None = None) -> str:
    """A page that needs no network: the graph can be dragged, zoomed and searched."""
    # What closes a script element must not stand in one.
    data = (
        json.dumps(_data(placement, title, overlay))
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
    )
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": escape(title.encode("utf-8", "replace").decode()),
        "STYLE": (_FOLDER / "page.css").read_text(encoding="utf-8"),
        "DATA": data,
        "SCRIPT": (_FOLDER / "page.js").read_text(encoding="utf-8"),
    }
    return re.sub("@(TITLE|STYLE|DATA|SCRIPT)@", lambda mark: parts[mark[1]], page)


def _data(placement: Places, title: str, overlay: Overlay | None) -> dict[str, Any]:
    links = edges(placement)
    where, bends, frames = _drawn(placement, links)
    operators = []
    for at, op in enumerate(placement.operators):
        color = _color(op)
        if overlay is not None and overlay.colors is not None:
            color = overlay.colors.get(at, CPU_COLOR)
        item = {
            "label": op.label,
            "type": op.type,
            "block": op.block,
            "place": "device" if not op.kind and op.subgraph is not None else op.place,
            "subgraph": None if op.kind else op.subgraph,
            "device": op.device,
            "reason": op.reason,
            "inputs": op.inputs,
            "outputs": op.outputs,
            "attributes": op.attributes,
            "color": color,
            "ink": text_color(color),
            "compute": op.compute,
            "notes": overlay.details.get(at, {}) if overlay is not None else {},
        }
        if at in where:
            item["x"], item["y"] = where[at]
        operators.append(item)
    report = placement.to_dict()
    for info, source in zip(report["subgraphs"], placement.subgraphs, strict=True):
        info["color"] = subgraph_color(info["id"])
        info["outcome_texts"] = source.outcome_texts(placement.devices)
    return {
        "title": title,
        "summary": overlay.summary if overlay is not None else placement.summary(),
        "figures": _figures(placement),
        "tensors": placement.tensors,
        "legend": overlay.legend if overlay is not None else [],
        "weights": {
            name: asdict(weight)
            for name, weight in (overlay.weights if overlay is not None else {}).items()
        },
        "warnings": [*(overlay.notes if overlay is not None else []), *placement.warnings],
        "judged": [f"{device}: {text}" for device, text in placement.judged.items()],
        "operators": operators,
        "subgraphs": report["subgraphs"],
        "edges": [
            {"from": a, "to": b, "name": name, "bends": bends.get((a, b), [])}
            for a, b, name in links
        ],
        "frames": frames,
        "cpu": CPU_COLOR,
    }


def _figures(placement: Places) -> list[tuple[str, str]]:
    """The answer in numbers."""
    listed = [op for op in placement.operators if not op.is_io and op.place != FOLDED]
    on = len(placement.on_device())
    share = placement.compute_share()
    where = ", ".join(placement.devices) or "the device"
    crossings = [item for info in placement.subgraphs for item in (*info.inputs, *info.outputs)]
    free = ", free dimensions as 1" if any(-1 in item.shape for item in crossings) else ""
    return [
        (_percent(on / len(listed) if listed else 0.0), f"of operators on {where}"),
        *([(_percent(share), "of multiply-adds there")] if share is not None else []),
        (str(len(placement.subgraphs)), "subgraph" + "s" * (len(placement.subgraphs) != 1)),
        (size_text(placement.bytes_moved), f"to and from devices in a run{free}"),
    ]


def _percent(share: float) -> str:
    """Rounded, but neither to all nor to nothing."""
    text = f"{100 * share:.1f}"
    if text == "100.0" and share < 1:
        return "> 99.9 %"
    if text == "0.0" and share > 0:
        return "< 0.1 %"
    return f"{text.removesuffix('.0')} %"


def _color(op: OperatorPlace) -> str:
    if op.place == FOLDED:
        return FOLDED_COLOR
    return CPU_COLOR if op.kind or op.subgraph is None else subgraph_color(op.subgraph)


_Points = list[tuple[float, float]]


def _drawn(
    placement: Places, links: list[tuple[int, int, str]]
) -> tuple[dict[int, tuple[float, float]], dict[tuple[int, int], _Points], list[dict[str, Any]]]:
    """Where operators stand and edges bend: each block is a drawing of its own beside the last."""
    where: dict[int, tuple[float, float]] = {}
    bends: dict[tuple[int, int], _Points] = {}
    frames: list[dict[str, Any]] = []
    left = 0.0
    for block in sorted({op.block for op in placement.operators}):
        own = [
            at
            for at, op in enumerate(placement.operators)
            if op.block == block and op.place != FOLDED
        ]
        number = {at: order for order, at in enumerate(own)}
        pairs = [p for p in dict.fromkeys((a, b) for a, b, _ in links) if set(p) <= number.keys()]
        drawing = layered(len(own), [(number[a], number[b]) for a, b in pairs])
        for at in own:
            x, y = drawing.nodes[number[at]]
            where[at] = (round(x + left, 1), round(y, 1))
        for pair, points in zip(pairs, drawing.bends, strict=True):
            bends[pair] = [(round(x + left, 1), round(y, 1)) for x, y in points]
        frames.append({"block": block, "x": left, "w": drawing.width, "h": drawing.height})
        left += drawing.width + 2 * STEP_X
    return where, bends, frames
