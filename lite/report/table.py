"""The report as text."""

from __future__ import annotations

from collections.abc import Sequence

from lite.report.places import Crossing, OperatorPlace, Places, SubgraphInfo, counted, on_cpu

_UNITS = ("B", "KB", "MB", "GB")


def size_text(count: float) -> str:
    """A number of bytes in a readable unit."""
    for unit in _UNITS:
        if count < 1024 or unit == _UNITS[-1]:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError


def place_text(op: OperatorPlace) -> str:
    """An operator's place in few words."""
    if op.subgraph is None or op.kind:
        return op.place
    return f"subgraph {op.subgraph}{f' on {op.device}' if op.device else ''}"


def crossing_text(item: Crossing) -> str:
    """A tensor's name, type and shape."""
    return f"{item.name} {item.type_text}"


def table(placement: Places) -> str:
    """The summary, the subgraphs, and the operators with their places and reasons."""
    lines = [*([f"model: {placement.model}"] if placement.model else []), placement.summary()]
    if placement.config:
        lines.append(f"config: {placement.config}")
    lines += [f"{device}: {text}" for device, text in placement.judged.items()]
    lines += [f"warning: {text}" for text in placement.warnings]
    for info in placement.subgraphs:
        lines += ["", *_subgraph(placement, info)]
    rows = [
        (str(at), op.label, op.outputs_text(), place_text(op), op.reason)
        for at, op in enumerate(placement.operators)
        if not op.is_io
    ]
    lines += ["", *_columns([("#", "operator", "outputs", "place", "reason"), *rows])]
    lines += ["", *_reasons(placement)]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _subgraph(placement: Places, info: SubgraphInfo) -> list[str]:
    where = f" of block {info.block}" if info.block else ""
    head = f"subgraph {info.id}{where}: {counted(len(info.operators), 'operator')}"
    devices = f" on {', '.join(info.devices)}" if info.devices else ""
    lines = [f"{head}{devices}, {info.compute:,} multiply-adds, {size_text(info.weights)} weights"]
    for word, items, count in (
        ("in", info.inputs, info.bytes_in),
        ("out", info.outputs, info.bytes_out),
    ):
        listed = ", ".join(map(crossing_text, items))
        lines.append(f"  {word + ':':<4} {listed} ({size_text(count)})")
    times = []
    if info.compile_ms is not None:
        hit = " (from the cache)" if info.cache_hit else ""
        times.append(f"compiled in {info.compile_ms:.2f} ms{hit}")
    if info.runs:
        times.append(f"{counted(info.runs, 'run')}, {(info.run_ms or 0) / info.runs:.3f} ms each")
    if info.padded_runs:
        times.append(
            f"{counted(info.padded_runs, 'run')} of inputs that were padded; of the latest "
            f"{info.padding:.0%} are zeros"
        )
    outcomes = info.outcome_texts(placement.devices)
    if info.fallback and not outcomes:
        elsewhere = bool(info.devices) and not on_cpu(info.devices, placement.devices)
        where = ", ".join(info.devices) if elsewhere else "the CPU"
        times.append(f"on {where}: {info.fallback}")
    times += outcomes
    return [*lines, *(f"  {text}" for text in times)]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [
        [cell if len(cell) <= 60 or at == 4 else cell[:57] + "..." for at, cell in enumerate(row)]
        for row in rows
    ]
    widths = [max(len(row[at]) for row in shown) for at in range(len(rows[0]))]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in shown]


def _reasons(placement: Places) -> list[str]:
    """How many operators each reason keeps on the CPU."""
    lines = [f"  {count:>5}  {reason}" for reason, count in placement.reasons()]
    return ["on the CPU because", *lines] if lines else []
