"""`python forked_weights.py MODEL_FOLDER`: what a run in a fork takes of its own, and the weights.

Prints kB of memory that the fork does not share, where nothing was packed before it and after
`warm_up`, and the kB of the parameters.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from lite.paddlex.engine import LiteConfig, LiteRunner, warm_up


def private() -> int:
    """Kilobytes of this process that no other one shares."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def taken(runner: LiteRunner, x: np.ndarray) -> int:
    """Kilobytes more after a run in a fork."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        before = private()
        runner(x)
        os.write(writing, str(private() - before).encode())
        os._exit(0)
    os.close(writing)
    assert os.waitpid(pid, 0)[1] == 0
    return int(os.read(reading, 20))


def main(folder: Path) -> None:
    """Of a recogniser of text lines."""
    runner = LiteRunner(folder, LiteConfig(threads=1))
    x = np.zeros((1, 3, 48, 320), np.float32)
    apart = taken(runner, x)
    warm_up()
    print(apart, taken(runner, x), (folder / "inference.pdiparams").stat().st_size // 1024)


main(Path(sys.argv[1]))
