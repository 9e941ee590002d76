"""Which operators of a directed acyclic graph run together: convex, maximal clusters.

Nodes are numbered in a topological order. Every node has a stage: the largest number of steps from
the device to the CPU on a way to it. Device nodes of one stage that hang together are a cluster
that no path leaves and enters again. Neighbours of different stages then merge wherever no third
path leads from one to the other; that is asked of transitive closures held as bit sets.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence

MAX_MERGED = 16384
"""The closures take (CPU nodes + clusters)^2 / 4 bytes: programs beyond this many keep the clusters
of the stages, which are convex but may have neighbours that could merge."""


def form_clusters(preds: Sequence[Sequence[int]], device: Sequence[bool]) -> list[list[int]]:
    """The device nodes as clusters, each sorted, in the order of their first nodes.

    ``preds[v]`` are nodes below ``v``. Each cluster is convex, the clusters and the CPU nodes
    together have an order (``order_units``), and no two neighbours could merge without a cycle.
    """
    stages = _stages(preds, device)
    roots = list(range(len(preds)))
    for node, before in enumerate(preds):
        if device[node]:
            for other in before:
                if device[other] and stages[other] == stages[node]:
                    _join(roots, other, node)
    if any(
        device[node] and device[other] and _find(roots, other) != _find(roots, node)
        for node, before in enumerate(preds)
        for other in before
    ):
        _Merger(preds, device, roots).run()
    groups: dict[int, list[int]] = {}
    for node in range(len(preds)):
        if device[node]:
            groups.setdefault(_find(roots, node), []).append(node)
    return list(groups.values())


def _stages(preds: Sequence[Sequence[int]], device: Sequence[bool]) -> list[int]:
    stages = [0] * len(preds)
    for node, before in enumerate(preds):
        on_device = device[node]
        stage = 0
        for other in before:
            reached = stages[other] + (device[other] and not on_device)
            if reached > stage:
                stage = reached
        stages[node] = stage
    return stages


def _find(roots: list[int], node: int) -> int:
    while roots[node] != node:
        roots[node] = roots[roots[node]]
        node = roots[node]
    return node


def _join(roots: list[int], a: int, b: int) -> int:
    """Puts two sets together; the smaller root stays, so that results do not depend on order."""
    a, b = _find(roots, a), _find(roots, b)
    if b < a:
        a, b = b, a
    roots[b] = a
    return a


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class _Merger:
    """Merges neighbouring clusters while no path leads from one to the other past third nodes."""

    def __init__(
        self, preds: Sequence[Sequence[int]], device: Sequence[bool], roots: list[int]
    ) -> None:
        self.roots = roots
        vertices = [node for node in range(len(preds)) if _find(roots, node) == node]
        self.number = {node: at for at, node in enumerate(vertices)}
        self.device = [device[node] for node in vertices]
        self.links: list[set[int]] = [set() for _ in vertices]
        of = [self.number[_find(roots, node)] for node in range(len(preds))]
        for node, before in enumerate(preds):
            for other in before:
                if of[other] != of[node]:
                    self.links[of[other]].add(of[node])
        self.vertices = vertices
        self.parent = list(range(len(vertices)))
        self.refused: dict[int, set[tuple[int, int]]] = {}

    def run(self) -> None:
        """Merges until no more neighbours can."""
        if len(self.vertices) > MAX_MERGED:
            return
        self._close()
        todo = deque(
            sorted(
                (a, b)
                for a, links in enumerate(self.links)
                if self.device[a]
                for b in links
                if self.device[b]
            )
        )
        while todo:
            edge = todo.popleft()
            a, b = _find(self.parent, edge[0]), _find(self.parent, edge[1])
            if a == b:
                continue
            if self.after[a] & self.before[b]:
                self.refused.setdefault(a, set()).add((a, b))
                self.refused.setdefault(b, set()).add((a, b))
                continue
            again = self.refused.pop(a, set()) | self.refused.pop(b, set())
            self._merge(a, b)
            todo.extend(sorted(again))

    def _close(self) -> None:
        """What stands before and after each vertex, and which original vertices it is made of."""
        count = len(self.vertices)
        self.members = [1 << at for at in range(count)]
        self.after, self.before = [0] * count, [0] * count
        incoming = [0] * count
        for links in self.links:
            for b in links:
                incoming[b] += 1
        ready = [at for at in range(count) if not incoming[at]]
        order = []
        while ready:
            a = ready.pop()
            order.append(a)
            reach = self.before[a] | self.members[a]
            for b in self.links[a]:
                self.before[b] |= reach
                incoming[b] -= 1
                if not incoming[b]:
                    ready.append(b)
        for a in reversed(order):
            reach = 0
            for b in self.links[a]:
                reach |= self.after[b] | self.members[b]
            self.after[a] = reach

    def _merge(self, a: int, b: int) -> None:
        after_a = self.after[a] | self.members[a]
        before_b = self.before[b] | self.members[b]
        own = self.members[a] | self.members[b]
        for at in self._vertices(self.before[b] & ~self.before[a] & ~own):
            self.after[at] |= after_a
        for at in self._vertices(self.after[a] & ~self.after[b] & ~own):
            self.before[at] |= before_b
        after = (self.after[a] | self.after[b]) & ~own
        before = (self.before[a] | self.before[b]) & ~own
        kept = _join(self.parent, a, b)
        _join(self.roots, self.vertices[a], self.vertices[b])
        self.after[kept], self.before[kept], self.members[kept] = after, before, own

    def _vertices(self, mask: int) -> set[int]:
        return {_find(self.parent, at) for at in _bits(mask)}


def order_units(preds: Sequence[Sequence[int]], clusters: Sequence[Sequence[int]]) -> list[int]:
    """An order of clusters and single nodes that keeps to ``preds`` and close to the old order.

    Returns the first node of each unit. The clusters must be convex and free of cycles.
    """
    unit = list(range(len(preds)))
    for cluster in clusters:
        for node in cluster:
            unit[node] = cluster[0]
    links: dict[int, set[int]] = {first: set() for first in unit}
    incoming = dict.fromkeys(links, 0)
    for node, before in enumerate(preds):
        for other in before:
            a, b = unit[other], unit[node]
            if a != b and b not in links[a]:
                links[a].add(b)
                incoming[b] += 1
    ready = [at for at, count in incoming.items() if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        a = heapq.heappop(ready)
        order.append(a)
        for b in links[a]:
            incoming[b] -= 1
            if not incoming[b]:
                heapq.heappush(ready, b)
    return order
