"""A profile as text and as plain data."""

from __future__ import annotations

from typing import Any

from lite.api.profile.data import OperatorProfile, ProfileData


def summary(profile: ProfileData) -> str:
    """The whole run in a line."""
    gflops = profile.flops / (profile.ms * 1e6) if profile.ms else 0.0
    text = (
        f"{profile.ms:.3f} ms a run (median of {profile.runs}), {profile.threads} thread(s), "
        f"{profile.isa}; {profile.flops / 1e9:.3f} GFLOP, {gflops:.1f} GFLOPS"
    )
    if profile.peak is None:
        return text
    return f"{text}, {gflops / profile.peak.gflops:.0%} of {profile.peak.gflops:.1f} measured here"


def peak_line(profile: ProfileData) -> str:
    """What the machine reached, where that was measured."""
    if profile.peak is None:
        return ""
    peak = profile.peak
    return (
        f"this machine: {peak.gflops:.1f} GFLOPS, {peak.memory:.1f} GB/s from memory, "
        f"{peak.cache:.1f} GB/s from the nearest cache"
    )


def label(op: OperatorProfile) -> str:
    """The type with what was folded into it."""
    return " + ".join([op.label, *op.steps]) + (" (inserted)" if op.inserted else "")


def shapes(op: OperatorProfile) -> str:
    """What goes in, but for constants, and what comes out."""
    inputs = ", ".join(str(item) for item in op.inputs if not item.constant)
    outputs = [str(item) for item in op.outputs if item.slot != "XShape"]
    return f"{inputs} -> {', '.join(outputs)}" if outputs else ""


def roof(op: OperatorProfile, profile: ProfileData) -> str:
    """How near the roofline it is, in per cent."""
    share = None if profile.peak is None else op.roof_share(profile.peak)
    return "" if share is None else f"{100 * share:.0f}"


def table(profile: ProfileData) -> str:
    """The run, then an operator a line, the slowest first; what a block ran has dots before it."""
    lines = [summary(profile), *filter(None, [peak_line(profile)])]
    if profile.dropped:
        lines.append(f"{profile.dropped} calls were beyond the limit and are not listed")
    rows = [("ms", "%", "calls", "GFLOPS", "MB", "roof %", "operator", "kernel", "place")]
    whole = profile.operators_ms or 1.0
    for op in sorted(profile.operators, key=lambda op: -op.ms):
        moved = op.bytes * op.calls_per_run
        rows.append(
            (
                f"{op.ms:.3f}",
                f"{100 * op.ms / whole:.1f}",
                f"{op.calls_per_run:.3g}",
                f"{op.gflops:.1f}" if op.flops else "",
                f"{moved / 1e6:.2f}" if moved else "",
                roof(op, profile),
                "." * op.depth + label(op),
                op.kernel,
                "; ".join(filter(None, [op.where, shapes(op), op.reason])),
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [
            cell.rjust(width) if at < 6 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines) + "\n"


def to_dict(profile: ProfileData) -> dict[str, Any]:
    """Everything but the events."""
    return {
        "threads": profile.threads,
        "isa": profile.isa,
        "runs": profile.runs,
        "ms": profile.ms,
        "run_ms": [ns / 1e6 for ns in profile.run_ns],
        "gflop": profile.flops / 1e9,
        "dropped": profile.dropped,
        **({"peak": profile.peak.to_dict()} if profile.peak else {}),
        "operators": [_operator(op, profile) for op in profile.operators],
    }


def _operator(op: OperatorProfile, profile: ProfileData) -> dict[str, Any]:
    return {
        "kind": op.kind,
        "type": op.type,
        "where": op.where,
        "inserted": op.inserted,
        "parent": op.parent,
        "depth": op.depth,
        "ms": op.ms,
        "share": op.ms / (profile.operators_ms or 1.0),
        "calls_per_run": op.calls_per_run,
        "flops": op.flops,
        "bytes": op.bytes,
        "gflops": op.gflops,
        "roof_share": op.roof_share(profile.peak) if profile.peak else None,
        "precision": op.precision,
        "layout": op.layout,
        "alias": op.alias,
        "algorithm": op.algorithm,
        "reason": op.reason,
        "steps": op.steps,
        **{
            name: [
                {
                    "slot": item.slot,
                    "shape": list(item.shape),
                    "dtype": item.dtype,
                    "layout": item.layout,
                    "constant": item.constant,
                }
                for item in items
            ]
            for name, items in (("inputs", op.inputs), ("outputs", op.outputs))
        },
    }
