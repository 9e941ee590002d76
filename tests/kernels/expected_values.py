"""Paddle's outputs of an operator's cases, kept in one small file an operator.

A file holds an index (JSON: key -> checksum of the inputs, and type, shape and LoD of every output)
and the outputs' bytes one after the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Values = dict[str, list[tuple[np.ndarray, list[list[int]]]]]

DIRECTORY = Path(__file__).with_name("expected")


@dataclass
class Expected:
    checksum: float  # of the inputs: the values belong to no others
    values: Values


def path_of(op: str) -> Path:
    return DIRECTORY / f"{op}.npz"


def load(op: str) -> dict[str, Expected]:
    if not path_of(op).exists():
        return {}
    with np.load(path_of(op)) as file:
        index, data = json.loads(str(file["index"])), file["data"].tobytes()
    at = 0
    result = {}
    for key, entry in index.items():
        values: Values = {}
        for slot, tensors in entry["slots"].items():
            values[slot] = []
            for dtype, shape, offsets in tensors:
                array = np.frombuffer(data, dtype, count=int(np.prod(shape)), offset=at)
                values[slot].append((array.reshape(shape), offsets))
                at += array.nbytes
        result[key] = Expected(entry["checksum"], values)
    return result


def save(op: str, expected: dict[str, Expected]) -> None:
    """Replaces the operator's file; no values: no file."""
    path_of(op).unlink(missing_ok=True)
    if not expected:
        return
    index, chunks = {}, []
    for key, entry in expected.items():
        slots = {
            slot: [[str(a.dtype), list(a.shape), offsets] for a, offsets in tensors]
            for slot, tensors in entry.values.items()
        }
        index[key] = {"checksum": entry.checksum, "slots": slots}
        chunks += [a.tobytes() for tensors in entry.values.values() for a, _ in tensors]
    DIRECTORY.mkdir(exist_ok=True)
    data = np.frombuffer(b"".join(chunks), "uint8")
    np.savez_compressed(path_of(op), index=np.array(json.dumps(index)), data=data)
