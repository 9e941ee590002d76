"""The benchmark's table as a picture: how many times as long as ours each engine takes."""

from __future__ import annotations

from html import escape
from typing import Any

LEFT, WIDTH, ROW, GAP = 210, 480, 9, 9
COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee")
STEPS = (0.5, 1, 1.5, 2, 3, 4, 6)


def draw(machine: dict[str, Any], results: dict[str, dict[str, Any]], engines: list[str]) -> str:
    """An SVG with a bar for each engine of each model; bars past 1 are slower than ours."""
    longest = max(
        (
            1 / some["ratio"]
            for found in results.values()
            for some in found.values()
            if "ratio" in some
        ),
        default=1.0,
    )
    limit = min(max(longest, 1.5), STEPS[-1])
    parts: list[str] = []
    y = 62
    for step in (step for step in STEPS if step <= limit):
        x = LEFT + WIDTH * step / limit
        dashes = "" if step == 1 else ' stroke-dasharray="2 3"'
        parts.append(
            f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{y - 6}" y2="{{bottom}}" stroke="#888"{dashes}/>'
            f'<text x="{x:.0f}" y="{y - 10}" text-anchor="middle">{step:g}x</text>'
        )
    for name, found in results.items():
        shown = [engine for engine in engines if "ratio" in found[engine]]
        middle = y + max(len(shown), 1) * ROW / 2 + 4
        parts.append(
            f'<text x="{LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(name)} '
            f'<tspan fill="#666">{found["lite"]["p50_ms"]:.1f} ms</tspan></text>'
        )
        for engine in shown:
            times = 1 / found[engine]["ratio"]
            colour = COLOURS[engines.index(engine) % len(COLOURS)]
            width = WIDTH * min(times, limit) / limit
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{ROW - 1}" fill="{colour}">'
                f"<title>{escape(engine)} {times:.2f}x</title></rect>"
            )
            y += ROW
        y += GAP
    legend = "".join(
        f'<rect x="{LEFT + 130 * i}" y="24" width="10" height="10" '
        f'fill="{COLOURS[i % len(COLOURS)]}"/><text x="{LEFT + 14 + 130 * i}" y="33">'
        f"{escape(engine)} {_version(results, engine)}</text>"
        for i, engine in enumerate(engines)
    )
    title = (
        f"Time over ours, {machine['threads']} thread(s), fp32, batch 1; {machine['cpu']} "
        f"({', '.join(machine['features'])}), {machine['date']}"
    )
    body = "".join(parts).replace("{bottom}", str(y))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {y + 8}" '
        'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="8" y="14" font-weight="bold">{escape(title)}</text>{legend}{body}</svg>\n'
    )


def _version(results: dict[str, dict[str, Any]], engine: str) -> str:
    versions = (found[engine].get("version", "") for found in results.values())
    return escape(next(filter(None, versions), ""))
