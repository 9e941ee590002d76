"""inference_tool.cc from Python: arrays in and out."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

TOOL = Path(__file__).with_name("inference_tool.cc")
Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Case:
    """What the program is told, and the arrays that it feeds, with offsets of sequences."""

    words: Sequence[object]
    inputs: Mapping[str, np.ndarray]
    lods: Mapping[str, Sequence[int]] = field(default_factory=dict)


def run_case(program: Path, case: Case, folder: Path, **env: str) -> tuple[Arrays, str]:
    """The outputs in order, and what stderr said. Raises AssertionError with what was printed."""
    folder.mkdir(exist_ok=True)
    words = [*map(str, case.words), f"out={folder}"]
    for index, (name, array) in enumerate(case.inputs.items()):
        file = folder / f"in{index}"
        file.write_bytes(np.ascontiguousarray(array).tobytes())
        shape = ",".join(map(str, array.shape))
        words.append(f"in={name}:{array.dtype.name}:{shape}:{file}")
    for name, offsets in case.lods.items():
        words.append(f"lod={name}:{','.join(map(str, offsets))}")
    done = subprocess.run(
        [str(program), *words],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    arrays = []
    for index, line in enumerate(done.stdout.splitlines()):
        _, dtype, shape = line.rsplit(" ", 2)
        dims = [int(dim) for dim in shape.split(",") if dim]
        arrays.append(np.fromfile(folder / str(index), dtype).reshape(dims))
    return arrays, done.stderr
