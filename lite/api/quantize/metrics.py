"""How near a quantised model's outputs are to the model's own: 1 is the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lite.api.compare.difference import difference
from lite.errors import ConfigError

Array = np.ndarray[Any, np.dtype[Any]]
Outputs = Mapping[str, Array]


@dataclass(frozen=True)
class Metric:
    """Of each sample: what there is to keep, and what of it is lost."""

    weight: Callable[[Outputs], float]
    lost: Callable[[Outputs, Outputs], float]
    """From what was found and what was wanted."""


def _cosine_lost(found: Outputs, wanted: Outputs) -> float:
    """By the output that differs most; what is zero everywhere must be it again."""
    lost = []
    for name, array in wanted.items():
        of = difference(name, found[name], array)
        if of.shape or of.type or of.nan:
            return 1.0
        lost.append((1 - of.cosine) if of.cosine is not None else float(of.largest > 0))
    return max(lost, default=0.0)


def _rows(outputs: Outputs) -> Array:
    first = next(iter(outputs.values()))
    if first.ndim < 1 or not first.shape[-1]:
        raise ConfigError(f"the metric needs classes in the last axis, not a tensor {first.shape}")
    rows: Array = first.reshape(-1, first.shape[-1]).argmax(-1)
    return rows


def _top1_lost(found: Outputs, wanted: Outputs) -> float:
    return float((_rows(found) != _rows(wanted)).sum())


def _texts(outputs: Outputs) -> list[list[int]]:
    """Greedy CTC decoding: class 0 is blank, what repeats stands once."""
    first = next(iter(outputs.values()))
    if first.ndim != 3:
        raise ConfigError(f"text needs an output [lines, steps, classes], not {first.shape}")
    texts = []
    for line in first.argmax(-1):
        starts = np.r_[True, line[1:] != line[:-1]] if len(line) else np.zeros(0, bool)
        texts.append([int(number) for number in line[starts] if number])
    return texts


def _text_lost(found: Outputs, wanted: Outputs) -> float:
    pairs = zip(_texts(found), _texts(wanted), strict=True)
    return float(sum(_edits(a, b) for a, b in pairs))


def _edits(a: Sequence[int], b: Sequence[int]) -> int:
    """Levenshtein's distance."""
    row = list(range(len(b) + 1))
    for at, left in enumerate(a, 1):
        before, row[0] = row[0], at
        for to, right in enumerate(b, 1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (left != right))
    return row[-1]


METRICS = {
    "cosine": Metric(lambda _: 1.0, _cosine_lost),
    "top1": Metric(lambda wanted: float(len(_rows(wanted))), _top1_lost),
    "text": Metric(lambda wanted: float(sum(map(len, _texts(wanted)))), _text_lost),
}
"""``cosine``: of each sample's outputs. ``top1``: rows of the first output with the same largest
number. ``text``: characters that CTC decoding gives, by the edits between the texts."""
