"""Where partitioning asks which operators a device supports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lite.model.program import Program


class SupportCheck(Protocol):
    """Says why operators cannot go to any of the devices.

    Called with a block of the program and lists of positions in it: first with all candidates as
    one list (what the declaration says), then with the clusters that formed (what the driver says),
    at most three times. Returns a plain sentence for every position that is refused. A check may
    have ``judged`` (by device, what decides in its driver's place) and ``warnings``, which are read
    when it has been asked.
    """

    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]: ...
