"""The report as a Graphviz digraph."""

from __future__ import annotations

from lite.report.colors import CPU_COLOR, subgraph_color, text_color
from lite.report.places import FOLDED, OperatorPlace, Places


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def dot(placement: Places) -> str:
    """Operators as boxes, coloured by subgraph; edges are labelled with the variables."""
    lines = ["digraph G {", '  node [shape=box style="filled,rounded" fontname="sans-serif"]']
    shown = [(at, op) for at, op in enumerate(placement.operators) if op.place != FOLDED]
    groups: dict[int | None, list[tuple[int, OperatorPlace]]] = {}
    for at, op in shown:
        groups.setdefault(None if op.kind else op.subgraph, []).append((at, op))
    for subgraph, members in groups.items():
        inner = [_node(at, op) for at, op in members]
        if subgraph is None:
            lines += inner
            continue
        lines.append(f"  subgraph cluster_{subgraph} {{")
        lines.append(f"    label={_quoted(f'subgraph {subgraph}')} color=gray style=dashed")
        lines += [f"  {line}" for line in inner]
        lines.append("  }")
    for source, target, name in edges(placement):
        lines.append(f"  op_{source} -> op_{target} [label={_quoted(name)}]")
    return "\n".join([*lines, "}", ""])


def _node(at: int, op: OperatorPlace) -> str:
    color = CPU_COLOR if op.kind or op.subgraph is None else subgraph_color(op.subgraph)
    tip = op.reason or f"subgraph {op.subgraph}{f' on {op.device}' if op.device else ''}"
    return (
        f'  op_{at} [label={_quoted(op.label)} fillcolor="{color}" '
        f'fontcolor="{text_color(color)}" tooltip={_quoted(tip)}]'
    )


def edges(placement: Places) -> list[tuple[int, int, str]]:
    """Pairs of operators and the variable between them: the last one that wrote it before, else
    (in a sub-block) what wrote it in an outer block. They run through operators that are folded."""
    found: dict[tuple[int, int, str], None] = {}
    writers: dict[int, dict[str, list[tuple[int, str]]]] = {}
    from_subgraphs: dict[str, list[tuple[int, str]]] = {}  # those with blocks of their own
    for at, op in enumerate(placement.operators):
        own = writers.setdefault(op.block, {})
        sources: dict[tuple[int, str], None] = {}
        for name in dict.fromkeys(name for names in op.inputs.values() for name in names):
            listed = own.get(name)
            if listed is None:
                listed = writers.get(0, {}).get(name) if op.block else from_subgraphs.get(name)
            sources.update(dict.fromkeys(listed or ()))
        if op.place != FOLDED:
            found.update(((source, at, name), None) for source, name in sources)
        for name in (name for names in op.outputs.values() for name in names):
            if op.type != "fetch":
                own[name] = [(at, name)] if op.place != FOLDED else list(sources)
                if op.subgraph is not None:
                    from_subgraphs[name] = own[name]
    return list(found)
