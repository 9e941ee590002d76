"""Runs many random cases, a batch in each forked process: a crash or a hang ends one batch."""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable

import lite

BATCH, SECONDS = 50, 10
# Runs a case and says what became of it; the second function is called with what is being run.
Case = Callable[[random.Random, Callable[[str], None]], str]


def child(case: Case, seed: int, batch: int, report: int) -> None:
    """Runs a batch and writes its outcomes; never returns."""
    os.environ.pop("PYTHONFAULTHANDLER", None)
    if "LD_PRELOAD" not in os.environ:  # sanitizers reserve terabytes of address space
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    lite.set_memory_limit(256 << 20)  # honest work on gigabytes takes longer than a hang
    lite.set_loop_limit(2000)
    outcomes: Counter[str] = Counter()
    what = ""

    def note(text: str) -> None:
        nonlocal what
        what = f"{index} {text}"
        os.pwrite(report, what[:63].ljust(63).encode() + b"\n", 0)

    for index in range(batch * BATCH, (batch + 1) * BATCH):
        note("")
        signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of this process's own time
        try:
            outcomes[case(random.Random(f"{seed} {index}"), note)] += 1
        except BaseException:
            os.write(2, f"case {what}:\n{traceback.format_exc()}".encode(errors="replace"))
            os._exit(1)
    os.pwrite(report, repr(dict(outcomes)).encode(), 64)
    os._exit(0)


def main(case: Case, count: int) -> int:
    """Runs all batches, some processes at a time; 1 where one failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="the first case, to repeat one")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    outcomes: Counter[str] = Counter()
    failures = 0
    running: dict[int, int] = {}
    first = options.first // BATCH
    batches = iter(range(first, first + (options.count + BATCH - 1) // BATCH))
    pending = next(batches, None)
    while running or pending is not None:
        while pending is not None and len(running) < options.jobs:
            report = os.memfd_create("report")
            pid = os.fork()
            if pid == 0:
                child(case, options.seed, pending, report)
            running[pid] = report
            pending = next(batches, None)
        pid, status = os.wait()
        report = running.pop(pid)
        if status:
            failures += 1
            where = os.pread(report, 63, 0).decode().strip()
            signalled = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
            how = "hung" if signalled else f"status {status}"
            print(f"FAILED: seed {options.seed}, case {where}: {how}", flush=True)
        else:
            outcomes.update(eval(os.pread(report, 1 << 16, 64)))
        os.close(report)
    for what, number in sorted(outcomes.items()):
        print(f"{number:7} {what}")
    print(f"{sum(outcomes.values())} cases passed, {failures} batches failed")
    sys.stdout.flush()
    return 1 if failures else 0
