"""A profile as one HTML page without scripts: timeline, roofline, sums by type, operators."""

from __future__ import annotations

from html import escape
from math import floor, log10

from lite.api.profile.data import OperatorProfile, ProfileData
from lite.api.profile.peak import MachinePeak
from lite.api.profile.table import label, peak_line, roof, shapes, summary
from lite.report.colors import subgraph_color

_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; color: #222; background: #fff; margin: 16px 24px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 24px 0 6px; }
p { margin: 2px 0; color: #555; }
.wide { overflow-x: auto; border: 1px solid #ccc; }
svg text { font: 12px system-ui, sans-serif; }
table { border-collapse: collapse; }
td, th { padding: 2px 10px 2px 0; text-align: left; vertical-align: top; }
th { color: #666; font-weight: normal; border-bottom: 1px solid #ccc; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.place { color: #666; overflow-wrap: anywhere; }
"""
_WIDTH, _ROW = 1200, 26
_MAX_BARS = 20000


def html(profile: ProfileData, title: str) -> str:
    """The page."""
    ranks: dict[str, float] = {}
    for op in profile.operators:
        ranks[op.label] = ranks.get(op.label, 0.0) + op.ms
    ordered = sorted(ranks, key=lambda name: -ranks[name])
    colors = {name: subgraph_color(at) for at, name in enumerate(ordered)}
    parts = [
        f"<h1>{_text(title)}</h1>",
        *(f"<p>{_text(line)}</p>" for line in (summary(profile), peak_line(profile)) if line),
        "<h2>Timeline of the fastest run</h2>",
        f'<div class="wide">{_timeline(profile, colors)}</div>',
    ]
    if profile.peak is not None:
        parts += ["<h2>Roofline</h2>", _roofline(profile, profile.peak, colors)]
    parts += ["<h2>By type</h2>", _types(profile, ranks, ordered, colors)]
    parts += ["<h2>Operators, the slowest first</h2>", _operators(profile)]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _text(text: str) -> str:
    return escape(text.encode("utf-8", "replace").decode())


def _about(op: OperatorProfile) -> str:
    lines = [label(op), f"{op.ms:.3f} ms", op.kernel, op.reason, op.where, shapes(op)]
    return _text("\n".join(filter(None, lines)))


def _timeline(profile: ProfileData, colors: dict[str, str]) -> str:
    """Of the run that was disturbed the least; what a block ran stands below it."""
    run = min(range(profile.runs), key=lambda at: profile.run_ns[at])
    events = [event for event in profile.events if event.run == run]
    begin, length = events[0].start_ns, max(events[0].end_ns - events[0].start_ns, 1)
    width = max(_WIDTH, min(8 * len(events), 4 * _WIDTH))
    depth = max((op.depth for op in profile.operators), default=0) + 1
    bars = []
    for event in events[1 : _MAX_BARS + 1]:
        assert event.operator is not None
        op = profile.operators[event.operator]
        x = (event.start_ns - begin) / length * width
        w = max((event.end_ns - event.start_ns) / length * width, 0.3)
        y = _ROW * op.depth
        bars.append(
            f'<rect x="{x:.2f}" y="{y}" width="{w:.2f}" height="{_ROW - 4}" '
            f'fill="{colors[op.label]}" stroke="#fff" stroke-width="0.3">'
            f"<title>{_about(op)}</title></rect>"
        )
        if w > 7 * len(op.label):
            bars.append(
                f'<text x="{x + 3:.2f}" y="{y + 15}" pointer-events="none">{_text(op.label)}</text>'
            )
    base = _ROW * depth
    for tenth in range(11):
        x = tenth / 10 * width
        anchor = "start" if tenth == 0 else "end" if tenth == 10 else "middle"
        bars.append(
            f'<text x="{x:.1f}" y="{base + 16}" text-anchor="{anchor}">'
            f"{tenth / 10 * length / 1e6:.3g} ms</text>"
        )
    return f'<svg width="{width}" height="{base + 24}">{"".join(bars)}</svg>'


class _Axis:
    """A logarithmic axis over whole decades."""

    def __init__(self, low: float, high: float, begin: float, end: float) -> None:
        self.first, self.last = floor(log10(low)), floor(log10(high)) + 1
        self._begin, self._end = begin, end

    def at(self, value: float) -> float:
        share = (log10(value) - self.first) / (self.last - self.first)
        return self._begin + min(max(share, 0.0), 1.0) * (self._end - self._begin)

    def decades(self) -> list[float]:
        return [10.0**power for power in range(self.first, self.last + 1)]


def _roofline(profile: ProfileData, peak: MachinePeak, colors: dict[str, str]) -> str:
    """Operations a byte against operations a second; an operator's disc is as large as its time."""
    points = [op for op in profile.operators if op.flops and op.bytes and op.ms > 0]
    if not points:
        return "<p>No operator of this model computes.</p>"
    height, left, bottom = 420, 60, 380
    intensity = [op.flops / op.bytes for op in points]
    knee = peak.gflops / peak.memory
    across = _Axis(min(*intensity, knee / 4), max(*intensity, knee * 4), left, _WIDTH - 20)
    speeds = [op.gflops for op in points]
    up = _Axis(min(*speeds, peak.gflops / 100), max(*speeds, peak.gflops), bottom, 20)
    parts = []
    for value in across.decades():
        x = across.at(value)
        parts.append(
            f'<line x1="{x:.1f}" y1="20" x2="{x:.1f}" y2="{bottom}" stroke="#eee"/>'
            f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{value:g}</text>'
        )
    for value in up.decades():
        y = up.at(value)
        parts.append(
            f'<line x1="{left}" y1="{y:.1f}" x2="{_WIDTH - 20}" y2="{y:.1f}" stroke="#eee"/>'
            f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    parts.append(f'<text x="{_WIDTH / 2}" y="{height - 6}">FLOP per byte</text>')
    parts.append('<text x="6" y="14">GFLOPS</text>')
    for name, speed in (("memory", peak.memory), ("nearest cache", peak.cache)):
        low = max(across.decades()[0], up.decades()[0] / speed)
        parts.append(_line(across, up, (low, low * speed), (peak.gflops / speed, peak.gflops)))
        parts.append(
            f'<text x="{across.at(low) + 8:.1f}" y="{up.at(low * speed) - 6:.1f}" fill="#a00">'
            f"{name}: {speed:.1f} GB/s</text>"
        )
    fastest = peak.gflops / max(peak.memory, peak.cache)
    parts.append(_line(across, up, (fastest, peak.gflops), (across.decades()[-1], peak.gflops)))
    parts.append(
        f'<text x="{_WIDTH - 24}" y="{up.at(peak.gflops) - 6:.1f}" text-anchor="end" fill="#a00">'
        f"{peak.gflops:.1f} GFLOPS</text>"
    )
    whole = profile.operators_ms or 1.0
    for op in sorted(points, key=lambda op: -op.ms):
        radius = 3 + 40 * (op.ms / whole) ** 0.5
        parts.append(
            f'<circle cx="{across.at(op.flops / op.bytes):.1f}" cy="{up.at(op.gflops):.1f}" '
            f'r="{radius:.1f}" fill="{colors[op.label]}" fill-opacity="0.6" stroke="#555">'
            f"<title>{_about(op)}</title></circle>"
        )
    return f'<div class="wide"><svg width="{_WIDTH}" height="{height}">{"".join(parts)}</svg></div>'


def _line(across: _Axis, up: _Axis, a: tuple[float, float], b: tuple[float, float]) -> str:
    return (
        f'<line x1="{across.at(a[0]):.1f}" y1="{up.at(a[1]):.1f}" x2="{across.at(b[0]):.1f}" '
        f'y2="{up.at(b[1]):.1f}" stroke="#a00" stroke-width="1.5"/>'
    )


def _types(
    profile: ProfileData, ranks: dict[str, float], ordered: list[str], colors: dict[str, str]
) -> str:
    whole = profile.operators_ms or 1.0
    rows = []
    for name in ordered:
        count = sum(op.label == name for op in profile.operators)
        bar = f'<rect width="{300 * ranks[name] / whole:.1f}" height="14" fill="{colors[name]}"/>'
        rows.append(
            f'<tr><td>{_text(name)}</td><td class="number">{count}</td>'
            f'<td class="number">{ranks[name]:.3f}</td>'
            f'<td class="number">{100 * ranks[name] / whole:.1f}</td>'
            f'<td><svg width="300" height="14">{bar}</svg></td></tr>'
        )
    return _table(["type", "operators", "ms", "%", ""], rows)


def _operators(profile: ProfileData) -> str:
    whole = profile.operators_ms or 1.0
    rows = []
    for op in sorted(profile.operators, key=lambda op: -op.ms):
        numbers = [
            f"{op.ms:.3f}",
            f"{100 * op.ms / whole:.1f}",
            f"{op.calls_per_run:.3g}",
            f"{op.gflops:.1f}" if op.flops else "",
            f"{op.bytes * op.calls_per_run / 1e6:.2f}" if op.bytes else "",
            roof(op, profile),
        ]
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        place = "; ".join(filter(None, [op.where, shapes(op), op.reason]))
        rows.append(
            f"<tr>{cells}<td>{'&middot;' * op.depth}{_text(label(op))}</td>"
            f'<td>{_text(op.kernel)}</td><td class="place">{_text(place)}</td></tr>'
        )
    heads = ["ms", "%", "calls", "GFLOPS", "MB", "roof %", "operator", "kernel", "place"]
    return _table(heads, rows)


def _table(heads: list[str], rows: list[str]) -> str:
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<table><tr>{head}</tr>\n{chr(10).join(rows)}\n</table>"
