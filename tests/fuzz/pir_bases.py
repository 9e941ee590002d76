"""Paddle 3's programs of tests/models/data/pir as bases for mutants."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

PIR = "pir"
LARGEST = 100_000  # bytes of a document; larger ones only take longer
_DATA = Path(__file__).parent.parent / "models" / "data" / "pir"


@cache
def _files() -> dict[str, dict[str, bytes]]:
    """Case -> name of a file -> its bytes."""
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted(_DATA.glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                case, _, file = name.partition("/")
                found.setdefault(case, {})[file] = archive.read(name)
    return found


def pir_bases() -> list[tuple[str, str, bytes, bytes | None]]:
    """Format, case, document, and parameters where there are any."""
    return [
        (PIR, case, files["inference.json"], files.get("inference.pdiparams"))
        for case, files in _files().items()
        if len(files.get("inference.json", b"")) in range(1, LARGEST)
    ]


def pir_feed(case: str) -> dict[str, np.ndarray]:
    """The inputs of the case's first run."""
    prefix = "0.in."
    with np.load(io.BytesIO(_files()[case]["io.npz"])) as arrays:
        return {
            key.removeprefix(prefix): arrays[key] for key in arrays.files if key.startswith(prefix)
        }
