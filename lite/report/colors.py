"""Colours of subgraphs: 48 that differ in hue and lightness, none of them the CPU's grey."""

from __future__ import annotations

import colorsys

CPU_COLOR = "#d9d9d9"
FOLDED_COLOR = "#ffffff"


def _palette() -> tuple[str, ...]:
    colors = []
    for at in range(48):
        # Steps of the golden ratio keep neighbours far apart in hue.
        hue = (0.58 + at * 0.6180339887) % 1
        light = (0.72, 0.52, 0.83)[at // 16]
        red, green, blue = colorsys.hls_to_rgb(hue, light, 0.7)
        colors.append(f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}")
    return tuple(colors)


PALETTE = _palette()


def subgraph_color(subgraph: int) -> str:
    """The colour of a subgraph; they repeat after 48."""
    return PALETTE[subgraph % len(PALETTE)]


def text_color(background: str) -> str:
    """Black or white, whichever reads better."""
    red, green, blue = (int(background[at : at + 2], 16) for at in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
