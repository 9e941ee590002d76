"""Which layers stay in floats: as few as reach an accuracy.

A device's int8 is measured, not modelled: layers are tried, first where they lose, then together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Layer = TypeVar("Layer")


@dataclass(frozen=True)
class Block(Generic[Layer]):
    """Layers that follow each other, and what is lost where they alone are in int8."""

    layers: tuple[Layer, ...]
    loss: float

    @property
    def cost(self) -> float:
        """Of one layer: a block of many stays in floats later than one of few."""
        return self.loss / len(self.layers)


def blocks_by_loss(
    layers: Sequence[Layer], loss: Callable[[Sequence[Layer]], float], most_trials: int
) -> list[Block[Layer]]:
    """Divides the layers where most is lost, while there are trials left; in no order.

    `loss` is what is lost where these alone are in int8.
    """
    blocks = [Block(tuple(layers), loss(layers))] if layers else []
    for _ in range((most_trials - 1) // 2):
        wide = [block for block in blocks if len(block.layers) > 1]
        if not wide:
            break
        worst = max(wide, key=lambda block: block.loss)
        middle = len(worst.layers) // 2
        blocks.remove(worst)
        for part in (worst.layers[:middle], worst.layers[middle:]):
            blocks.append(Block(part, loss(part)))
    return blocks


def fewest(
    blocks: Sequence[Block[Layer]],
    good: Callable[[Sequence[Block[Layer]]], bool],
    most_trials: int,
) -> list[Block[Layer]] | None:
    """The blocks that stay in floats: the shortest head of the list that is good, without those
    that are not needed. None where all of them are not enough.

    `good` is whether the accuracy is reached where these stay; with none of them it is not. What
    is given is the latest that was good.
    """
    if not good(blocks):
        return None
    low, high, trials = 0, len(blocks), 1
    while high - low > 1:
        middle = (low + high) // 2
        if good(blocks[:middle]):
            high = middle
        else:
            low = middle
        trials += 1
    return _pruned(list(blocks[:high]), good, most_trials - trials)


def _pruned(
    kept: list[Block[Layer]], good: Callable[[Sequence[Block[Layer]]], bool], trials: int
) -> list[Block[Layer]]:
    """Gives back to int8 what is not needed: a quarter at once, then ever fewer, and of these the
    ones that lose least first."""
    size = max(1, len(kept) // 4)
    while size and trials > 0:
        at = len(kept) - size
        while at >= 0 and trials > 0:
            rest = kept[:at] + kept[at + size :]
            trials -= 1
            if good(rest):
                kept = rest
            at -= size
        size //= 2
    return kept
