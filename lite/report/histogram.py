"""How the numbers of a weight are spread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

_BINS = 40
_FEW = 16
"""Fewer numbers are written out."""


@dataclass(frozen=True)
class Histogram:
    """How many elements lie in each of equal steps between the least and the largest finite one."""

    text: str
    least: float = 0.0
    most: float = 0.0
    counts: list[int] = field(default_factory=list)


def histograms(params: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, Histogram]:
    """Those of a program's parameters, by name."""
    return {name: histogram(array) for name, array in params.items()}


def histogram(array: np.ndarray[Any, Any]) -> Histogram:
    """An array's; complex numbers count by their sizes. What cannot be counted has no counts."""
    count = f"{array.size:,} element{'s' * (array.size != 1)}"
    if not array.size:
        return Histogram("empty")
    if array.dtype.kind not in "biufc":
        return Histogram(f"{count} of {array.dtype}")
    flat = np.abs(array).reshape(-1) if array.dtype.kind == "c" else array.reshape(-1)
    numbers = flat.astype(np.float64 if flat.dtype.itemsize > 4 else np.float32, copy=False)
    finite = np.isfinite(numbers)
    wrong = int(numbers.size - finite.sum())
    kept = numbers[finite] if wrong else numbers
    facts = [count]
    if array.size <= _FEW:
        facts = [", ".join(f"{value:.6g}" for value in flat.tolist())]
    if wrong:
        facts.append(f"{wrong:,} NaN or infinite")
    if not kept.size:
        return Histogram("; ".join(facts))
    least, most = float(kept.min()), float(kept.max())
    facts.append(f"mean {kept.mean(dtype=np.float64):.4g}")
    facts.append(f"deviation {kept.std(dtype=np.float64):.4g}")
    zeros = int((kept == 0).sum())
    if zeros:
        facts.append(f"{100 * zeros / array.size:.3g} % zeros")
    if array.size <= _FEW or least == most:
        return Histogram("; ".join([*facts, f"from {least:.6g} to {most:.6g}"]))
    # Offsets from the least one: the width of float32's whole range is no float32.
    scaled = kept.astype(np.float64) / 2 - least / 2
    places = np.minimum(scaled * (_BINS / (most / 2 - least / 2)), _BINS - 1).astype(np.int64)
    return Histogram("; ".join(facts), least, most, np.bincount(places, minlength=_BINS).tolist())
