"""Damaged models through the whole framework: read, optimise, load, run.

    python tests/fuzz/fuzz_models.py [--count 5000] [--seed N] [--jobs 2] [--only pdmodel]

Mutants of the zoo's programs as `.pdmodel`, parameters and `.nb` (meta 1 and 2), and programs with
another meaning (attributes, wiring, operators, parameters), many to a forked process. A mutant may
be accepted or end in one of the errors that users are told of; anything else, a crash, ten seconds
of CPU time or gigabytes of memory is a failure that is printed with its seed.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import signal
import sys
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import zoo
from mutate import mutant
from mutate_program import mutate_program

import lite
from lite.core.optimizer import optimize
from lite.errors import LiteError
from lite.model.naive_buffer import write_nb
from lite.model.pdmodel import write_pdmodel
from lite.model.program import Program
from lite.model.save import write_params

ALLOWED = (LiteError, MemoryError)
BATCH, SECONDS = 50, 10
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
    return found


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
    else:
        model = mutant(model, rng)
    stage = "load"
    try:
        devices = ("builtin_device",) if name == "subgraph" else ()
        predictor = lite.load(model, params, devices=devices)
        stage = "run"
        feeds = zoo.feed_for(name)
        if len(predictor.inputs) != len(feeds):
            return "other inputs"
        for _ in range(2):
            predictor.run(feeds)
        return "runs"
    except ALLOWED as error:
        return f"{stage}: {type(error).__name__}"


def child(seed: int, batch: int, everything: list[Base], report: int) -> None:
    """Runs a batch and writes its outcomes; never returns."""
    os.environ.pop("PYTHONFAULTHANDLER", None)
    if "LD_PRELOAD" not in os.environ:  # sanitizers reserve terabytes of address space
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    lite.set_memory_limit(256 << 20)  # honest work on gigabytes takes longer than a hang
    outcomes: Counter[str] = Counter()
    for index in range(batch * BATCH, (batch + 1) * BATCH):
        rng = random.Random(f"{seed} {index}")
        base = rng.choice(everything)
        os.pwrite(report, f"{index} {base[0]} {base[1]}".ljust(63).encode() + b"\n", 0)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of this process's own time
        try:
            outcomes[f"{base[0]} {run_one(base, rng)}"] += 1
        except BaseException:
            os.write(2, f"mutant {index} ({base[0]} of {base[1]}):\n".encode())
            os.write(2, traceback.format_exc().encode())
            os._exit(1)
    os.pwrite(report, repr(dict(outcomes)).encode(), 64)
    os._exit(0)


def main() -> int:
    """Runs all batches, two processes at a time."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--first", type=int, default=0, help="the first mutant, to repeat one")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    everything = bases()
    outcomes: Counter[str] = Counter()
    failures = 0
    running: dict[int, tuple[int, int]] = {}
    first = options.first // BATCH
    batches = iter(range(first, first + (options.count + BATCH - 1) // BATCH))
    pending = next(batches, None)
    while running or pending is not None:
        while pending is not None and len(running) < options.jobs:
            report = os.memfd_create("report")
            pid = os.fork()
            if pid == 0:
                child(options.seed, pending, everything, report)
            running[pid] = (pending, report)
            pending = next(batches, None)
        pid, status = os.wait()
        _, report = running.pop(pid)
        if status:
            failures += 1
            where = os.pread(report, 63, 0).decode().strip()
            how = "hung" if os.WTERMSIG(status) == signal.SIGPROF else f"status {status}"
            print(f"FAILED: seed {options.seed}, mutant {where}: {how}", flush=True)
        else:
            outcomes.update(eval(os.pread(report, 1 << 16, 64)))
        os.close(report)
    for what, number in sorted(outcomes.items()):
        print(f"{number:7} {what}")
    print(f"{sum(outcomes.values())} mutants passed, {failures} batches failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
