"""The report as one HTML page: the graph with its places in colour, and what is behind each."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from lite.core.optimizer.partition.placement import FOLDED, OperatorPlace, Placement
from lite.core.optimizer.partition.render.colors import (
    CPU_COLOR,
    FOLDED_COLOR,
    subgraph_color,
    text_color,
)
from lite.core.optimizer.partition.render.dot import edges
from lite.core.optimizer.partition.render.layout import STEP_X, layered

_FOLDER = Path(__file__).parent


def html(placement: Placement, title: str = "Placement") -> str:
    """A page that needs no network: the graph can be dragged, zoomed and searched."""
    # What closes a script element must not stand in one.
    data = json.dumps(_data(placement)).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": escape(title.encode("utf-8", "replace").decode()),
        "STYLE": (_FOLDER / "page.css").read_text(encoding="utf-8"),
        "DATA": data,
        "SCRIPT": (_FOLDER / "page.js").read_text(encoding="utf-8"),
    }
    return re.sub("@(TITLE|STYLE|DATA|SCRIPT)@", lambda mark: parts[mark[1]], page)


def _data(placement: Placement) -> dict[str, Any]:
    links = edges(placement)
    where, bends, frames = _drawn(placement, links)
    operators = []
    for at, op in enumerate(placement.operators):
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
            "color": _color(op),
            "ink": text_color(_color(op)),
        }
        if at in where:
            item["x"], item["y"] = where[at]
        operators.append(item)
    report = placement.to_dict()
    for info, source in zip(report["subgraphs"], placement.subgraphs, strict=True):
        info["color"] = subgraph_color(info["id"])
        info["outcome_texts"] = source.outcome_texts(placement.devices)
    return {
        "summary": placement.summary(),
        "warnings": placement.warnings,
        "operators": operators,
        "subgraphs": report["subgraphs"],
        "edges": [
            {"from": a, "to": b, "name": name, "bends": bends.get((a, b), [])}
            for a, b, name in links
        ],
        "frames": frames,
        "cpu": CPU_COLOR,
    }


def _color(op: OperatorPlace) -> str:
    if op.place == FOLDED:
        return FOLDED_COLOR
    return CPU_COLOR if op.kind or op.subgraph is None else subgraph_color(op.subgraph)


_Points = list[tuple[float, float]]


def _drawn(
    placement: Placement, links: list[tuple[int, int, str]]
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
