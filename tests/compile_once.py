"""The tests' compiler: what several workers of one run want of the tree's sources is made once."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path


def compile_once(words: Sequence[str | Path], output: Path) -> Path:
    """Runs a compiler's command that ends in `-o output`; where none of its files is a test's own,
    the run's other workers get a copy of what it wrote.

    Raises AssertionError with the compiler's text where it fails.
    """
    command = [str(word) for word in words]
    if any("/pytest-of-" in word for word in command):
        return _compile(command, output)
    kept = (
        Path(os.environ["LITE_TESTS_COMPILED"])
        / hashlib.sha256("\0".join(command).encode()).hexdigest()
    )
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _compile(command, output)
            shutil.copy2(output, kept)
            return output
    output.unlink(missing_ok=True)
    shutil.copy2(kept, output)
    return output


def _compile(command: list[str], output: Path) -> Path:
    command = [*command, "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return output
