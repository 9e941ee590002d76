"""Random changes of a JSON document that keep it JSON: other values, places, lengths and depths."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

_SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 2**31, -(2**31), 2**63 - 1, 2**63, 2**200, 0.5, -0.0, 1e308,
    "", "x", "0.t_vec", "0.t_dtensor", "NULL", "1.while", "1.if", "0.combine", "2.yield", "p",
    "1.full", "9.x", "pd_op.relu", "NaN", "\ud800", "é" * 9, [], {}, [[]], {"%": 0}, {"%": 1},
)  # fmt: skip


def _nodes(value: Any, found: list[tuple[Any, Any]]) -> None:
    """Every (container, key) of a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        found.append((value, key))
        if isinstance(item, (dict, list)):
            _nodes(item, found)


def _deep(rng: random.Random) -> Any:
    value: Any = 1
    for _ in range(rng.choice((5, 100, 3000))):
        value = [value] if rng.random() < 0.5 else {"regions": [{"blocks": [{"ops": [value]}]}]}
    return value


def _change(rng: random.Random, nodes: list[tuple[Any, Any]]) -> None:
    container, key = rng.choice(nodes)
    other, where = rng.choice(nodes)
    kind = rng.randrange(8)
    try:
        if kind == 0:
            container[key] = rng.choice(_SCALARS)
        elif kind == 1:
            container[key] = copy.deepcopy(other[where])
        elif kind == 2:
            del container[key]
        elif kind == 3:
            container[key], other[where] = other[where], container[key]
        elif kind == 4 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif kind == 5 and isinstance(container[key], int):
            container[key] += rng.choice((-1, 1, 2, 100))
        elif kind == 6 and isinstance(container[key], list):
            rng.shuffle(container[key])
        elif rng.random() < 0.1:
            container[key] = _deep(rng)
    except (IndexError, KeyError, RecursionError):
        pass  # an earlier change took the place away


def mutate_json(data: bytes, rng: random.Random) -> bytes:
    """The document after one to four changes, as JSON again."""
    document = json.loads(data)
    nodes: list[tuple[Any, Any]] = []
    _nodes(document, nodes)
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change(rng, nodes)
    try:
        return json.dumps(document).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):  # a document that holds itself
        return data[: rng.randrange(len(data))]
