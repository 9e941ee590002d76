"""Options of the whole test suite; the tests run against the installed package."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# `python -m pytest` puts the source tree first, where `lite` lacks its extension module.
if not list((ROOT / "lite").glob("_core*")):
    sys.path[:] = [p for p in sys.path if Path(p or ".").resolve() != ROOT]

sys.path.append(str(ROOT))  # `examples` is run from a clone, behind all else
sys.path.insert(0, str(ROOT / "tests" / "kernels"))  # for `from harness import OpTable`

# Built in place, `paddlelite` is not installed beside `lite`.
if importlib.util.find_spec("paddlelite") is None and (ROOT / "lite/api/paddlelite").exists():
    sys.path.append(str(ROOT / "lite" / "api"))

# What needs a library, a compiler or a build of ours runs where a part of .ci/nightly made that.
_HERE = {
    "java/test_with_java*.py": "LITE_TEST_JAVA" in os.environ,
    "js/test_with_web*.py": "LITE_TEST_WEB" in os.environ,
    "pytorch/test_with_torch_*.py": importlib.util.find_spec("torch") is not None,
    "pytorch/test_with_torch_operators.py": importlib.util.find_spec("expecttest") is not None,
    "windows/test_with_wine*.py": "LITE_TEST_WINDOWS" in os.environ,
}
collect_ignore_glob = [files for files, here in _HERE.items() if not here]


def _writable(folder: str) -> bool:
    try:
        with tempfile.TemporaryDirectory(dir=folder):
            return True
    except OSError:
        return False


# Paddle is not imported without a home that it can write. Workers and clients inherit this one.
if not _writable(os.path.expanduser("~")):
    _HOME = tempfile.TemporaryDirectory(prefix="lite-tests-home-")
    os.environ["HOME"] = _HOME.name


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record",
        action="store_true",
        help="store Paddle's values of the operator tests in tests/kernels/expected",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.args_source is config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = "not long"  # xdist's workers are given it
    if not hasattr(config, "workerinput"):  # the workers inherit it: compile_once.py
        os.environ["LITE_TESTS_COMPILED"] = tempfile.mkdtemp(prefix="lite-tests-compiled-")
    if config.getoption("--record"):
        import harness

        harness.RECORD = True


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["LITE_TESTS_COMPILED"], ignore_errors=True)


def pytest_collection() -> None:
    """45,000 tests are millions of objects that all stay: looking for garbage among them, now and
    after each of them, takes longer than many tests."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
