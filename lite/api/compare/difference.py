"""How far a tensor is from what it should be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lite.api.compare.jobs import Array

TOLERANCE = 1e-2
"""The relative error that is right, unless something else is asked for: half precision passes."""

QUANTISED_SNR = 10.0
"""Decibels that the tensors of a quantised model must have: single numbers saturate."""

HALF_SNR = 20.0
"""The same where a device says that it computes in 16 bits: roundings add up over a model."""


@dataclass(frozen=True)
class Limit:
    """What is still right: a relative error, or with ``snr`` that many decibels."""

    tolerance: float = TOLERANCE
    snr: float | None = None

    def __str__(self) -> str:
        return f"{self.tolerance:g}" if self.snr is None else f"{self.snr:g} dB"


@dataclass(frozen=True)
class Difference:
    """A tensor against its reference.

    ``relative`` is the largest error over the largest number of the reference. ``snr`` is in
    decibels, infinite where nothing differs. ``cosine`` and ``snr`` are None where they mean
    nothing. ``nan`` counts elements that are NaN or infinite and should not be, or the other way
    around. ``shape`` and ``type`` say what differs.
    """

    name: str
    cosine: float | None = None
    snr: float | None = None
    largest: float = 0.0
    relative: float = 0.0
    nan: int = 0
    shape: str = ""
    type: str = ""

    def wrong(self, limit: Limit) -> str:
        """What is wrong with the tensor; empty where nothing is."""
        if self.shape:
            return f"{self.name} has shape {self.shape}"
        if self.type:
            return f"{self.name} has type {self.type}"
        if self.nan:
            return f"{self.name} has {self.nan} wrong NaN or infinite elements"
        if limit.snr is not None and self.snr is not None:
            few = self.snr < limit.snr
            return f"{self.name} has an SNR of {self.snr:.1f} dB" if few else ""
        if self.relative > limit.tolerance:
            return f"{self.name} is off by {self.relative:.3g} of its largest number"
        return ""

    @property
    def badness(self) -> float:
        """A number to sort by."""
        return math.inf if self.shape or self.type or self.nan else self.relative


def difference(name: str, found: Array, wanted: Array) -> Difference:
    """How ``found`` differs from ``wanted``."""
    if found.shape != wanted.shape:
        return Difference(name, shape=f"{list(found.shape)}, not {list(wanted.shape)}")
    if found.dtype != wanted.dtype:
        return Difference(name, type=f"{found.dtype}, not {wanted.dtype}")
    if not wanted.size:
        return Difference(name)
    a, b = found.astype(np.float64).ravel(), wanted.astype(np.float64).ravel()
    both = np.isfinite(a) & np.isfinite(b)
    with np.errstate(invalid="ignore"):
        alike = both | (a == b) | (np.isnan(a) & np.isnan(b))
    a, b = a[both], b[both]
    errors = np.abs(a - b)
    largest = float(errors.max(initial=0.0))
    top = float(np.abs(b).max(initial=0.0))
    relative = largest / top if top else (math.inf if largest else 0.0)
    nan = int((~alike).sum())
    return Difference(name, _cosine(a, b), _snr(errors, b), largest, relative, nan)


def _cosine(a: Array, b: Array) -> float | None:
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.dot(a, b)) / norm if norm else None


def _snr(errors: Array, wanted: Array) -> float | None:
    noise, signal = float(np.square(errors).sum()), float(np.square(wanted).sum())
    if not noise:
        return math.inf
    return 10 * math.log10(signal / noise) if signal else None


def worst(differences: Iterable[Difference]) -> Difference | None:
    """The largest of some differences."""
    return max(differences, key=lambda some: some.badness, default=None)
