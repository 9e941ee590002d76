"""Damaged models: every reader ends in a Program or in a LiteError, soon and in little memory.

LITE_MUTANTS sets the mutants of each base file (default 150). They are the same each time, so that
a commit's verdict does not change; a hunt sets LITE_MUTANTS_SEED.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import time
import tracemalloc
from pathlib import Path

import pytest

from lite.errors import LiteError
from lite.model.load import load_program
from lite.model.naive_buffer import write_nb
from lite.model.pdmodel import write_pdmodel
from lite.model.text import parse_program, print_program

DATA = Path(__file__).parent / "data"
COUNT = int(os.environ.get("LITE_MUTANTS", "150"))
SEED = int(os.environ.get("LITE_MUTANTS_SEED", "20261121"))
SECONDS = 5.0
NUMBERS = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    127,
    128,
    255,
    256,
    65535,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**63,
    2**64 - 1,
]


def mutant(data: bytes, rng: random.Random) -> bytes:
    """A copy with one to six random changes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        if not changed:
            break
        at = rng.randrange(len(changed))
        width = rng.choice((1, 2, 4, 8))
        kind = rng.randrange(7)
        if kind == 0:
            changed[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            number = rng.choice(NUMBERS) % 256**width
            at -= at % width
            changed[at : at + width] = number.to_bytes(width, "little")
        elif kind == 2:
            old = int.from_bytes(changed[at : at + width], "little")
            changed[at : at + width] = ((old + rng.randint(-8, 8)) % 256**width).to_bytes(
                width, "little"
            )
        elif kind == 3:
            del changed[at : at + rng.randint(1, 64)]
        elif kind == 4:
            changed[at:at] = rng.randbytes(rng.randint(1, 16))
        elif kind == 5:
            source = rng.randrange(len(changed))
            piece = changed[source : source + rng.randint(1, 64)]
            changed[at : at + len(piece)] = piece
        else:
            del changed[at:]
    return bytes(changed)


def _use(model: bytes, params: bytes | None) -> bool:
    """Whether a mutant is accepted; what is accepted must print, parse and be written again."""
    try:
        program = load_program(model_bytes=model, param_bytes=params)
    except LiteError:
        return False
    text = print_program(program)
    assert print_program(parse_program(text, program.params)) == text
    for write in (write_pdmodel, lambda it: write_nb(it, io.BytesIO())):
        with contextlib.suppress(LiteError):
            write(program)
    return True


def _check(model: bytes, params: bytes | None) -> bool:
    size = len(model) + len(params or b"")
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    start = time.process_time()
    accepted = _use(model, params)
    seconds = time.process_time() - start
    _, peak = tracemalloc.get_traced_memory()
    assert seconds < SECONDS, f"{seconds:.1f} s"
    assert peak - before < max(4 * size, 16 << 20), f"{peak - before} bytes for {size}"
    return accepted


LEGACY = [(f"{name}.pdmodel", f"{name}.pdiparams") for name in ("conv", "loop", "dtypes")]
BASES: list[tuple[str, str | None, str]] = [
    *((model, params, which) for model, params in LEGACY for which in ("model", "params")),
    *((path.name, None, "model") for path in sorted(DATA.glob("*.nb"))),
]


@pytest.mark.parametrize(("model", "params", "which"), BASES)
def test_mutants(model: str, params: str | None, which: str) -> None:
    good = (DATA / model).read_bytes(), (DATA / params).read_bytes() if params else None
    rng = random.Random(f"{SEED} {model} {which}")
    tracemalloc.start()
    try:
        assert _check(*good)
        accepted = 0
        for index in range(COUNT):
            if which == "model":
                case = mutant(good[0], rng), good[1]
            else:
                assert good[1] is not None
                case = good[0], mutant(good[1], rng)
            try:
                accepted += _check(*case)
            except Exception as error:
                where = f"LITE_MUTANTS_SEED={SEED}, {model}, {which}, mutant {index}"
                raise AssertionError(f"{where}: {error!r}") from error
    finally:
        tracemalloc.stop()
    print(f"seed {SEED}: {accepted} of {COUNT} accepted")
    assert accepted < COUNT


@pytest.mark.parametrize("data", [b"\0", b"\n", b"{", b"\x02\0", b"\xff"])
def test_repeated_bytes(data: bytes) -> None:
    for length in (1, 7, 26, 27, 64, 4096, 200000):
        with pytest.raises(LiteError):
            load_program(model_bytes=(data * length)[:length])
