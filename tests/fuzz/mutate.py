"""Random changes of a file's bytes."""

from __future__ import annotations

import random

NUMBERS = [0, 1, 2, 3, 4, 7, 8, 127, 128, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**63]


def mutant(data: bytes, rng: random.Random) -> bytes:
    """A copy with one to six changes: flipped bits, odd numbers, pieces gone, moved or new."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        if changed:
            _change(changed, rng)
    return bytes(changed)


def _change(changed: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(changed))
    width = rng.choice((1, 2, 4, 8))
    kind = rng.randrange(20)
    if kind < 8:
        changed[at] ^= 1 << rng.randrange(8)
    elif kind < 12:
        number = rng.choice(NUMBERS) % 256**width
        at -= at % width
        changed[at : at + width] = number.to_bytes(width, "little")
    elif kind < 15:
        old = int.from_bytes(changed[at : at + width], "little")
        number = (old + rng.randint(-8, 8)) % 256**width
        changed[at : at + width] = number.to_bytes(width, "little")
    elif kind < 16:
        del changed[at : at + rng.randint(1, 64)]
    elif kind < 17:
        changed[at:at] = rng.randbytes(rng.randint(1, 16))
    elif kind < 19:
        source = rng.randrange(len(changed))
        piece = changed[source : source + rng.randint(1, 64)]
        changed[at : at + len(piece)] = piece
    else:
        del changed[at:]
