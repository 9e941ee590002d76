"""A few shapes for a model's inputs of many: each input is padded to the smallest that holds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf, prod

from lite.errors import ConfigError

Shape = tuple[int, ...]
Shapes = tuple[Shape, ...]  # of all inputs

_MOST_DISTINCT = 160
"""Of shapes that are compared in pairs; more are rounded up."""


@dataclass(frozen=True)
class Bucket:
    """Shapes of the inputs, by name, that a number of sets of inputs are padded to."""

    shapes: dict[str, Shape]
    sets: int
    padding: float
    """The share of these sets' elements that are padding."""


@dataclass(frozen=True)
class _Choice:
    """Some of the buckets and the elements that padding adds."""

    cost: float
    buckets: tuple[Shapes, ...]


def propose(
    seen: Sequence[Mapping[str, Shape]],
    padded: Mapping[str, Sequence[int]],
    most: int,
    multiple: int = 1,
) -> list[Bucket]:
    """At most ``most`` buckets for sets of inputs' shapes that waste least, the smallest first.

    Sizes along padded axes are multiples of ``multiple``. Along one padded axis there are no better
    buckets; of more, buckets are joined that waste least together. Raises ConfigError where there
    are no sets, where they differ in inputs, or along other axes in more ways than ``most``.
    """
    if not seen or most < 1 or multiple < 1:
        raise ConfigError("shapes are proposed for one set of inputs or more, as one or more")
    names = list(seen[0])
    if any(list(some) != names for some in seen):
        raise ConfigError(f"not every set of inputs has {', '.join(names)}")
    axes = [(at, axis) for at, name in enumerate(names) for axis in padded.get(name, ())]
    counts = Counter(tuple(some[name] for name in names) for some in seen)
    groups: dict[Shapes, Counter[Shapes]] = {}
    for shapes, count in counts.items():
        key = _with(shapes, axes, [0] * len(axes))
        sizes = [-(-shapes[at][axis] // multiple) * multiple for at, axis in axes]
        groups.setdefault(key, Counter())[_with(shapes, axes, sizes)] += count
    if len(groups) > most:
        raise ConfigError(
            f"the inputs differ along axes that are not padded in {len(groups)} ways, which is "
            f"more than {most}"
        )
    chosen = {0: _Choice(0, ())}
    for left, group in enumerate(groups.values()):
        chosen = _both(chosen, _choices(group, axes, most), most - (len(groups) - left - 1))
    best = min(chosen.values(), key=lambda choice: choice.cost)
    return _described(best.buckets, names, counts, axes)


def _with(shapes: Shapes, axes: Sequence[tuple[int, int]], sizes: Sequence[int]) -> Shapes:
    made = [list(shape) for shape in shapes]
    for (at, axis), size in zip(axes, sizes, strict=True):
        made[at][axis] = size
    return tuple(map(tuple, made))


def _volume(shapes: Shapes) -> int:
    return sum(map(prod, shapes))


def _join(*several: Shapes) -> Shapes:
    return tuple(tuple(map(max, zip(*same, strict=True))) for same in zip(*several, strict=True))


def _holds(bucket: Shapes, shapes: Shapes, axes: Sequence[tuple[int, int]]) -> bool:
    sizes = [shapes[at][axis] for at, axis in axes]
    return _join(bucket, shapes) == bucket and _with(bucket, axes, sizes) == shapes


def _both(first: dict[int, _Choice], second: dict[int, _Choice], most: int) -> dict[int, _Choice]:
    """The best of each number of buckets, of two groups together."""
    found: dict[int, _Choice] = {}
    for a, one in first.items():
        for b, other in second.items():
            if a + b <= most and one.cost + other.cost < found.get(a + b, _Choice(inf, ())).cost:
                found[a + b] = _Choice(one.cost + other.cost, one.buckets + other.buckets)
    return found


def _choices(
    group: Counter[Shapes], axes: Sequence[tuple[int, int]], most: int
) -> dict[int, _Choice]:
    ordered = sorted(group, key=_volume)
    if all(_holds(b, a, axes) for a, b in pairwise(ordered)):
        return _of_a_chain(ordered, group, most)
    return _joined(group, axes, most)


def _of_a_chain(
    ordered: Sequence[Shapes], counts: Counter[Shapes], most: int
) -> dict[int, _Choice]:
    """Where each shape holds those before it: a bucket is one of them, and takes a stretch."""
    rows = [_Choice(0, ())] + [_Choice(inf, ())] * len(ordered)
    found: dict[int, _Choice] = {}
    for number in range(1, min(most, len(ordered)) + 1):
        next_rows = [_Choice(inf, ())] * (len(ordered) + 1)
        for end in range(1, len(ordered) + 1):
            bucket, volume, cost = ordered[end - 1], _volume(ordered[end - 1]), 0
            for begin in range(end - 1, -1, -1):
                cost += counts[ordered[begin]] * (volume - _volume(ordered[begin]))
                before = rows[begin]
                if before.cost + cost < next_rows[end].cost:
                    next_rows[end] = _Choice(before.cost + cost, (*before.buckets, bucket))
        rows = next_rows
        found[number] = rows[-1]
    return found


def _joined(
    group: Counter[Shapes], axes: Sequence[tuple[int, int]], most: int
) -> dict[int, _Choice]:
    """Two buckets become one, those that waste least together, until few enough are left."""
    buckets = _rounded(group, axes)

    def cost(bucket: Shapes, members: Iterable[Shapes]) -> int:
        return sum(group[shapes] * (_volume(bucket) - _volume(shapes)) for shapes in members)

    def added(pair: tuple[Shapes, Shapes]) -> int:
        volume = _volume(_join(*pair))
        return sum(
            group[shapes] * (volume - _volume(bucket))
            for bucket in pair
            for shapes in buckets[bucket]
        )

    found: dict[int, _Choice] = {}
    while True:
        if len(buckets) <= most:
            total = sum(cost(bucket, members) for bucket, members in buckets.items())
            found[len(buckets)] = _Choice(total, tuple(buckets))
        if len(buckets) == 1:
            return found
        a, b = min(combinations(buckets, 2), key=added)
        members = buckets.pop(a) + buckets.pop(b)
        buckets.setdefault(_join(a, b), []).extend(members)


def _rounded(group: Counter[Shapes], axes: Sequence[tuple[int, int]]) -> dict[Shapes, list[Shapes]]:
    """Shapes by what they are rounded up to, so that there are not too many to compare."""
    largest = _join(*group)
    buckets = {shapes: [shapes] for shapes in group}
    step = 1
    while len(buckets) > _MOST_DISTINCT:
        step *= 2
        buckets = {}
        for shapes in group:
            sizes = [
                min(-(-shapes[at][axis] // step) * step, largest[at][axis]) for at, axis in axes
            ]
            buckets.setdefault(_with(shapes, axes, sizes), []).append(shapes)
    return buckets


def _described(
    buckets: Sequence[Shapes],
    names: Sequence[str],
    counts: Counter[Shapes],
    axes: Sequence[tuple[int, int]],
) -> list[Bucket]:
    """With what each takes as a predictor chooses: the smallest that holds it."""
    ordered = sorted(buckets, key=_volume)
    taken: dict[Shapes, list[int]] = {bucket: [0, 0] for bucket in ordered}
    for shapes, count in counts.items():
        bucket = next(some for some in ordered if _holds(some, shapes, axes))
        taken[bucket][0] += count
        taken[bucket][1] += count * _volume(shapes)
    return [
        Bucket(
            dict(zip(names, bucket, strict=True)),
            sets,
            1 - elements / (sets * _volume(bucket)) if sets else 0,
        )
        for bucket, (sets, elements) in taken.items()
    ]
