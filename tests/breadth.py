"""How much of the long tables a run takes: .ci/nightly all, other runs some of each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

EVERYTHING = os.environ.get("LITE_TEST_ALL_CONFIGURATIONS") == "1"

_T = TypeVar("_T")


def some(cases: Sequence[_T], most: int) -> Sequence[_T]:
    """At most so many, evenly from the first to the last; all in .ci/nightly."""
    if EVERYTHING or len(cases) <= most:
        return cases
    return [cases[at * (len(cases) - 1) // (most - 1)] for at in range(most)]
