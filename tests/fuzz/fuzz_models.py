"""Damaged models through the whole framework: read, optimise, load, run.

    python tests/fuzz/fuzz_models.py [--count 5000] [--seed N] [--jobs 2]

Mutants of the zoo's programs as `.pdmodel`, parameters and `.nb` (meta 1 and 2), of Paddle 3's
`inference.json`, of ONNX models, and programs with another meaning (attributes, wiring, operators,
parameters), many to a forked process. A mutant may be accepted or end in one of the errors that
users are told of; anything else, a crash, ten seconds of CPU time or gigabytes of memory is a
failure that is printed with its seed.
"""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import batches
import numpy as np
import zoo
from mutate import mutant
from mutate_json import mutate_json
from mutate_onnx import ONNX, mutate_onnx, onnx_bases
from mutate_program import mutate_program
from pir_bases import PIR, pir_bases, pir_feed

import lite
from lite.core.optimizer import optimize
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Program
from lite.model.save import write_params

ALLOWED = (LiteError, MemoryError)
Base = tuple[str, str, bytes, bytes | None]  # format, program of the zoo, model, parameters


def bases() -> list[Base]:
    """Every program of the zoo in every format."""
    found: list[Base] = []
    for name in (*zoo.ALL, *zoo.STORED):
        program = zoo.build(name)
        model, params = _files(program)
        for kind in ("pdmodel", "pdiparams", "program", "program", "program"):
            found.append((kind, name, model, params))
        for version, target in ((1, "x86"), (2, "arm" if name in zoo.STORED else "x86")):
            optimized = optimize(program, targets=(target,), weight_bits=0)
            file = io.BytesIO()
            write_nb(optimized, file, meta_version=version)
            found.append((f"nb{version}", name, file.getvalue(), None))
    for name in zoo.OLD:
        model, params = _files(zoo.build(name))
        found += [(kind, name, model, params) for kind in ("pdmodel", "program", "program")]
    # As many of all others together as of Paddle 3's programs.
    newer = pir_bases()
    others = onnx_bases()
    known = found * max(1, len(newer) // len(found)) + newer
    return known + others * max(1, len(known) // (4 * len(others)))


def _files(program: Program) -> tuple[bytes, bytes]:
    params = io.BytesIO()
    write_params(program.params, params)
    return write_pdmodel(program), params.getvalue()


def run_one(base: Base, rng: random.Random) -> str:
    """Runs one mutant; returns what became of it."""
    kind, name, model, params = base
    if kind == "program":
        program = zoo.build(name)
        mutate_program(program, rng)
        try:
            model, params = _files(program)
        except ALLOWED:
            return "cannot be written"
    elif kind == "pdiparams":
        assert params is not None
        params = mutant(params, rng)
    elif kind == PIR and rng.random() < 0.8:
        model = mutate_json(model, rng)
    elif kind == ONNX and rng.random() < 0.9:
        model = mutate_onnx(model, rng)
    else:
        model = mutant(model, rng)
    stage = "load"
    try:
        devices = ("builtin_device",) if name == "subgraph" else ()
        predictor = lite.load(model, params, devices=devices)
        stage = "run"
        if kind == ONNX:
            return _run_onnx(predictor)
        feeds = pir_feed(name) if kind == PIR else zoo.feed_for(name)
        if kind == PIR and {info.name for info in predictor.inputs} != set(feeds):
            return "other inputs"
        if len(predictor.inputs) != len(feeds):
            return "other inputs"
        for _ in range(2):
            predictor.run(feeds)
        return "runs"
    except ALLOWED as error:
        # numpy's words: a size of the file was believed before it was known to fit.
        assert "Unable to allocate" not in str(error)
        return f"{stage}: {type(error).__name__}"


def _run_onnx(predictor: lite.Predictor) -> str:
    """Runs with what the model declares, free sizes being 3."""
    feeds = {}
    for info in predictor.inputs:
        shape = [dim if 0 <= dim < 100 else 3 for dim in info.shape]
        if np.prod(shape) > 1 << 20:
            return "large inputs"
        feeds[info.name] = np.ones(shape, info.dtype)
    for _ in range(2):
        predictor.run(feeds)
    return "runs"


def main() -> int:
    """Runs all batches."""
    everything = bases()

    def case(rng: random.Random, note: Callable[[str], None]) -> str:
        base = rng.choice(everything)
        note(f"{base[0]} {base[1]}")
        return f"{base[0]} {run_one(base, rng)}"

    return batches.main(case, 5000)


if __name__ == "__main__":
    sys.exit(main())
