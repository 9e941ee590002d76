"""A layered drawing of a directed acyclic graph: where each node stands and how edges run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

STEP_X, STEP_Y = 190, 72
_SWEEPS = 6
_MAX_BENDS = 20_000

Point = tuple[float, float]


@dataclass
class Drawing:
    """The centres of the nodes, the points between the ends of each edge, and the whole size."""

    nodes: list[Point]
    bends: list[list[Point]]
    width: float
    height: float


def layered(count: int, edges: Sequence[tuple[int, int]]) -> Drawing:
    """Draws nodes 0..count-1 from top to bottom; an edge leads from a lower to a higher number."""
    layers = _layers(count, edges)
    rows: list[list[int]] = [[] for _ in range(max(layers, default=-1) + 1)]
    for node, layer in enumerate(layers):
        rows[layer].append(node)
    size = count
    bends: list[list[int]] = []
    links: list[tuple[int, int]] = []
    spare = _MAX_BENDS
    for source, target in edges:
        between: list[int] = []
        span = layers[target] - layers[source] - 1
        if 0 < span <= spare:
            spare -= span
            for layer in range(layers[source] + 1, layers[target]):
                rows[layer].append(size)
                between.append(size)
                size += 1
        chain = [source, *between, target]
        links += pairwise(chain)
        bends.append(between)
    above: list[list[int]] = [[] for _ in range(size)]
    below: list[list[int]] = [[] for _ in range(size)]
    for a, b in links:
        below[a].append(b)
        above[b].append(a)
    xs = _place(rows, above, below, size)
    layer_of = {node: at for at, row in enumerate(rows) for node in row}
    points = [(xs[node], layer_of[node] * float(STEP_Y)) for node in range(size)]
    return Drawing(
        points[:count],
        [[points[node] for node in some] for some in bends],
        max((x for x, _ in points), default=0.0),
        max((y for _, y in points), default=0.0),
    )


def _layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Longest paths from the top; what has no predecessor stands right above its first reader."""
    layers = [0] * count
    starts = set(range(count))
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        layers[target] = max(layers[target], layers[source] + 1)
        starts.discard(target)
    lowest: dict[int, int] = {}
    for source, target in edges:
        if source in starts:
            lowest[source] = min(lowest.get(source, layers[target]), layers[target])
    for node, layer in lowest.items():
        layers[node] = layer - 1
    return layers


def _place(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]], size: int
) -> list[float]:
    """Horizontal places: rows are sorted by the middle of their neighbours, down and up again."""
    xs = [0.0] * size
    for row in rows:
        for at, node in enumerate(row):
            xs[node] = float(at * STEP_X)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else reversed(rows):
            neighbours = above if down else below
            wanted = {node: _middle(neighbours[node], xs, xs[node]) for node in row}
            row.sort(key=lambda node: (wanted[node], xs[node], node))
            _spread(row, wanted, xs)
    left = min(xs, default=0.0)
    return [x - left for x in xs]


def _middle(neighbours: list[int], xs: list[float], own: float) -> float:
    if not neighbours:
        return own
    found = sorted(xs[node] for node in neighbours)
    half = len(found) // 2
    return found[half] if len(found) % 2 else (found[half - 1] + found[half]) / 2


def _spread(row: list[int], wanted: dict[int, float], xs: list[float]) -> None:
    """Gives a sorted row places a step apart whose mean distance to the wanted ones is least."""
    groups: list[tuple[float, int]] = []
    for at, node in enumerate(row):
        start, size = wanted[node] - at * STEP_X, 1
        while groups and groups[-1][0] > start:
            other, weight = groups.pop()
            start = (start * size + other * weight) / (size + weight)
            size += weight
        groups.append((start, size))
    at = 0
    for start, size in groups:
        for _ in range(size):
            xs[row[at]] = start + at * STEP_X
            at += 1
