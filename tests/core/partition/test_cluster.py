"""Clusters on random graphs: convex, ordered, deterministic, maximal; checked by plain search."""

from __future__ import annotations

import random

import pytest
from call_count import calls

from lite.core.partition.cluster import form_clusters, order_units

Graph = tuple[list[list[int]], list[bool]]


def _random_graph(seed: int) -> Graph:
    rng = random.Random(seed)
    count = rng.randint(1, 40)
    reach = rng.choice([2, 5, 40])
    share = rng.choice([0.1, 0.3, 0.5, 0.8, 0.95])
    preds = []
    for node in range(count):
        low = max(0, node - reach)
        preds.append(sorted({rng.randrange(low, node) for _ in range(rng.randint(0, 3)) if node}))
    return preds, [rng.random() < share for _ in range(count)]


def _reachable(preds: list[list[int]]) -> list[set[int]]:
    before: list[set[int]] = []
    for direct in preds:
        found = set(direct)
        for other in direct:
            found |= before[other]
        before.append(found)
    return before


def _is_acyclic(preds: list[list[int]], clusters: list[list[int]]) -> bool:
    unit = list(range(len(preds)))
    for cluster in clusters:
        for node in cluster:
            unit[node] = cluster[0]
    links: dict[int, set[int]] = {at: set() for at in set(unit)}
    for node, before in enumerate(preds):
        for other in before:
            if unit[other] != unit[node]:
                links[unit[other]].add(unit[node])
    state: dict[int, int] = {}

    def visit(at: int) -> bool:
        if state.get(at) == 1:
            return False
        if state.get(at) == 2:
            return True
        state[at] = 1
        fine = all(visit(b) for b in links[at])
        state[at] = 2
        return fine

    return all(visit(at) for at in links)


@pytest.mark.parametrize("seed", range(400))
def test_random_graphs(seed: int) -> None:
    preds, device = _random_graph(seed)
    clusters = form_clusters(preds, device)
    assert sorted(n for c in clusters for n in c) == [n for n, d in enumerate(device) if d]
    assert all(cluster == sorted(cluster) for cluster in clusters)
    before = _reachable(preds)
    for cluster in clusters:
        inside = set(cluster)
        for node in range(len(preds)):
            if node not in inside:
                enters = any(node in before[member] for member in cluster)
                leaves = bool(before[node] & inside)
                assert not (enters and leaves), (cluster, node)
    assert _is_acyclic(preds, clusters)
    assert form_clusters([list(reversed(p)) for p in preds], device) == clusters


@pytest.mark.parametrize("seed", range(200))
def test_no_two_neighbours_could_merge(seed: int) -> None:
    preds, device = _random_graph(seed)
    clusters = form_clusters(preds, device)
    of = {node: at for at, cluster in enumerate(clusters) for node in cluster}
    pairs = {
        (of[other], of[node])
        for node, direct in enumerate(preds)
        for other in direct
        if node in of and other in of and of[other] != of[node]
    }
    for a, b in pairs:
        merged = sorted(clusters[a] + clusters[b])
        others = [c for at, c in enumerate(clusters) if at not in (a, b)]
        assert not _is_acyclic(preds, [*others, merged]), (clusters[a], clusters[b])


@pytest.mark.parametrize("seed", range(100))
def test_the_order_keeps_to_the_edges(seed: int) -> None:
    preds, device = _random_graph(seed)
    clusters = form_clusters(preds, device)
    order = order_units(preds, clusters)
    unit = {node: cluster[0] for cluster in clusters for node in cluster}
    place = {first: at for at, first in enumerate(order)}
    assert sorted(order) == sorted({unit.get(node, node) for node in range(len(preds))})
    for node, direct in enumerate(preds):
        for other in direct:
            a, b = unit.get(other, other), unit.get(node, node)
            assert a == b or place[a] < place[b]


def test_connected_device_nodes_are_one_cluster() -> None:
    preds = [[], [0], [0], [1, 2], [3]]
    assert form_clusters(preds, [True] * 5) == [[0, 1, 2, 3, 4]]
    assert form_clusters(preds, [False] * 5) == []


def test_a_side_branch_on_the_cpu_splits_only_what_it_must() -> None:
    # 0 -> 1(cpu) -> 3, 0 -> 2 -> 3: 2 may go with either side, 0 and 3 may not meet.
    clusters = form_clusters([[], [0], [0], [1, 2]], [True, False, True, True])
    assert clusters == [[0, 2], [3]]


def test_two_branches_of_different_depth_merge() -> None:
    # 0 -> 1(cpu) -> 3 and 2 -> 3, where 2 hangs together with nothing else.
    assert form_clusters([[], [0], [], [1, 2]], [True, False, True, True]) == [[0], [2, 3]]


@pytest.mark.parametrize("reach", [3, 50, 10_000])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.97])
def test_ten_thousand_operators_take_few_calls_each(reach: int, share: float) -> None:
    rng = random.Random(7)
    preds = [
        sorted({rng.randrange(max(0, n - reach), n) for _ in range(rng.randint(1, 2)) if n})
        for n in range(10_000)
    ]
    device = [rng.random() < share for _ in preds]

    def form() -> None:
        order_units(preds, form_clusters(preds, device))

    assert calls(form) < 300 * len(preds)
