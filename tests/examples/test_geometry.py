"""The geometry of the text detector against brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from examples.ocr import geometry


def flood(mask: np.ndarray) -> list[set[tuple[int, int]]]:
    """The 8-connected components of a mask as sets of (row, column), by flood filling."""
    left = {(int(y), int(x)) for y, x in zip(*np.nonzero(mask), strict=True)}
    found = []
    while left:
        front = [left.pop()]
        component = set(front)
        while front:
            y, x = front.pop()
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            component |= near
            front.extend(near)
        found.append(component)
    return found


def outline_of(component: set[tuple[int, int]]) -> set[tuple[float, float]]:
    """The outermost corners of each row of pixels."""
    points = set()
    for row in {y for y, _ in component}:
        columns = [x for y, x in component if y == row]
        points |= {(x, row + dy) for x in (min(columns), max(columns) + 1) for dy in (0, 1)}
    return {(float(x), float(y)) for x, y in points}


def masks() -> list[np.ndarray]:
    random = np.random.default_rng(7)
    made = [random.random((int(h), int(w))) < density
            for density in (0.02, 0.2, 0.4, 0.5, 0.6, 0.9)
            for h, w in random.integers(1, 40, (8, 2))]  # fmt: skip
    spiral = np.zeros((21, 21), bool)
    for ring in range(0, 10, 2):
        spiral[ring, ring : 21 - ring] = spiral[20 - ring, ring : 21 - ring] = True
        spiral[ring : 21 - ring, 20 - ring] = spiral[ring + 2 : 21 - ring, ring] = True
        spiral[ring + 2, ring : ring + 2] = True
    comb = np.zeros((30, 31), bool)
    comb[:, ::2] = True
    comb[-1] = True
    checks = np.indices((16, 16)).sum(axis=0) % 2 == 0
    return [*made, spiral, comb, comb[::-1], checks, np.ones((5, 9), bool), np.zeros((4, 4), bool)]


@pytest.mark.parametrize("mask", masks(), ids=lambda mask: "x".join(map(str, mask.shape)))
def test_components_are_those_of_flood_filling(mask: np.ndarray) -> None:
    expected = flood(mask)
    found = geometry.components(mask)
    outlines = [frozenset(map(tuple, outline)) for outline in found]
    assert sorted(map(sorted, outlines)) == sorted(sorted(outline_of(c)) for c in expected)
    areas = {frozenset(outline_of(c)): len(c) for c in expected}
    sizes = [areas[outline] for outline in outlines]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("seed", range(20))
def test_hull_has_every_point_on_its_inner_side(seed: int) -> None:
    points = np.random.default_rng(seed).integers(0, 12, (3 + 3 * seed, 2)).astype(float)
    hull = geometry.convex_hull(points)
    assert {tuple(corner) for corner in hull} <= {tuple(point) for point in points}
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        side, to = end - start, points - start
        assert (side[0] * to[:, 1] - side[1] * to[:, 0] >= 0).all()
    if len(hull) > 2:
        sides = np.roll(hull, -1, axis=0) - hull
        after = np.roll(sides, -1, axis=0)
        assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all()


@pytest.mark.parametrize("seed", range(20))
def test_rectangle_is_the_smallest_of_all_angles(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(4 + seed, 2)) * (9, 3)
    box = geometry.smallest_rectangle(points)
    width, height = geometry.size(box)
    for side, length in ((box[1] - box[0], width), (box[3] - box[0], height)):
        along = (points - box[0]) @ side / length
        assert along.min() >= -1e-9 and along.max() <= length + 1e-9
    angles = np.deg2rad(np.arange(0, 90, 0.02))
    u = points @ np.stack([np.cos(angles), np.sin(angles)])
    v = points @ np.stack([-np.sin(angles), np.cos(angles)])
    smallest = float((np.ptp(u, axis=0) * np.ptp(v, axis=0)).min())
    assert smallest * (1 - 2e-3) <= width * height <= smallest * (1 + 1e-9)


@pytest.mark.parametrize("degrees", [-40, -20, -5, 0, 5, 20, 40])
def test_rectangle_of_a_turned_rectangle(degrees: float) -> None:
    turn = math.radians(degrees)
    right = np.array([math.cos(turn), math.sin(turn)])
    down = np.array([-right[1], right[0]])
    corners = np.array([50.0, 60]) + np.array(
        [
            -20 * right - 4 * down,
            20 * right - 4 * down,
            20 * right + 4 * down,
            4 * down - 20 * right,
        ]
    )
    box = geometry.smallest_rectangle(np.random.default_rng(0).permutation(corners))
    np.testing.assert_allclose(box, corners, atol=1e-9)
    assert geometry.size(box) == pytest.approx((40, 8))
    grown = geometry.grow(box, 3)
    assert geometry.size(grown) == pytest.approx((46, 14))
    np.testing.assert_allclose(grown.mean(axis=0), [50, 60])


@pytest.mark.parametrize("points", [[[3.0, 4.0]], [[3.0, 4.0], [3.0, 9.0]], [[1.0, 1.0]] * 5])
def test_rectangle_of_points_without_area(points: list[list[float]]) -> None:
    box = geometry.smallest_rectangle(np.array(points))
    assert np.isfinite(box).all()
    assert min(geometry.size(box)) == 0


@pytest.mark.parametrize("seed", range(10))
def test_mean_inside_a_rectangle(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.random((24, 31)).astype(np.float32)
    box = geometry.smallest_rectangle(random.uniform(-4, 34, (5, 2)))
    inside = []
    for y in range(24):
        for x in range(31):
            to = np.array([x + 0.5, y + 0.5]) - box[0]
            sides = (box[1] - box[0], box[3] - box[0])
            if all(0 <= to @ side <= side @ side for side in sides):
                inside.append(float(values[y, x]))
    assert geometry.mean_inside(values, box) == pytest.approx(np.mean(inside), rel=1e-5)


def test_mean_inside_a_rectangle_outside_the_map() -> None:
    box = np.array([[50.0, 50], [60, 50], [60, 60], [50, 60]])
    assert geometry.mean_inside(np.ones((8, 8), np.float32), box) == 0
