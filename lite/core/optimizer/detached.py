"""What a `subgraph` operator runs, while its operators are not in the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lite.model.program import OpDesc


class Described(Protocol):
    """What reports of a subgraph learn here: its block in the optimised program."""

    sub_block: int | None


@dataclass
class Detached:
    """The operators of a subgraph and how its own operator named what they read and write.

    ``index`` is the block that they had in the program that was read, None for a new subgraph.
    """

    ops: list[OpDesc]
    inputs: list[str]
    outputs: list[str]
    data_outputs: list[str]
    index: int | None = None
    info: Described | None = None
