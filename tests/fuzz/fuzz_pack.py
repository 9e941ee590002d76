"""Damaged files of packed weights beside a model, with and without checksums that fit.

    python tests/fuzz/fuzz_pack.py [--count 5000] [--seed N] [--jobs 2]

Where a checksum tells of the damage, the model computes what it computes without the file. Where
the checksums were made to fit, it runs, or ends in an error that users are told of.
"""

from __future__ import annotations

import os
import random
import struct
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import batches
from api.pack_models import WIDTHS, deep
from mutate import mutant

import lite
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb_file

ALLOWED = (LiteError, MemoryError)
# Of a file's header, see lite/core/stored_weights.cc.
TABLE_BYTES, TABLE_HASH, HEADER_HASH, HEADER = 24, 48, 128, 136
ODD, ALL = 0x9E3779B97F4A7C15, 2**64 - 1


def byte_hash(data: bytes) -> int:
    """ByteHash of the C++ library."""
    lanes = list(range(1, 9))
    whole = len(data) // 64 * 64
    for index, (word,) in enumerate(struct.iter_unpack("<Q", data[:whole])):
        lanes[index % 8] = (lanes[index % 8] ^ word) * ODD & ALL
    for byte in data[whole:]:
        lanes[0] = (lanes[0] ^ byte) * ODD & ALL
    value = len(data)
    for lane in lanes:
        value = (value ^ lane) * ODD & ALL
        value ^= value >> 32
    return value


def signed(data: bytes) -> bytes:
    """The file with checksums of its header and table that fit."""
    if len(data) < HEADER:
        return data
    changed = bytearray(data)
    (table,) = struct.unpack_from("<Q", changed, TABLE_BYTES)
    end = min(HEADER + table, len(changed))
    struct.pack_into("<Q", changed, TABLE_HASH, byte_hash(bytes(changed[HEADER:end])))
    struct.pack_into("<Q", changed, HEADER_HASH, byte_hash(bytes(changed[:HEADER_HASH])))
    return bytes(changed)


def main() -> int:
    """Runs all batches."""
    x = np.random.default_rng(0).normal(size=(2, WIDTHS[0])).astype(np.float32)
    with tempfile.TemporaryDirectory() as scratch:
        base = os.path.join(scratch, "base.nb")
        write_nb_file(deep(), base)
        model = Path(base).read_bytes()
        packed = Path(lite.pack(base, x)).read_bytes()
        expected = lite.load(model).run(x)["y2"]
        (table,) = struct.unpack_from("<Q", packed, TABLE_BYTES)
        assert signed(packed) == packed, "the checksum is another one than the library's"

        def case(rng: random.Random, note: Callable[[str], None]) -> str:
            path = os.path.join(scratch, f"{os.getpid()}.nb")
            if not os.path.exists(path):
                Path(path).write_bytes(model)
            fits = rng.random() < 0.7
            note("signed" if fits else "damaged")
            if fits:
                head = mutant(packed[: HEADER + table], rng)
                changed = signed(head + packed[HEADER + table :])
            else:
                changed = mutant(packed, rng)
            Path(path + ".pack").write_bytes(changed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    y = lite.load(path).run(x)["y2"]
                except ALLOWED as error:
                    assert fits, "a damaged side file must not be an error"
                    return f"signed: {type(error).__name__}"
            same = np.array_equal(y, expected)
            assert same or fits, "a damaged side file changed the numbers"
            return f"{'signed' if fits else 'damaged'}: {'same' if same else 'other'} numbers"

        return batches.main(case, 5000)


if __name__ == "__main__":
    sys.exit(main())
