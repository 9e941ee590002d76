"""Which mutations of make.py a suite finds.

    python tests/mutation/run.py trace TESTS REACHED.json [--part 0/2]
    python tests/mutation/run.py judge TESTS RESULT.json REACHED.json... --mutants TREE/mutants.json

TESTS is a tests folder or a part of it, of the mutated commit or of another one; lite is what is
installed, built with -include tests/mutation/mutant.h. The trace is one run of the suite, in parts
if wanted, that notes which mutations each test comes to. For each mutation a fork then runs the
tests that come to it, those of the mutated file's name first and the quick ones before the slow
ones, until one fails.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIBRARIES = ["libpaddle_lite_core.so", "libnnadapter.so", "libnnadapter_compat.so"]
MUTANTS = 1024  # as mutant.h has room for


def libraries() -> list[ctypes.CDLL]:
    """Each holds what mutant.h declares once."""
    import lite

    return [ctypes.CDLL(str(Path(lite.__file__).parent / name)) for name in LIBRARIES]


def part_of(things: list[Any], part: str) -> list[Any]:
    """Part "i/n": every n-th, from the i-th on."""
    index, parts = map(int, part.split("/"))
    return things[index::parts]


class Tracer:
    """Notes which mutations each test comes to, and how long it takes."""

    def __init__(self, part: str, result: Path) -> None:
        self.part, self.result = part, result
        self.tests: dict[str, dict[str, Any]] = {}
        self.by_fixtures: dict[str, set[int]] = defaultdict(set)
        self.log = Path(tempfile.mkstemp()[1])
        os.environ["LITE_MUTANT_LOG"] = str(self.log)
        self.flags = [
            (ctypes.c_char * MUTANTS).in_dll(x, "lite_mutants_reached") for x in libraries()
        ]

    def take(self) -> set[int]:
        """Since the last call, in all processes."""
        numbers = {int(line) for line in self.log.read_text().split()}
        self.log.write_text("")
        for flags in self.flags:
            ctypes.memset(flags, 0, MUTANTS)
        sys.__dict__.setdefault("lite_mutants_reached", set()).clear()
        return numbers

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        files = sorted({item.path for item in items})
        kept = set(part_of(files, self.part))
        items[:] = [item for item in items if item.path in kept]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self.take()
        self.start = time.monotonic()
        yield
        # A fixture may serve all tests of a file: each of them may judge what it made.
        self.by_fixtures[item.nodeid.split("::")[0]] |= self.take()

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        seconds = round(time.monotonic() - self.start, 3)
        self.tests[item.nodeid] = {"seconds": seconds, "reached": sorted(self.take())}

    def pytest_sessionfinish(self) -> None:
        for name, test in self.tests.items():
            more = self.by_fixtures[name.split("::")[0]]
            test["reached"] = sorted(more.union(test["reached"]))
        self.result.write_text(json.dumps(self.tests))


class Judge:
    """Takes the place of pytest's loop over its items."""

    def __init__(
        self, mutants: list[dict[str, Any]], tests: dict[str, Any], seconds: float, result: Path
    ) -> None:
        self.mutants, self.tests, self.seconds, self.result = mutants, tests, seconds, result
        self.libraries = libraries()  # before the suite looks for lite in a tree of its own
        self.found: dict[int, str] = {}
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for mutant in self.mutants:
            items = [i for i in session.items if mutant["number"] in self.reached(i)]
            stem = Path(mutant["file"]).stem
            items.sort(
                key=lambda i: (i.path.stem != f"test_{stem}", self.tests[i.nodeid]["seconds"])
            )
            self.found[mutant["number"]] = (
                self.one(items, mutant["number"]) if items else "not reached"
            )
            self.result.write_text(json.dumps(self.found, indent=1))
        return True

    def reached(self, item: pytest.Item) -> list[int]:
        return self.tests.get(item.nodeid, {"reached": []})["reached"]

    def one(self, items: list[pytest.Item], number: int) -> str:
        """The test that found it, what ended the process, or nothing."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.environ["LITE_MUTANT"] = str(number)
            for library in self.libraries:
                ctypes.c_int.in_dll(library, "lite_mutant_on").value = number
            os.write(write, self.run(items).encode()[:4000])
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

    def run(self, items: list[pytest.Item]) -> str:
        """In the fork."""
        end = time.monotonic() + self.seconds
        for position, item in enumerate(items):
            following = items[position + 1] if position + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return self.failed
            if time.monotonic() > end:
                return f"nothing in time: {position + 1} of {len(items)}"
        return f"nothing: {len(items)}"


def main() -> None:
    """Writes {test: what it reaches}, or {number: what found it}."""
    parser = argparse.ArgumentParser()
    parser.add_argument("step", choices=["trace", "judge"])
    parser.add_argument("tests", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("reached", type=Path, nargs="*")
    parser.add_argument("--mutants", type=Path)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    words = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
    root = next(p for p in arguments.tests.resolve().parents if (p / "pyproject.toml").exists())
    words += ["-c", str(root / "pyproject.toml"), str(arguments.tests)]
    plugin: Tracer | Judge
    if arguments.step == "trace":
        plugin = Tracer(arguments.part, arguments.result)
    else:
        tests = {
            k: v for file in arguments.reached for k, v in json.loads(file.read_text()).items()
        }
        mutants = part_of(json.loads(arguments.mutants.read_text()), arguments.part)
        plugin = Judge(mutants, tests, arguments.seconds, arguments.result)
    sys.exit(int(pytest.main(words, plugins=[plugin])))


if __name__ == "__main__":
    main()
