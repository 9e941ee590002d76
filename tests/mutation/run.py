"""Which mutations of make.py a suite finds.

    python tests/mutation/run.py TREE TESTS RESULT.json [--part 0/2] [--seconds 40]

TESTS is a tests folder, of TREE's commit or of another one; lite is what is installed, built from
TREE with -include tests/mutation/mutant.h. The suite is collected once. For each mutation a fork
runs its tests, those of the mutated file's name first, until one fails or the time is over.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

FOLDERS = ["kernels", "core", "model", "models", "nnadapter/operations", "report"]
LIBRARIES = ["libpaddle_lite_core.so", "libnnadapter.so", "libnnadapter_compat.so"]


def switch_on(number: int) -> None:
    """In this process and those that it starts."""
    import lite

    os.environ["LITE_MUTANT"] = str(number)
    for name in LIBRARIES:
        library = ctypes.CDLL(str(Path(lite.__file__).parent / name))
        ctypes.c_int.in_dll(library, "lite_mutant_on").value = number


class Runner:
    """Takes the place of pytest's loop over its items."""

    def __init__(self, mutants: list[dict[str, Any]], seconds: float, result: Path) -> None:
        self.mutants, self.seconds, self.result = mutants, seconds, result
        self.found: dict[int, str] = {}
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for mutant in [{"number": 0, "file": "none"}, *self.mutants]:
            self.found[mutant["number"]] = self.one(session.items, mutant)
            self.result.write_text(json.dumps(self.found, indent=1))
        return True

    def one(self, items: list[pytest.Item], mutant: dict[str, Any]) -> str:
        """The test that found it, what ended the process, or nothing."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            switch_on(mutant["number"])
            os.write(write, self.run(items, Path(mutant["file"]).stem).encode()[:4000])
            os._exit(0)
        os.close(write)
        end = time.monotonic() + 2 * self.seconds
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "a hang"
            time.sleep(0.02)
        said = os.read(read, 4096).decode()
        os.close(read)
        return said if said else "a crash"

    def run(self, items: list[pytest.Item], stem: str) -> str:
        """In the fork."""
        generator = random.Random(1)
        files = sorted({item.path.stem for item in items})
        order = {name: (name != f"test_{stem}", generator.random()) for name in files}
        items = sorted(items, key=lambda item: order[item.path.stem])
        end = time.monotonic() + self.seconds
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed or time.monotonic() > end:
                break
        return self.failed or "nothing"


def main() -> None:
    """Writes {number: what found it}; number 0 is the program without a mutation."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=Path)
    parser.add_argument("tests", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--seconds", type=float, default=40)
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    mutants = json.loads((arguments.tree / "mutants.json").read_text())[part::parts]
    runner = Runner(mutants, arguments.seconds, arguments.result)
    folders = [str(arguments.tests / name) for name in FOLDERS if (arguments.tests / name).exists()]
    options = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    root = arguments.tests.parent
    code = pytest.main([*options, "-c", str(root / "pyproject.toml"), *folders], plugins=[runner])
    sys.exit(int(code))


if __name__ == "__main__":
    main()
