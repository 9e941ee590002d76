"""Connected components and rotated rectangles, in numpy.

Points are (x, y) in pixels; pixel (i, j) covers the square from (j, i) to (j + 1, i + 1).
A box is four corners, clockwise from the top left, float64[4, 2].
"""

from __future__ import annotations

import numpy as np


def components(mask: np.ndarray) -> list[np.ndarray]:
    """The outlines of the 8-connected components of a bool[H, W] mask, largest area first.

    An outline is the leftmost and rightmost point of each row of corners, float64[N, 2].
    """
    rows, starts, ends = _runs(mask)
    if not len(rows):
        return []
    labels = _join(*_touching(rows, starts, ends, mask.shape[1]), len(rows))
    order = np.argsort(labels, kind="stable")
    first = np.flatnonzero(np.r_[True, np.diff(labels[order]) != 0])
    areas = np.add.reduceat((ends - starts)[order], first)
    groups = np.split(order, first[1:])
    return [
        _outline(rows[groups[i]], starts[groups[i]], ends[groups[i]])
        for i in np.argsort(-areas, kind="stable")
    ]


def _runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, first column and column after the last of each horizontal run, in reading order."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    ends = np.nonzero(steps == -1)[1]
    return rows, starts, ends


def _touching(
    rows: np.ndarray, starts: np.ndarray, ends: np.ndarray, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of runs in neighbouring rows that touch, also by a corner."""
    stride = width + 2  # so that no key of one row reaches into the next
    above = (rows - 1) * stride
    low = np.searchsorted(rows * stride + ends, above + starts, side="left")
    high = np.searchsorted(rows * stride + starts, above + ends, side="right")
    counts = np.maximum(high - low, 0)
    lower = np.repeat(np.arange(len(rows)), counts)
    offsets = np.arange(len(lower)) - np.repeat(np.cumsum(counts) - counts, counts)
    return lower, np.repeat(low, counts) + offsets


def _join(left: np.ndarray, right: np.ndarray, count: int) -> np.ndarray:
    """A label for each of ``count`` nodes, equal where pairs connect them (union-find)."""
    labels = np.arange(count)
    while True:
        a, b = labels[left], labels[right]
        apart = a != b
        if not apart.any():
            return labels
        left, right, a, b = left[apart], right[apart], a[apart], b[apart]
        np.minimum.at(labels, np.maximum(a, b), np.minimum(a, b))
        while True:
            roots = labels[labels]
            if np.array_equal(roots, labels):
                break
            labels = roots


def _outline(rows: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    first = np.flatnonzero(np.r_[True, np.diff(rows) != 0])
    left, right = np.minimum.reduceat(starts, first), np.maximum.reduceat(ends, first)
    y = rows[first]
    corners = [np.stack([x, y + dy], axis=1) for x in (left, right) for dy in (0, 1)]
    return np.concatenate(corners).astype(np.float64)


def convex_hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull in order, without those on a straight line."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in sequence:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def smallest_rectangle(points: np.ndarray) -> np.ndarray:
    """The box of least area that contains the points: one side lies on a side of their hull."""
    hull = convex_hull(points)
    sides = np.roll(hull, -1, axis=0) - hull
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    axes = sides[lengths > 0] / lengths[lengths > 0, None]
    if not len(axes):
        axes = np.array([[1.0, 0.0]])
    normals = np.stack([-axes[:, 1], axes[:, 0]], axis=1)
    u, v = hull @ axes.T, hull @ normals.T
    best = int(np.argmin(np.ptp(u, axis=0) * np.ptp(v, axis=0)))
    u0, u1, v0, v1 = u[:, best].min(), u[:, best].max(), v[:, best].min(), v[:, best].max()
    corners = np.array([[u0, v0], [u1, v0], [u1, v1], [u0, v1]])
    return clockwise(corners @ np.stack([axes[best], normals[best]]))


def clockwise(corners: np.ndarray) -> np.ndarray:
    """A rectangle's corners clockwise, from the one that is the top left of the left two."""
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left, right = by_x[:2], by_x[2:]
    left = left[np.argsort(left[:, 1], kind="stable")]
    right = right[np.argsort(right[:, 1], kind="stable")]
    return np.stack([left[0], right[0], right[1], left[1]])


def size(box: np.ndarray) -> tuple[float, float]:
    """Width and height of a box."""
    return float(np.hypot(*(box[1] - box[0]))), float(np.hypot(*(box[3] - box[0])))


def grow(box: np.ndarray, distance: float) -> np.ndarray:
    """The rectangle with every side moved outwards."""
    width, height = size(box)
    right = (box[1] - box[0]) / width * distance
    down = (box[3] - box[0]) / height * distance
    shifts = np.stack([-right - down, right - down, right + down, down - right])
    return np.asarray(box + shifts)


def mean_inside(values: np.ndarray, box: np.ndarray) -> float:
    """The mean of a [H, W] map over the pixels whose centres lie in a rectangle, else 0."""
    height, width = values.shape
    x0, y0 = np.floor(box.min(axis=0)).astype(int).clip(0, (width, height))
    x1, y1 = np.ceil(box.max(axis=0)).astype(int).clip(0, (width, height))
    x, y = np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]
    inside = np.ones((y1 - y0, x1 - x0), bool)
    for side, origin in ((box[1] - box[0], box[0]), (box[3] - box[0], box[0])):
        along = (x - origin[0]) * side[0] + (y - origin[1]) * side[1]
        inside &= (along >= 0) & (along <= side @ side)
    chosen = values[y0:y1, x0:x1][inside]
    return float(chosen.mean()) if chosen.size else 0.0
